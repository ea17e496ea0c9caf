"""`check_world`: whether a world's episodes begin validly, can be solved, and are equal however they are run."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridarium.compiled.source_pass.source import is_ours
from gridarium.engine import Autoreset, Batch, StepResult, World
from gridarium.engine.single_world import SingleWorld
from gridarium.env.arguments import WorldLike, open_world
from gridarium.rules.pursuit import move_past_agents
from gridarium.rules.transition_functions import move_agent
from gridarium.testing.problems import NotConforming, require
from gridarium.testing.solving import SolvabilityResult, check_solvable
from gridarium.world.actions import Action
from gridarium.world.geometry import Position
from gridarium.world.objects import Hidden, NoneGridObject
from gridarium.world.state import State
from gridarium.worlds.rule_reference import rules_of

MOST_ASKED, MOST_ASKED_OF_FILLED = 100, 5
"""The number of actions in each state about which legal rules are asked, at most; fewer where rules fill a whole mask for each."""
WORLDS, FEW_WORLDS = 64, 6
"""The batch size: enough worlds for two threads; few if they run interpreted."""


@dataclass(frozen=True)
class WorldReport:
    """The results of `check_world`.

    Attributes:
        name: the name of the world.
        solutions: the result of the search for each seed.
    """

    name: str
    solutions: tuple[SolvabilityResult, ...]

    def __str__(self) -> str:
        lengths = [s.length for s in self.solutions if s.length is not None]
        least, most = min(lengths, default=0), max(lengths, default=0)
        span = f"{least}" if least == most else f"{least} to {most}"
        ways = f"in {span} tick{'s' * (most != 1)} " if lengths else ""
        said = f"solved {ways}for {len(lengths) or 'none'} of {len(self.solutions)} seeds"
        reasons = "; ".join(dict.fromkeys(s.reason for s in self.solutions if s.reason))
        return f"{self.name}: {said}" + (f" ({reasons})" if reasons else "")


def check_world(
    world: WorldLike,
    *,
    seeds: int = 20,
    steps: int = 60,
    goal: Callable[[State], bool] | None = None,
    most_states: int = 50_000,
    compiled: bool = True,
) -> WorldReport:
    """Run all checks of a world.

    Args:
        world: the name of a catalogue world, the path of a file, a `Description`, a `Spec` or a `World`.
        seeds: the number of episodes.
        steps: the number of steps with random actions.
        goal: a predicate of the states that must be reachable; by default the end of the episode, with a reward if
            there is one.
        most_states: the maximum number of states of the search, for each seed.
        compiled: whether to compare the world with its compiled form; False checks it interpreted only.

    Returns:
        the results of the searches.

    Raises:
        NotConforming: a check failed; with seed, step and values.
        ValueError: there is no such world, or its description is invalid.
    """
    opened = open_world(world, compiled=compiled)
    check_resets(opened, seeds)
    check_spaces(opened, steps)
    check_masks(opened, steps)
    if compiled:
        check_compiled(opened, steps)
    check_batches(opened, steps)
    check_snapshots(opened, steps)
    return WorldReport(opened.name, check_solvable(opened, seeds, goal=goal, most_states=most_states))


def check_resets(world: World, seeds: int = 20) -> None:
    """Every episode begins with agents in free cells, and equal seeds give equal episodes."""
    for seed in range(seeds):
        state = world.reset(seed)
        where = f"{world.name}, seed {seed}:\n{state}"
        require(world.reset(seed).identical(state), f"the same seed gave different initial states: {where}")
        following = world.next_episode(state)
        require(
            world.next_episode(state).identical(following), f"the next episode differs from itself: {where}"
        )
        _check_beginning(world, state, where)
        _check_beginning(world, following, f"{world.name}, second episode of seed {seed}:\n{following}")


def _check_beginning(world: World, state: State, where: str) -> None:
    things = [thing for row in state.grid.objects for thing in row]
    require(
        not any(isinstance(t, Hidden | NoneGridObject) for t in things),
        f"a cell is empty of any object: {where}",
    )
    active = {i: agent for i, agent in enumerate(state.agents) if agent.active}
    require(active, f"no agent takes part: {where}")
    first_at: dict[Position, int] = {}
    for i, place in ((i, agent.position) for i, agent in active.items() if agent.has_body):
        require(state.grid.contains(place), f"agent {i} is outside the grid, at {place.yx}: {where}")
        thing = state.grid[place]
        if thing.blocks_movement:
            unplaced = "was not placed: it " if place == Position(0, 0) else ""
            blocking = f"the {type(thing).__name__} at {place.yx}"
            raise NotConforming(f"agent {i} {unplaced}stands in {blocking}: {where}")
        other = first_at.setdefault(place, i)
        require(
            i == other or _may_share_cells(world), f"agents {other} and {i} are both at {place.yx}: {where}"
        )


def _may_share_cells(world: World) -> bool:
    """Whether several agents may be in one cell: they move by a rule of their own, or by one that lets them pass."""
    moving = {rule.func for kind, rule in rules_of(world.spec) if kind == "transition"}
    return move_agent not in moving and (move_past_agents in moving or not all(map(is_ours, moving)))


def check_spaces(world: World, steps: int = 60) -> None:
    """Observations lie within their spaces; with one agent, Gymnasium's own checker passes."""
    rng = np.random.default_rng(0)
    batch = world.batch(4)
    arrays = batch.reset(0)
    for step in range(steps + 1):
        for output in world.composed.outputs:
            array, where = arrays[output.name], f"{world.name}, {output.name} at step {step}"
            observed = world.composed.observed_agents
            shape = (4, *output.shape) if observed == 1 else (4, observed, *output.shape)
            require(array.shape == shape, f"{where} has shape {array.shape}, not {shape}")
            require(array.dtype == output.dtype, f"{where} is {array.dtype}, not {output.dtype}")
            inside = (array >= output.low).all() and (array <= output.high).all()
            if not inside:
                raise NotConforming(
                    f"{where} is outside of its bounds {output.low} to {output.high}: {array}"
                )
        done = batch.step(batch.sample_actions(rng))
        arrays = done.observations
        if not np.isfinite(done.rewards).all():
            raise NotConforming(f"{world.name}, step {step}: rewards {done.rewards}")
    if world.spec.agents == 1:
        _check_with_gymnasium(world)


