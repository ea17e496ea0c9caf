"""The dashboard: an episode of the ghost world in which everything can be changed while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.ghost.agents import QLearningAgent
from gridarium.ghost.dashboard import pictures
from gridarium.ghost.dashboard.history import History
from gridarium.ghost.dashboard.settings import DashboardSettings
from gridarium.ghost.dashboard.simulation import Simulation, train_in_copy
from gridarium.ghost.dashboard.waypoints import Waypoint, Waypoints
from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.interface import AgentInterface, Vision, check_vision_sensor
from gridarium.ghost.planner import TaskPlanner
from gridarium.ghost.planning.tasks import cell_words, read_task
from gridarium.ghost.sensors import VisionSensor
from gridarium.ghost.world import checks
from gridarium.ghost.world.layout import load_layout
from gridarium.ghost.world.paths import Place

MAX_ROUNDS = 500
"""The number of rounds after which `execute` gives up."""
TRAINING_EPISODES = 300
"""The number of episodes in which a learning agent learns to reach a goal."""


class Dashboard:
    """An episode of the ghost world for demonstrations: settings, buttons as methods, and pictures.

    In a notebook it shows itself, with widgets (needs `gridarium[notebook]`).

    Args:
        vision_sensor: as for `AgentInterface`; by default the built-in one, if it can be loaded.
        language_model: arguments for `TaskPlanner`, such as `{"address": "http://localhost:11434/v1", "llm": "..."}`;
            None to read tasks without a language model.
        settings: see `DashboardSettings`.

    Attributes:
        settings: the present settings; `set` changes them.
        waypoints: the cells of the plan.
        message: the last event, in words.
        simulation: the world, the filters, the agent and the ghost.
        vision_sensor: the vision sensor, or None.
        vision_problem: why there is no vision sensor; "" if there is one.

    Raises:
        ValueError: an unknown setting, or a value that is not allowed.
        TypeError: a vision sensor without `predict`.

    Example:
        >>> dashboard = Dashboard(agent="minimax", slip=0.1)
        >>> dashboard.set(sensors="none")
        >>> dashboard.execute()
        >>> dashboard.stats
    """

    settings: DashboardSettings

    def __init__(
        self,
        *,
        vision_sensor: Vision | None = None,
        language_model: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        self.vision_sensor, self.vision_problem = check_vision_sensor(vision_sensor), ""
        if vision_sensor is None:
            self.vision_sensor, self.vision_problem = load_vision_sensor()
        self._language_model = language_model
        self._trainings = 0
        self._build(self._checked(DashboardSettings().changed(**settings)))

    def set(self, **changes: Any) -> None:
        """Change settings. A layout or a seed begins a new episode; all else applies from the next round on.

        Raises:
            ValueError: an unknown setting, or a value that is not allowed; nothing has changed then.
        """
        old, new = self.settings, self._checked(self.settings.changed(**changes))
        if "layout" not in changes:
            new = _with_checked_goal(new, self.env.rows, self.env.cols)
        changed = {name for name in changes if getattr(new, name) != getattr(old, name)}
        if "layout" in changed:
            self._build(new)
        elif changed:
            self.settings = new
            self.simulation.change(new, changed)
            if "seed" in changed:
                self.reset()

    # buttons

    def reset(self) -> None:
        """Begin the episode of the seed (again), without a plan."""
        self.waypoints = Waypoints()
        self.simulation.reset()
        self.message = "A new episode."

    def step(self, action: int | None = None) -> None:
        """A round, with the agent's own action or the given one.

        Raises:
            RuntimeError: the episode is over.
            ValueError: the number of no action.
        """
        self._update_waypoints()
        if self.interface.is_terminated():
            raise RuntimeError("The episode is over: reset begins another.")
        self.simulation.step(action)
        self.message = pictures.last_event(self.simulation)
        self._update_waypoints()

    def tick(self) -> bool:
        """A round, if the plan or the episode is not finished; returns whether another one is possible."""
        if self.can_go_on:
            self.step()
        return self.can_go_on

    def execute(self, most_rounds: int = MAX_ROUNDS) -> bool:
        """Play to a goal, or through all waypoints; returns whether that was finished."""
        for _ in range(most_rounds):
            if not self.tick():
                return True
        self.message = f"Given up after {most_rounds} rounds."
        return False

    def plan(self, task: str, *, and_back: bool = True) -> str:
        """Make waypoints of a task: the cells that it names, in the order of a shortest round trip.

        Args:
            task: in words; `gridarium.ghost.planning.tasks` describes how it is read without a language model.
            and_back: whether the agent's present position is the last waypoint.

        Returns:
            what was not understood, or fits several cells, line by line.
        """
        places, notes = self._read_task(task)
        env, paths = self.env, self.env.paths
        here = (env.agent_pos[0], env.agent_pos[1])
        unreachable = [place for place in places if paths.distance(here, place) < 0]
        notes += [f"no way leads to {place}" for place in unreachable]
        wanted = list(dict.fromkeys(place for place in places if place not in unreachable))
        order = TaskPlanner(env, use_llm=False).solve_tsp(here, wanted)
        targets = [Waypoint(place, cell_words(env.grid[place], self.settings.language)) for place in order]
        if targets and and_back:
            targets.append(Waypoint(here, "back"))
        self.waypoints = Waypoints(targets)
        self.message = f"{len(order)} places to visit." if order else "No place was understood."
        return "\n".join(notes)

    def train(
        self, episodes: int = TRAINING_EPISODES, progress: Callable[[int, int], None] | None = None
    ) -> list[float]:
        """Train a learning agent to reach the present goals, in a copy of the world; the shown one does not change.

        Args:
            episodes: the number of episodes.
            progress: called with the number of episodes played, and of all.

        Returns:
            the return of each episode.

        Raises:
            ValueError: the agent does not learn.
        """
        learner = self.agent
        if not isinstance(learner, QLearningAgent):
            raise ValueError(f"{type(learner).__name__} does not learn; set agent to q-learning")
        self._trainings += 1
        seed = int(np.random.SeedSequence([self.settings.seed, self._trainings]).generate_state(1)[0])
        ghost = self.simulation.ghost_class
        returns = train_in_copy(learner, self.interface, ghost, episodes, seed, progress)
        learner.epsilon = 0.0
        last = returns[-50:]
        self.message = (
            f"Learned in {episodes} episodes; mean return of the last {len(last)}: {np.mean(last):.1f}."
        )
        return returns

    # state and pictures

    @property
    def can_go_on(self) -> bool:
        """Whether another round is possible: there is an open waypoint or, without a plan, the episode is not over."""
        if self.waypoints:
            return self.waypoints.next is not None
        return not self.interface.is_terminated()

    @property
    def interface(self) -> AgentInterface:
        """The world, the filter and the ghost."""
        return self.simulation.interface

    @property
    def env(self) -> CustomGridEnv:
        """The environment. Its cells and walls may be edited."""
        return self.simulation.env

    @property
    def agent(self) -> Any:
        """The agent that plays."""
        return self.simulation.agent

    @property
    def history(self) -> History:
        """The performance of the filters in this episode."""
        return self.simulation.history

    @property
    def belief(self) -> npt.NDArray[np.float64]:
        """float64[rows, cols]: the belief of the particle filter."""
        return self.simulation.filter.belief

    @property
    def exact_belief(self) -> npt.NDArray[np.float64]:
        """float64[rows, cols]: the belief of the exact filter."""
        return self.simulation.exact_belief

    @property
    def stats(self) -> dict[str, str]:
        """The state of the episode in words."""
        return pictures.stats(self.simulation)

    def picture(self) -> npt.NDArray[np.uint8]:
        """The world: uint8[height, width, 3]."""
        return pictures.world(self.simulation)

    def belief_svg(self, *, exact: bool = False) -> str:
        """A map of the belief of the particle filter, or of the exact one, as an SVG document."""
        return pictures.belief(self.simulation, exact=exact)

    def curves_svg(self) -> str:
        """Entropy and accuracy of both filters, round by round, as an SVG document."""
        return pictures.curves(self.history)

    def _ipython_display_(self) -> None:
        from gridarium.ghost.dashboard.view import DashboardView

        DashboardView(self).display()

    # inside

    def _checked(self, settings: DashboardSettings) -> DashboardSettings:
        if settings.sensors in ("vision", "both") and self.vision_sensor is None:
            raise ValueError(f"sensors cannot be {settings.sensors!r}: {self.vision_problem}")
        return settings

    def _build(self, settings: DashboardSettings) -> None:
        """A new world."""
        layout = load_layout(settings.layout)
        settings = _with_checked_goal(settings, layout.rows, layout.cols)
        self.simulation = Simulation(settings, self.vision_sensor)
        self.settings, self.waypoints = settings, Waypoints()
        self.message = "A new episode."

    def _update_waypoints(self) -> None:
        """Mark the waypoints that have been reached, and make the next one the goal."""
        interface = self.interface
        while (target := self.waypoints.next) is not None:
            truth = (self.env.agent_pos[0], self.env.agent_pos[1])
            if interface.last_info.get("caught_by_ghost") or interface.truncated:
                self.waypoints.give_up()
            elif truth == target.place:
                target.state = "reached"
            elif self.simulation.believed == target.place:
                target.state, target.truth = "believed", truth
            else:
                self.simulation.set_goal(target.place)
                if isinstance(self.agent, QLearningAgent) and not self.agent.q_table:
                    self.train()
                return

    def _read_task(self, task: str) -> tuple[list[Place], list[str]]:
        """The cells that a task names, and notes about it."""
        notes: list[str] = []
        if self._language_model is not None:
            planner = TaskPlanner(self.env, **self._language_model)
            places, answer = planner.identify_targets(task)
            if places:
                return places, [f"the language model says: {answer}"]
            notes = [f"the language model names no place ({answer}); read without it"]
        reading = read_task(task, self.env)
        return reading.places, notes + reading.notes


def load_vision_sensor() -> tuple[VisionSensor | None, str]:
    """The built-in vision sensor and ""; or None, and why it cannot be loaded."""
    try:
        return VisionSensor(), ""
    except (ImportError, OSError, ValueError) as error:
        return None, str(error)


def _with_checked_goal(settings: DashboardSettings, rows: int, cols: int) -> DashboardSettings:
    """The same settings with the goal as a tuple.

    Raises:
        ValueError: the goal is outside the grid.
    """
    goal = settings.goal
    return settings if goal is None else settings.changed(goal=checks.position("goal", goal, rows, cols))
