"""The teacher's desk: an episode of the ghost world whose every part can be switched while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.ghost.agents import QLearningAgent
from gridarium.ghost.desk import pictures
from gridarium.ghost.desk.errand import Errand, Place, Target
from gridarium.ghost.desk.eyes import vision_sensor as shipped_sensor
from gridarium.ghost.desk.following import History
from gridarium.ghost.desk.lessons import teach
from gridarium.ghost.desk.stage import Stage
from gridarium.ghost.desk.switches import Switches
from gridarium.ghost.interface import AgentInterface
from gridarium.ghost.layout import load_layout
from gridarium.ghost.planner import TaskPlanner
from gridarium.ghost.settings import place as checked_place
from gridarium.ghost.task_words import cell_words, read_task

MOST_ROUNDS = 500
"""After so many rounds without an end, `execute` gives up."""
LESSONS = 300
"""Episodes in which a learning agent learns to reach a place."""


class Desk:
    """An episode of the ghost world, for showing: what can be switched, what the buttons do, what there is to see.

    In a notebook it shows itself, with widgets (needs `gridarium[notebook]`).

    Args:
        vision_sensor: as for `AgentInterface`; by default the shipped one, where there is one.
        language_model: arguments for `TaskPlanner`, such as `{"address": "http://localhost:11434/v1", "llm": "..."}`;
            None to read tasks without a language model.
        switches: see `Switches`.

    Attributes:
        switches: how everything is switched now; `set` changes it.
        errand: the places of the plan.
        message: what has happened last, in words.
        vision_sensor: what sees pictures, or None.
        vision_problem: why there is no vision sensor; "" if there is one.

    Raises:
        ValueError: a switch that there is not, or something that it cannot be switched to.
        TypeError: a vision sensor without `predict`.

    Example:
        >>> desk = Desk(agent="minimax", slip=0.1)
        >>> desk.set(sensors="none")
        >>> desk.execute()
        >>> desk.stats
    """

    switches: Switches

    def __init__(
        self, *, vision_sensor: Any = None, language_model: dict[str, Any] | None = None, **switches: Any
    ) -> None:
        shipped = shipped_sensor() if vision_sensor is None else (vision_sensor, "")
        self.vision_sensor, self.vision_problem = shipped
        if vision_sensor is not None and not callable(getattr(vision_sensor, "predict", None)):
            raise TypeError(f"a vision sensor has a method predict(cell), {vision_sensor!r} has none")
        self._language_model = language_model
        self._lessons = 0
        self._build(self._checked(Switches().changed(**switches)))

    def set(self, **changes: Any) -> None:
        """Switch something. A layout or a seed begins a new episode; all else counts from the next round on.

        Raises:
            ValueError: a switch that there is not, or something that it cannot be switched to; nothing has changed then.
        """
        old, new = self.switches, self._checked(self.switches.changed(**changes))
        if "layout" not in changes:
            new = _placed(new, self.env.rows, self.env.cols)
        differs = {name for name in changes if getattr(new, name) != getattr(old, name)}
        if "layout" in differs:
            self._build(new)
        elif differs:
            self.switches = new
            self.stage.switch(new, differs)
            if "seed" in differs:
                self.reset()

    # buttons

    def reset(self) -> None:
        """Begin the episode of the seed (anew), without an errand."""
        self.errand = Errand()
        self.stage.reset()
        self.message = "A new episode."

    def step(self, action: int | None = None) -> None:
        """A round: the agent's action, or the one given, and the ghosts'.

        Raises:
            RuntimeError: the episode is over.
            ValueError: no such action.
        """
        self._head_on()
        if self.interface.is_terminated():
            raise RuntimeError("The episode is over: reset begins another.")
        self.stage.step(action)
        self.message = pictures.what_happened(self)
        self._head_on()

    def tick(self) -> bool:
        """A round, if there is more to do: an errand, or a plain episode. Gives whether there is still more to do."""
        if self.can_go_on:
            self.step()
        return self.can_go_on

    def execute(self, most_rounds: int = MOST_ROUNDS) -> bool:
        """Go on to the end: to a goal, or over all places of the errand. Gives whether that has come."""
        for _ in range(most_rounds):
            if not self.tick():
                return True
        self.message = f"Given up after {most_rounds} rounds."
        return False

    def plan(self, task: str, *, and_back: bool = True) -> str:
        """Make an errand of a task: the places that it names, in the order of a shortest round trip.

        Args:
            task: in words; `gridarium.ghost.task_words` says how it is read without a language model.
            and_back: whether the place where the agent is now comes last.

        Returns:
            what was not understood, or fits several places, line by line.
        """
        places, notes = self._places(task)
        env = self.env
        here = (env.agent_pos[0], env.agent_pos[1])
        lost = [place for place in places if env.ways.distance(here, place) < 0]
        notes += [f"no way leads to {place}" for place in lost]
        wanted = list(dict.fromkeys(place for place in places if place not in lost))
        order = TaskPlanner(env, use_llm=False).solve_tsp(here, wanted)
        targets = [Target(place, cell_words(env.grid[place], self.switches.language)) for place in order]
        if targets and and_back:
            targets.append(Target(here, "back"))
        self.errand = Errand(targets)
        self.message = f"{len(order)} places to visit." if order else "No place was understood."
        return "\n".join(notes)

    def train(
        self, episodes: int = LESSONS, progress: Callable[[int, int], None] | None = None
    ) -> list[float]:
        """Let a learning agent learn to reach the present goals, in a copy of the world; the shown one does not move.

        Args:
            episodes: how many.
            progress: called with episodes played, and all of them.

        Returns:
            the return of each episode.

        Raises:
            ValueError: the agent does not learn.
        """
        learner = self.agent
        if not isinstance(learner, QLearningAgent):
            raise ValueError(f"{type(learner).__name__} does not learn; switch agent to q-learning")
        self._lessons += 1
        seed = int(np.random.SeedSequence([self.switches.seed, self._lessons]).generate_state(1)[0])
        returns = teach(learner, self.interface, self.stage.ghost_class, episodes, seed, progress)
        learner.epsilon = 0.0
        last = returns[-50:]
        self.message = (
            f"Learned in {episodes} episodes; mean return of the last {len(last)}: {np.mean(last):.1f}."
        )
        return returns

    # what there is

    @property
    def can_go_on(self) -> bool:
        """Whether there is a round to be played: the errand, if there is one, or the episode is not over."""
        if self.errand:
            return self.errand.next is not None
        return not self.interface.is_terminated()

    @property
    def interface(self) -> AgentInterface:
        """The world, the filter and the ghost."""
        return self.stage.interface

    @property
    def env(self) -> Any:
        """The environment. Its cells and walls may be edited."""
        return self.stage.env

    @property
    def agent(self) -> Any:
        """Who plays."""
        return self.stage.agent

    @property
    def history(self) -> History:
        """How the filters did in this episode."""
        return self.stage.history

    @property
    def belief(self) -> npt.NDArray[np.float64]:
        """float64[rows, cols]: what the particles say."""
        return self.stage.filter.belief

    @property
    def exact_belief(self) -> npt.NDArray[np.float64]:
        """float64[rows, cols]: what a filter could know at best."""
        return self.stage.exact_belief

    @property
    def stats(self) -> dict[str, str]:
        """How things stand, in words."""
        return pictures.stats(self)

    def picture(self) -> npt.NDArray[np.uint8]:
        """The world: uint8[height, width, 3]."""
        return pictures.world(self)

    def belief_svg(self, *, exact: bool = False) -> str:
        """A map of what the particles believe, or with `exact` of what could be known at best, as an SVG document."""
        return pictures.belief(self, exact=exact)

    def curves_svg(self) -> str:
        """Entropy and error of both filters, round by round, as an SVG document."""
        return pictures.curves(self.history)

    def _ipython_display_(self) -> None:
        from gridarium.ghost.desk.view import DeskView

        DeskView(self).display()

    # inside

    def _checked(self, switches: Switches) -> Switches:
        if switches.sensors in ("vision", "both") and self.vision_sensor is None:
            raise ValueError(f"sensors cannot be {switches.sensors!r}: {self.vision_problem}")
        return switches

    def _build(self, switches: Switches) -> None:
        """A new world."""
        layout = load_layout(switches.layout)
        switches = _placed(switches, layout.rows, layout.cols)
        self.stage = Stage(switches, self.vision_sensor)
        self.switches, self.errand = switches, Errand()
        self.message = "A new episode."

    def _head_on(self) -> None:
        """Tick off what has been reached of the errand, and make the next place the goal."""
        interface = self.interface
        while (target := self.errand.next) is not None:
            truth = (self.env.agent_pos[0], self.env.agent_pos[1])
            if interface.last_info.get("caught_by_ghost") or interface.truncated:
                self.errand.give_up()
            elif truth == target.place:
                target.state = "reached"
            elif self.stage.believed == target.place:
                target.state, target.truth = "believed", truth
            else:
                self.stage.put_goal(target.place)
                if isinstance(self.agent, QLearningAgent) and not self.agent.q_table:
                    self.train()
                return

    def _places(self, task: str) -> tuple[list[Place], list[str]]:
        """The places that a task names, and what is to be said about that."""
        notes: list[str] = []
        if self._language_model is not None:
            asked = TaskPlanner(self.env, **self._language_model)
            places, answer = asked.identify_targets(task)
            if places:
                return places, [f"the language model says: {answer}"]
            notes = [f"the language model names no place ({answer}); read without it"]
        reading = read_task(task, self.env)
        return reading.places, notes + reading.notes


def _placed(switches: Switches, rows: int, cols: int) -> Switches:
    """The same, with its goal as (row, column).

    Raises:
        ValueError: the goal is outside the grid.
    """
    goal = switches.goal
    return switches if goal is None else switches.changed(goal=checked_place(goal, rows, cols, "goal"))