def check_masks(world: World, steps: int = 60) -> None:
    """Masks of legal actions equal asking the legal rules about one action after another, which changes nothing."""
    legal = world.composed.program.legal
    if legal is None:
        return
    rng, batch = np.random.default_rng(0), world.batch(1)
    batch.reset(0)
    for step in range(steps):
        if not batch.ended[0]:
            _check_mask(world, legal, batch, f"{world.name}, step {step}", rng)
        batch.step(batch.sample_actions(rng))


def _check_mask(
    world: World, legal: Callable[..., bool], batch: Batch, where: str, rng: np.random.Generator
) -> None:
    composed, state = world.composed, batch.state(0)
    before, shared = state.tobytes(), composed.masked_agents < composed.agents
    agents = [int(batch.turns[0])] if shared else range(composed.agents)
    masks = np.asarray(batch.masks).reshape(len(agents), -1)
    few = min(len(world.actions), MOST_ASKED_OF_FILLED if world.spec.filled_actions else MOST_ASKED)
    for mask, agent in zip(masks, agents, strict=True):
        view = state.seen_by(agent)
        for i in rng.choice(len(world.actions), few, replace=False).tolist():
            asked = (
                batch.acting[0, agent]
                and composed.action_table[agent, i] >= 0
                and (
                    world.actions[i] == Action.WAIT
                    if view.agent.busy
                    else legal(view, world.actions[i], composed.params)
                )
            )
            changed = state.tobytes() != before
            if changed or bool(asked) != mask[i]:
                by_rules, by_mask = ("" if yes else "not " for yes in (asked, mask[i]))
                problem = f" is {by_rules}legal by the rules, and {by_mask}by the mask"
                said = ": a legal rule changed the state" if changed else problem
                action = world.actions[i].name
                raise NotConforming(f"{where}: {action} of agent {agent}{said}\n{state}")


def _check_with_gymnasium(world: World) -> None:
    from gymnasium.utils.env_checker import check_env

    from gridarium.env import GridariumEnv

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            check_env(GridariumEnv(world), skip_render_check=True)
        except (AssertionError, UserWarning) as error:
            raise NotConforming(f"{world.name}: Gymnasium's check_env says: {error}") from error


def check_compiled(world: World, steps: int = 60) -> None:
    """Interpreted and compiled episodes are identical bit for bit."""
    require(
        world.composed.compiled,
        f"{world.name} does not compile (see the warning for the rule and the reason)",
    )
    plain = World(world.spec, compiled=False)
    batches = [w.batch(3, threads=1) for w in (world, plain)]
    _run_alike(world, batches, ("compiled", "interpreted"), steps)


def check_batches(world: World, steps: int = 60) -> None:
    """Episodes are identical bit for bit in a single world, in a batch and on two threads, in each autoreset mode."""
    for autoreset in Autoreset:
        if autoreset is not Autoreset.DISABLED:
            size = _batch_size(world)
            batches = [world.batch(size, autoreset=autoreset, threads=threads) for threads in (1, 2)]
            _run_alike(world, batches, ("1 thread", "2 threads"), steps)
    _check_single_worlds(world, steps)


