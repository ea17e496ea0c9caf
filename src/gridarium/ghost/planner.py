"""Plans for tasks in words: which cells to visit, in which order, by which paths."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.ghost.agents.base_agent import unwrapped_env
from gridarium.ghost.planning.llm import LLMClient
from gridarium.ghost.planning.routes import round_trip
from gridarium.ghost.planning.values import goal_values
from gridarium.ghost.world import checks
from gridarium.ghost.world.likelihoods import Floats
from gridarium.ghost.world.paths import Place

NO_CLIENT = "LLMClient not initialized."
ROLE = """You find the cells that a task names on a grid. Only extract their coordinates, in the order in which the task \
names them. Do not look for the best order, and do not plan a way.

{grid}

Answer with nothing but a JSON list of [row, column] pairs, such as [[2, 2], [0, 4]], without any thinking tags. If \
nothing fits, answer []."""


class TaskPlanner:
    """Finds the cells of a task, the shortest round trip over them, and the paths.

    Args:
        env: the environment.
        use_llm: whether to ask a language model for the cells.
        llm, api_choice, max_tokens: see `LLMClient`.
        keywords: further ones for `LLMClient`, such as `address`.

    Attributes:
        llm_client: the client of the model; None without one.

    Raises:
        TypeError: not an environment of the ghost world.

    Warns:
        UserWarning: there is no model, for instance because a key is missing; everything else works.
    """

    def __init__(
        self,
        env: Any,
        *,
        use_llm: bool = True,
        llm: str = "qwen/qwen3-32b",
        api_choice: str = "groq",
        max_tokens: int = 612,
        **keywords: Any,
    ) -> None:
        self.env = unwrapped_env(env, "TaskPlanner")
        self.llm_client: Any = None
        if use_llm:
            try:
                self.llm_client = LLMClient(llm=llm, api_choice=api_choice, max_tokens=max_tokens, **keywords)
            except Exception as error:
                warnings.warn(f"no language model can be asked: {error}", stacklevel=2)

    def identify_targets(self, task_description: str) -> tuple[list[Place], str]:
        """The cells that a task names, in its order, and the model's answer.

        Without a model, or if it fails, the list is empty, and the answer says why.

        Raises:
            TypeError: the task is not a text.
        """
        if not isinstance(task_description, str):
            raise TypeError(f"a task is a text, got {task_description!r}")
        if self.llm_client is None:
            return [], NO_CLIENT
        messages = [
            {"role": "system", "content": ROLE.format(grid=self.env.get_grid_description())},
            {"role": "user", "content": task_description},
        ]
        try:
            answer = str(self.llm_client.chat_completion(messages))
        except Exception as error:
            return [], f"No answer: {error}"
        return self._inside(read_places(answer)), answer

    def value_iteration(self, goal_pos: Sequence[int], theta: float = 1e-4) -> Floats:
        """float64[rows, cols]: the value of each cell for an agent that heads for a goal and never slips.

        The reward of a move is -1, the value of the goal 100, the discount 0.9.

        Raises:
            ValueError: the goal is outside the grid, or theta is 0 or less.
        """
        return goal_values(self.env.paths, [goal_pos], theta=theta)

    def get_optimal_action(self, current_pos: Sequence[int], V: Floats) -> int:  # noqa: N803  # its name
        """The action that leads to the neighbour with the highest value, the lowest of equals.

        Raises:
            ValueError: a position outside the grid, or values for another grid.
        """
        paths, flat = self.env.paths, np.ravel(V)
        if len(flat) != len(paths.next):
            raise ValueError(f"values are float[{paths.rows}, {paths.cols}], got {np.shape(V)}")
        values = [float(flat[there]) for there in paths.next[paths.cell(self._checked(current_pos))]]
        return values.index(max(values))

    def solve_tsp(self, start_pos: Sequence[int], targets: Sequence[Sequence[int]]) -> list[Place]:
        """The targets in the order of a shortest round trip from a start.

        Raises:
            ValueError: a place outside the grid.

        Warns:
            UserWarning: there is no path to a target; it is left out.
        """
        paths, here = self.env.paths, self._checked(start_pos)
        wanted = [self._checked(target) for target in targets]
        reachable = [place for place in wanted if paths.distance(here, place) >= 0]
        unreachable = [place for place in wanted if place not in reachable]
        if unreachable:
            warnings.warn(f"no way leads from {here} to {', '.join(map(str, unreachable))}", stacklevel=2)
        places = [here, *reachable]
        lengths = [[float(paths.distance(a, b)) for b in places] for a in places]
        return [places[k] for k in round_trip(lengths)]

    def get_path(self, start_pos: Sequence[int], goal_pos: Sequence[int]) -> list[int]:
        """The actions of a shortest path, of equals the lowest; empty at the goal, and if there is no path.

        Raises:
            ValueError: a place outside the grid.
        """
        paths = self.env.paths
        here, target = paths.cell(self._checked(start_pos)), paths.cell(self._checked(goal_pos))
        actions: list[int] = []
        while (action := paths.first_move(here, target)) is not None:
            actions.append(action)
            here = paths.next[here][action]
        return actions

    def _checked(self, place: Sequence[int]) -> Place:
        return checks.position("a place", place, self.env.rows, self.env.cols)

    def _inside(self, places: list[Place]) -> list[Place]:
        outside = [place for place in places if not self.env.paths.contains(place)]
        if outside:
            warnings.warn(f"outside the grid, and left out: {', '.join(map(str, outside))}", stacklevel=3)
        return [place for place in places if place not in outside]


def read_places(answer: str) -> list[Place]:
    """The pairs of whole numbers in a model's answer; empty if it has no list of pairs."""
    text = re.sub(r"<think>.*?</think>", "", answer, flags=re.DOTALL)
    for tag in ("</think>", "<think>"):
        text = text.rpartition(tag)[2]
    found = re.search(r"\[\s*\[.*\]\s*\]", text, re.DOTALL)
    if found is not None:
        text = found.group()
    elif (fenced := re.search(r"```(?:json)?(.*?)```", text, re.DOTALL)) is not None:
        text = fenced.group(1)
    try:
        read = json.loads(text.strip())
    except (ValueError, RecursionError):
        return []
    if not isinstance(read, list) or not all(_is_pair(part) for part in read):
        return []
    return [(part[0], part[1]) for part in read]


def _is_pair(part: Any) -> bool:
    return isinstance(part, list) and len(part) == 2 and all(type(number) is int for number in part)
