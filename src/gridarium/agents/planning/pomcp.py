"""Monte Carlo planning for agents that see only a part: POMCP, with particles of whole states."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.agents.grid_values import probabilities_by_position
from gridarium.agents.model.other_agents import OtherAgents
from gridarium.agents.model.stepper import Stepper
from gridarium.agents.perspective import observation_key, observation_keys, own_observations
from gridarium.agents.planning.simulation_planner import SimulationPlanner
from gridarium.engine import World
from gridarium.engine.arguments import check_agent, check_count
from gridarium.engine.outcomes.state_rows import Rows, joined
from gridarium.engine.threads.outputs import Arrays
from gridarium.world import Action

TRIES = 16
"""The number of times that as many states as there are particles are drawn, until enough agree with the observation."""


class POMCP(SimulationPlanner):
    """Plans with particles, whole states that agree with what it has perceived (Silver and Veness 2010).

    The tree branches by actions and observations, so simulations know no more than the agent will. After each
    decision the particles are stepped through the world with random numbers of their own, and those that agree with what is
    perceived then are kept and multiplied. So it needs observations that can come twice: not continuous ones.

    As a policy it is given observations only. Should no particle agree, `lost` says so, and it starts again with
    states that the reset rule makes.

    Args:
        simulations, world, agent, discount, exploration, horizon, others, seed: see `SimulationPlanner`.
        particles: their number.

    Attributes:
        lost: whether nothing that it believed agreed with the last observation.
    """

    branching = "observations"

    def __init__(
        self,
        simulations: int = 500,
        world: World | None = None,
        agent: int = 0,
        *,
        particles: int = 500,
        **options: object,
    ) -> None:
        check_count("particles", particles)
        self.count, self.lost = particles, False
        self._rows: Rows | None = None
        self._last: int | None = None
        super().__init__(simulations, world, agent, **options)  # type: ignore[arg-type]

    def set_world(self, world: World, agent: int) -> None:
        """Prepare for a world and the agent that it plays."""
        if self._prepare(world, agent):
            self._stepper = Stepper(world, self.rng)
            self._models = OtherAgents(world, agent, self.others or "random")
            self.begin()  # what it believed was of another world or agent

    def begin(self) -> None:
        """Forget the last episode."""
        self._rows, self._last, self.lost = None, None, False

    def __call__(self, world: World, observation: Arrays, agent: int, rng: np.random.Generator) -> Action:
        """As a policy."""
        self.set_world(world, agent)
        self.rng = rng
        return self.get_action(observation)

    def get_action(self, observation: Arrays) -> Action:
        """Take in what is perceived after the last action, and choose the next one.

        Raises:
            RuntimeError: it has not been given a world.
            Exception: what a rule raises.
        """
        self.update(observation)
        world = self.search.world
        self._last = self._decide(self.particles)
        action: Action = world.actions[self._last]
        return action

    def get_value(self) -> float:
        """The mean return of the action last chosen; NaN before the first."""
        return self._value()

    @property
    def particles(self) -> Rows:
        """The particles: cells, layers, data and agent rows of states, each with a leading axis.

        Raises:
            RuntimeError: nothing has been perceived yet.
        """
        if self._rows is None:
            raise RuntimeError("nothing has been perceived yet")
        return self._rows

    def position_belief(self, agent: int | None = None) -> npt.NDArray[np.float64]:
        """float64[height, width]: how likely an agent (by default itself) is where.

        Raises:
            RuntimeError: nothing has been perceived yet.
            TypeError, IndexError: there is no such agent.
        """
        world = self.search.world
        whose = self.search.agent if agent is None else agent
        check_agent(whose, world.spec.agents)
        agent_rows = self.particles[3][:, whose]
        return probabilities_by_position(world, agent_rows, np.full(len(agent_rows), 1 / len(agent_rows)))

    def update(self, observation: Arrays) -> None:
        """Keep the particles that agree with an observation, after the last action if there was one."""
        wanted = observation_key(observation)
        before = self._rows if self._last is not None else None
        kept = self._consistent_particles(wanted, before)
        self.lost = kept is None
        if kept is None and before is not None:
            kept = self._consistent_particles(wanted, None)
        self._rows = self._initial_states()[0] if kept is None else _sample_rows(kept, self.count, self.rng)

    def _consistent_particles(self, wanted: bytes, before: Rows | None) -> Rows | None:
        """At least half as many as needed of the states that agree, if so many are found."""
        found: list[Rows] = []
        for _ in range(TRIES):
            rows, keys = self._initial_states() if before is None else self._propagate(before)
            agree = np.array([key == wanted for key in keys])
            if agree.any():
                found.append(tuple(a[agree] for a in rows))
            if 2 * sum(len(part[0]) for part in found) >= self.count:
                break
        return joined(found) if found else None

    def _propagate(self, before: Rows) -> tuple[Rows, list[bytes]]:
        """Particles after the last action, and the keys of their observations."""
        rows = _sample_rows(before, self.count, self.rng)
        own = np.full(self.count, self._last)
        self._stepper.rng = self.rng
        stepped = self._stepper.step(rows, self._models.actions(rows, own, self.rng))
        return stepped.rows, self._keys(stepped.observations, self.count)

    def _initial_states(self) -> tuple[Rows, list[bytes]]:
        """First states of episodes."""
        batch = self.search.world.batch(self.count, threads=1, observers="all")
        observations = batch.reset([int(seed) for seed in self.rng.integers(0, 1 << 62, self.count)])
        return batch.snapshot().arrays(), self._keys(observations, self.count)

    def _keys(self, observations: Arrays, count: int) -> list[bytes]:
        """The agent's observations, as bytes."""
        search = self.search
        return observation_keys(own_observations(observations, search.agent, search.world.spec.agents), count)


def _sample_rows(rows: Rows, count: int, rng: np.random.Generator) -> Rows:
    chosen = rng.integers(len(rows[0]), size=count)
    return tuple(a[chosen] for a in rows)