def _check_single_worlds(world: World, steps: int) -> None:
    rng = np.random.default_rng(1)
    count, several = _batch_size(world), world.spec.agents > 1
    batch = world.batch(count, threads=1, observers="all")
    shown = range(0, count, max(1, count // 4))
    alone = {i: SingleWorld(world.composed) for i in shown}
    arrays = batch.reset(100)
    singles = {i: single.reset(100 + i) for i, single in alone.items()}
    over = dict.fromkeys(shown, False)
    for step in range(steps):
        actions = batch.sample_actions(rng)
        done = batch.step(actions)
        arrays = done.observations
        for i, single in alone.items():
            where = f"{world.name}, world {i}, step {step}"
            if over[i]:
                singles[i], over[i] = single.reset(), False
                expected: tuple[Any, ...] = (np.zeros(world.spec.agents), False, False)
            else:
                singles[i], rewards, ended, cut_off = single.step_all(actions[i] if several else [actions[i]])
                expected = (rewards, ended, cut_off)
                over[i] = bool((ended | cut_off).all())
            for name, array in singles[i].items():
                require(
                    np.array_equal(array, arrays[name][i]), f"{where}: {name} differs alone and in a batch"
                )
            got = (done.rewards[i], done.terminated[i], done.truncated[i])
            for name, mine, its in zip(("reward", "terminated", "truncated"), expected, got, strict=True):
                if not np.all(np.equal(mine, its)):
                    raise NotConforming(f"{where}: {name} is {mine} alone and {its} in a batch")
            require(
                single.state.identical(batch.state(i)), f"{where}: the states differ alone and in a batch"
            )


def check_snapshots(world: World, steps: int = 60) -> None:
    """A snapshot restored in the same batch, in another one or after pickling has the same future."""
    rng = np.random.default_rng(2)
    count = _batch_size(world)
    batch, other = (world.batch(count, threads=1) for _ in range(2))
    batch.reset(7)
    for _ in range(steps // 2):
        batch.step(batch.sample_actions(rng))
    kept = batch.snapshot()
    other.restore(kept)
    pickled = pickle.loads(pickle.dumps(batch))
    actions, first = [], []
    for _ in range(steps - steps // 2):
        actions.append(batch.sample_actions(rng))
        first.append(batch.step(actions[-1]))
    batch.restore(kept)
    for name, copied in (("restored", batch), ("another batch", other), ("pickled", pickled)):
        for step, (chosen, expected) in enumerate(zip(actions, first, strict=True)):
            _require_alike(
                expected, copied.step(chosen), f"{world.name}, {name}, step {step} after the snapshot"
            )


def _batch_size(world: World) -> int:
    return WORLDS if world.composed.compiled else FEW_WORLDS


def _run_alike(world: World, batches: list[Batch], names: tuple[str, str], steps: int) -> None:
    rng = np.random.default_rng(0)
    first, second = batches
    arrays = [batch.reset(11) for batch in batches]
    between = " and ".join(names)
    for name, array in arrays[0].items():
        require(
            np.array_equal(array, arrays[1][name]),
            f"{world.name}: {name} at the beginning differs: {between}",
        )
    for step in range(steps):
        actions = first.sample_actions(rng)
        where = f"{world.name}, {between}, step {step}"
        _require_alike(first.step(actions), second.step(actions), where)
        for mine, its in zip(_arrays(first), _arrays(second), strict=True):
            require(mine.tobytes() == its.tobytes(), f"{where}: the states differ")
    for batch in batches:
        batch.close()


def _arrays(batch: Batch) -> tuple[Any, ...]:
    kept = batch.snapshot()
    return kept.cells, kept.layers, kept.data, kept.agent_rows


def _require_alike(first: StepResult, second: StepResult, where: str) -> None:
    for name in ("rewards", "terminated", "truncated", "ticks", "results"):
        mine, its = getattr(first, name), getattr(second, name)
        if not np.array_equal(mine, its):
            raise NotConforming(f"{where}: {name} differ: {mine} and {its}")
    for name, array in first.observations.items():
        require(np.array_equal(array, second.observations[name]), f"{where}: {name} differs")
    ends, others = first.outcomes, second.outcomes
    if ends is not None and others is not None and not np.array_equal(ends, others, equal_nan=True):
        raise NotConforming(f"{where}: outcomes differ: {ends} and {others}")
    if first.masks is not None and second.masks is not None:
        require(np.array_equal(first.masks, second.masks), f"{where}: the legal actions differ")
    if first.final_observations is not None and second.final_observations is not None:
        over = first.ended
        for name, array in first.final_observations.items():
            alike = np.array_equal(array[over], second.final_observations[name][over])
            require(alike, f"{where}: the final {name} differs")
