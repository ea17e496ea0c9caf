"""Tree search in many states at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gridarium.agents.behaviour import Others
from gridarium.agents.model.other_agents import OtherAgents
from gridarium.agents.perspective import idle_action
from gridarium.agents.planning.tree_search.arguments import (
    AGENT,
    COUNT,
    EXPAND,
    FORCED,
    HIGH,
    KEY,
    LOW,
    PHASE,
    TICK,
    WAIT_FOR_OTHERS,
    WAIT_FOR_VALUE,
    Branching,
    Method,
    OthersModel,
    SearchArg,
)
from gridarium.agents.planning.tree_search.gumbel import GumbelRoots
from gridarium.agents.planning.tree_search.leaves import Evaluate, Leaves, checked_evaluation
from gridarium.agents.planning.tree_search.memory import TreeMemory
from gridarium.agents.planning.tree_search.program import search_program
from gridarium.agents.planning.tree_search.result import SearchResult, most_visited
from gridarium.compiled.data_types.random import world_key
from gridarium.engine import World
from gridarium.engine.arguments import (
    check_agent,
    check_count,
    check_function,
    check_number,
    check_shares,
    generator,
)
from gridarium.engine.batch_arguments import free
from gridarium.engine.kernel_args import Mode
from gridarium.engine.outcomes.state_rows import Rows, joined, rows_of, state_at
from gridarium.engine.threads.memory import Snapshot
from gridarium.engine.threads.runner import Runner
from gridarium.engine.world import check_state, check_world
from gridarium.world import Action, State

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
SLICE = 20_000
"""The number of simulations between two chances for Ctrl-C."""
MOST_CHILDREN = 256
"""The number of legal actions for which the memory of a tree with priors is sufficient by default."""
UCT_EXPLORATION = 0.6
"""At connect four stronger than 1 with the same time for each move (`benchmarks/games/against_open_spiel.py`)."""
EXPLORATION = {Method.UCT: UCT_EXPLORATION, Method.PUCT: 1.25, Method.GUMBEL: 1.0}
SELECTIONS = {"puct": Method.PUCT, "gumbel": Method.GUMBEL}
BRANCHINGS = {
    "actions": Branching.ACTIONS,
    "states": Branching.STATES,
    "observations": Branching.OBSERVATIONS,
}
MODELS = {"random": OthersModel.RANDOM, "idle": OthersModel.IDLE}


class TreeSearch:
    """Monte Carlo tree search over the compiled step, in one state or in many side by side.

    Simulations begin in a state, each with random numbers of its own, and follow the tree to a leaf. Without `evaluate`
    the leaf's value is the mean return of `rollouts` in which everybody takes random legal actions, and the tree is
    searched by UCT (Kocsis and Szepesvari 2006). With `evaluate` it is what that function says, of all trees' leaves in
    one call, together with prior probabilities of actions: PUCT as in AlphaZero (Silver et al. 2017), or with
    `selection="gumbel"` sequential halving with Gumbel noise at the root, and below it visits in proportion to the
    improved policy (Danihelka et al. 2022).

    Agents that act in turns each maximize their own return (max^n; Luckhart and Irani 1986), also where rules choose whose
    turn it is, as long as one acts at a time. Where agents act at the same time, only one of them can be searched for:
    `others` is a model of the rest. In worlds with an outcome rule the return of a simulation is the outcome of its
    episode, discounted, instead of the sum of rewards; 0 if the episode does not end within the horizon. The state is known to all who
    search, future random numbers are not: by default a node stands for a sequence of actions, whatever they led to (open loop).

    Args:
        world: the world.
        simulations: for each state.
        exploration: the weight of what was tried less often, in units of the range of returns so far; by default 0.6
            for UCT, 1.25 for PUCT. With "gumbel", `c_scale`: the weight of values against priors, by default 1.
        rollouts: the number of random rollouts of each leaf.
        evaluate: priors and values of leaves, see `Evaluate`.
        selection: how actions are selected with `evaluate`: "puct" or "gumbel".
        considered: with "gumbel", the number of actions that are tried at the root.
        noise: (alpha, share): the share of Dirichlet noise in the priors at the root, with "puct".
        discount: of rewards, for each tick.
        horizon: the maximum number of ticks of a simulation; what comes later counts 0.
        others: None if every agent decides for itself when it is its turn. Otherwise a model of all agents but one:
            "random", "idle", or a function, see `Others`.
        agent: the one that decides, if there is a model of the others.
        branching: what distinguishes nodes besides actions: "actions" (nothing else), "states" that they led to, or
            "observations" of the agent that decides.
        capacity: the maximum number of nodes of a tree, 64 bytes each. A full tree grows no further, but is still
            searched. By default there is room for all simulations; with `evaluate`, for 256 legal actions of each leaf.
        threads: the number of threads, by default one for each processor; a tree is searched by one thread.
        seed: of the random numbers. Results do not depend on threads; nor on other states searched at the same time,
            unless `others` is a function.

    Raises:
        TypeError, ValueError: an argument of the wrong type or out of its range, agents that act at the same time without
            a model of the others, or "observations" without such a model where there are several agents.
        IndexError: there is no such agent.

    Example:
        >>> search = TreeSearch(world, 1000, seed=0)
        >>> search.get_action(world.reset(seed=0))
        >>> result = search.search(batch.snapshot())
        >>> result.actions, result.visits, result.values
    """

    def __init__(
        self,
        world: World,
        simulations: int = 1000,
        *,
        exploration: float | None = None,
        rollouts: int = 1,
        evaluate: Evaluate | None = None,
        selection: Literal["puct", "gumbel"] = "puct",
        considered: int = 16,
        noise: tuple[float, float] | None = None,
        discount: float = 1.0,
        horizon: int = 1000,
        others: Others | None = None,
        agent: int = 0,
        branching: Literal["actions", "states", "observations"] = "actions",
        capacity: int | None = None,
        threads: int | None = None,
        seed: int | np.random.Generator | None = 0,
    ) -> None:
        check_world(world)
        check_agent(agent, world.spec.agents)
        counts = {
            "simulations": simulations,
            "rollouts": rollouts,
            "considered": considered,
            "horizon": horizon,
        }
        for name, count in counts.items():
            check_count(name, count)
        check_shares(discount=discount)
        check_count("threads", 1 if threads is None else threads)
        _check_choices(world, selection, branching, evaluate, others)
        self.world, self.simulations, self.evaluate, self.agent = world, int(simulations), evaluate, agent
        self.rng = generator(seed)
        method = SELECTIONS[selection] if evaluate else Method.UCT
        self._method, self._considered, self._noise = method, considered, _checked_noise(noise)
        self.exploration = EXPLORATION[method] if exploration is None else exploration
        check_number("exploration", self.exploration)
        self._everyone = others is None
        self._others = None if others is None or others in MODELS else OtherAgents(world, agent, others)
        model = OthersModel.FUNCTION if self._others else MODELS[others or "random"]  # type: ignore[index]
        self._settings: dict[SearchArg, int] = {
            SearchArg.METHOD: method,
            SearchArg.BRANCHING: BRANCHINGS[branching],
            SearchArg.AGENT: -1 if self._everyone else agent,
            SearchArg.OTHERS: model,
            SearchArg.ROLLOUTS: rollouts,
            SearchArg.HORIZON: horizon,
            SearchArg.DISCOUNT: _bits(discount),
            SearchArg.EXPLORATION: _bits(self.exploration),
        }
        if world.spec.agents == 1:
            self._settings[SearchArg.AGENT] = 0
        actions = len(world.actions)
        self.capacity = _default_capacity(self.simulations, actions, method) if capacity is None else capacity
        check_count("capacity", self.capacity, 2)
        self._path = min(self.simulations, horizon) + 4
        self._threads = threads
        self._program = search_program(world.composed, observing=branching == "observations")
        self._memory: TreeMemory | None = None
        self._used = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        made_anew = ("_memory", "_runner", "_used")
        return {name: part for name, part in vars(self).items() if name not in made_anew}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._memory, self._used = None, threading.Lock()

    def search(
        self,
        states: State | Sequence[State] | Snapshot,
        *,
        seeds: Sequence[int] | None = None,
        seconds: float | None = None,
    ) -> SearchResult:
        """Search in n states.

        Args:
            states: a state, several, or those of a batch.
            seeds: of the random numbers of each tree; drawn from the generator of `seed` by default.
            seconds: the time after which the search ends, even if there were fewer than `simulations`; not with "gumbel",
                which plans with their number. Results then depend on the speed of the machine.

        Raises:
            TypeError, ValueError: not states of this world, another number of seeds, a time that is not positive or not
                possible, what `evaluate` returns is of the wrong form, or rules let several agents act at the same time
                without a model of the others.
            Exception: raised by a rule, or by `evaluate`.
            StaleProgramError: a global that compiled rules read has changed since they were compiled.
        """
        rows = self._rows_of(states)
        count = len(rows[0])
        given = self.rng.integers(0, 1 << 62, count).tolist() if seeds is None else list(seeds)
        if len(given) != count:
            raise ValueError(f"one seed for each of {count} states is needed; got {len(given)}")
        return self.search_rows(rows, 1, np.array([world_key(seed) for seed in given]), seconds=seconds)

    @property
    def ready(self) -> bool:
        """Whether the search runs compiled; not yet while another process compiles it, see `compiled.background`."""
        return self._program.prepare() is not None

    def get_action(self, state: State) -> Action:
        """The best action of the agent whose turn it is.

        Raises:
            ValueError: nobody can act.
        """
        index = int(self.search(state).actions[0])
        if index < 0:
            raise ValueError(f"nobody can act in this state:\n{state}")
        action: Action = self.world.actions[index]
        return action

    def __call__(self, state: State, agent: int) -> Action:
        """As a policy, of any agent."""
        searched = agent if self._everyone else self.agent
        in_turn = self.world.spec.turn_order not in ("cycle", "chosen") or agent in self.world.acting(state)
        if agent == searched and in_turn:
            index = int(self.search(state).actions[0])
            if index >= 0:
                return self.world.actions[index]  # type: ignore[no-any-return]
        return self.world.actions[idle_action(self.world, agent)]  # type: ignore[no-any-return]

    def search_rows(
        self, rows: Rows, roots: int, keys: npt.NDArray[np.int64], *, seconds: float | None = None
    ) -> SearchResult:
        """Search n trees, each with `roots` states of which every simulation begins in one drawn at random.

        Args:
            rows: the states, those of each tree together.
            roots: their number for each tree.
            keys: int64[n]: of the random numbers of each tree.
            seconds: see `search`.
        """
        if seconds is not None:
            check_number("seconds", seconds)
            if not seconds > 0 or self._method == Method.GUMBEL:
                raise ValueError(
                    f'seconds has to be positive, and not given with selection="gumbel"; got {seconds}'
                )
        with free(self._used, "tree search", "used"):
            return self._searched(rows, roots, keys, seconds)

    def _searched(
        self, rows: Rows, roots: int, keys: npt.NDArray[np.int64], seconds: float | None
    ) -> SearchResult:
        self._program.check()
        memory = self._memory_for(len(keys), roots)
        memory.reset(rows, keys)
        gumbel: list[GumbelRoots] = []
        if self._method == Method.GUMBEL:
            for simulation in range(self.simulations):
                if gumbel:
                    visits, values = self._read(memory)
                    memory.words[:, FORCED] = gumbel[0].forced(simulation, visits, values, _spread(memory))
                self._search_to(memory, simulation + 1, gumbel)
        elif seconds is not None:
            self._search_for(memory, seconds)
        else:
            step = max(1, SLICE // len(keys)) if self._method == Method.UCT else self.simulations
            for target in range(step, self.simulations + step, step):
                self._search_to(memory, min(target, self.simulations), gumbel)
        return self._result(memory, gumbel)

    def _search_for(self, memory: TreeMemory, seconds: float) -> None:
        """Simulate until the time has passed, in steps of about a tenth of what is left."""
        started, target = time.perf_counter(), 1
        while True:
            target = min(target, self.simulations)
            self._search_to(memory, target, [])
            passed = time.perf_counter() - started
            if target == self.simulations or passed >= seconds:
                return
            further = int(target / passed * (seconds - passed) / 10)
            target += max(1, min(further, target, SLICE // memory.n))

    def _result(self, memory: TreeMemory, gumbel: list[GumbelRoots]) -> SearchResult:
        visits, values = self._read(memory)
        if gumbel:
            spread = _spread(memory)
            best = gumbel[0].best(visits, values, spread)
            policy = gumbel[0].policy(visits, values, spread)
        else:
            best = most_visited(visits, values)
            policy = visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)
        policy[best < 0] = 0.0
        return SearchResult(memory.root_agents, best, visits, values, policy, memory.words[:, COUNT].copy())

    def _read(self, memory: TreeMemory) -> tuple[Integers, Floats]:
        """Visits and mean returns of the roots' actions."""
        self._runner.run(Mode.OBSERVE)
        visits = memory.visits.copy()
        with np.errstate(invalid="ignore"):
            return visits, memory.totals / visits

    def _search_to(self, memory: TreeMemory, target: int, gumbel: list[GumbelRoots]) -> None:
        """Simulate until all trees have made `target` simulations, with what they wait for."""
        while True:
            memory.frame[SearchArg.TARGET] = target
            self._runner.run(Mode.STEP)
            phases = memory.phases
            leaves, others = (
                np.flatnonzero(phases == WAIT_FOR_VALUE),
                np.flatnonzero(phases == WAIT_FOR_OTHERS),
            )
            if len(leaves):
                self._evaluate(memory, leaves, gumbel)
            if len(others):
                self._act_for_others(memory, others)
            if not len(leaves) and not len(others):
                return

    def _evaluate(self, memory: TreeMemory, trees: npt.NDArray[np.int64], gumbel: list[GumbelRoots]) -> None:
        """Fill in priors and values of the trees' leaves."""
        assert self.evaluate is not None
        agents, several = memory.words[trees, AGENT], self.world.spec.agents > 1
        seen = memory.simulated.observe()
        states = memory.simulated.memory.arrays()
        leaves = Leaves(
            trees,
            agents,
            {name: a[trees, agents] if several else a[trees] for name, a in seen.items()},
            memory.legal[trees],
            lambda i: state_at(self.world, states, int(trees[i]), int(agents[i])),
        )
        found = self.evaluate(leaves)
        mover_only = not self._everyone
        count = self.world.spec.agents
        priors, values = checked_evaluation(
            found, leaves, len(self.world.actions), count, mover_only=mover_only
        )
        at_root = memory.words[trees, COUNT] == 1
        if self._method == Method.GUMBEL and not gumbel:
            gumbel.append(self._gumbel_roots(memory, leaves, priors, values))
        elif self._noise is not None and at_root.any():
            priors[at_root] = self._with_noise(memory, trees[at_root], priors[at_root], leaves.legal[at_root])
        memory.priors[trees], memory.values[trees] = priors, values
        memory.words[trees, PHASE] = EXPAND

    def _gumbel_roots(
        self, memory: TreeMemory, leaves: Leaves, priors: Floats, values: Floats
    ) -> GumbelRoots:
        """Choose the actions that are tried at the roots, all of which wait."""
        trees, count = leaves.trees, memory.n
        all_priors, noise = np.zeros((2, count, priors.shape[1]))
        legal, root_values = np.zeros(noise.shape, np.bool_), np.zeros(count)
        all_priors[trees], legal[trees] = priors, leaves.legal
        noise[trees] = [rng.gumbel(size=priors.shape[1]) for rng in _generators(memory, trees)]
        root_values[trees] = values[np.arange(len(trees)), leaves.agents]
        roots = GumbelRoots(
            all_priors,
            legal,
            root_values,
            considered=self._considered,
            simulations=self.simulations,
            scale=self.exploration,
            noise=noise,
        )
        none = np.zeros_like(memory.visits)
        memory.words[:, FORCED] = roots.forced(0, none, np.zeros(none.shape), np.zeros(count))
        return roots

    def _with_noise(
        self, memory: TreeMemory, trees: Integers, priors: Floats, legal: npt.NDArray[np.bool_]
    ) -> Floats:
        """Priors mixed with Dirichlet noise over the legal actions."""
        assert self._noise is not None
        alpha, share = self._noise
        priors = np.where(legal, priors, 0.0)
        priors /= np.maximum(priors.sum(axis=1, keepdims=True), 1e-300)
        drawn = np.array([rng.gamma(alpha, size=priors.shape[1]) for rng in _generators(memory, trees)])
        noise = np.where(legal, drawn, 0.0)
        noise /= np.maximum(noise.sum(axis=1, keepdims=True), 1e-300)
        mixed: Floats = (1 - share) * priors + share * noise
        return mixed

    def _act_for_others(self, memory: TreeMemory, trees: Integers) -> None:
        """Fill in the actions of the agents that do not decide for themselves."""
        assert self._others is not None
        rows = tuple(a[trees] for a in memory.simulated.memory.arrays())
        indices = self._others.actions(rows, np.full(len(trees), self._others.own[0]), self.rng)
        table = self.world.composed.action_table
        for a in range(len(table)):
            if a != self.agent:
                memory.chosen[trees, a] = table[a, indices[:, a]]
        memory.words[trees, PHASE] = TICK

    def _memory_for(self, n: int, roots: int) -> TreeMemory:
        """Memory for so many trees: that of the last search, if it fits."""
        if self._memory is None or (self._memory.n, self._memory.roots) != (n, roots):
            self._memory = TreeMemory(
                self.world,
                self._program,
                n,
                roots=roots,
                capacity=self.capacity,
                path=self._path,
                threads=self._threads,
                settings=self._settings,
            )
            self._runner = Runner(self._memory, self._memory.threads, always=True)
        return self._memory

    def _rows_of(self, states: State | Sequence[State] | Snapshot) -> Rows:
        if isinstance(states, Snapshot):
            if states.vocabulary not in (None, self.world.composed.vocabulary):
                raise ValueError(f"the states' objects, colors and fields are not those of {self.world.name}")
            return states.arrays()
        listed = [states] if isinstance(states, State) else list(states)
        for state in listed:
            check_state(state, self.world)
        if not listed:
            raise ValueError("there is no state to search in")
        return joined([rows_of(state) for state in listed])


def _check_choices(
    world: World, selection: str, branching: str, evaluate: Evaluate | None, others: Others | None
) -> None:
    """Refuse what the search does not support.

    Raises:
        TypeError, ValueError: a wrong name, a function of another kind, or agents that cannot be searched for.
    """
    for name, given, known in (("selection", selection, SELECTIONS), ("branching", branching, BRANCHINGS)):
        if given not in known:
            raise ValueError(f"{name} is one of {', '.join(known)}, not {given!r}")
    if evaluate is not None:
        check_function("evaluate", evaluate)
    if world.spec.agents > 1 and others is None:
        if world.spec.turn_order not in ("cycle", "chosen"):
            raise ValueError(
                f"agents of {world.name} may act at the same time, and only one of them can be searched for: "
                'give a model of the others, such as others="random", and the agent'
            )
        if branching == "observations":
            raise ValueError(
                "several agents that decide for themselves do not share observations: branch by actions or states, "
                "or give a model of the others"
            )


def _checked_noise(noise: Any) -> tuple[float, float] | None:
    if noise is None:
        return None
    if not isinstance(noise, tuple) or len(noise) != 2:
        raise TypeError(f"noise is (alpha, share), not {noise!r}")
    alpha, share = noise
    check_number("the alpha of noise", alpha)
    check_shares(**{"the share of noise": share})
    return alpha, share


def _default_capacity(simulations: int, actions: int, method: Method) -> int:
    if method == Method.UCT:
        return 2 * simulations + 2
    return 2 + (simulations + 1) * (min(actions, MOST_CHILDREN) + 2)


def _bits(number: float) -> int:
    return int(np.float64(number).view(np.int64))


def _generators(memory: TreeMemory, trees: Integers) -> list[np.random.Generator]:
    """Random numbers of each tree, for its root."""
    return [np.random.default_rng(key) for key in memory.words[trees, KEY].view(np.uint64).tolist()]


def _spread(memory: TreeMemory) -> Floats:
    """float64[n]: the range of returns in each tree; 0 before the first."""
    low, high = (memory.words[:, word].copy().view(np.float64) for word in (LOW, HIGH))
    found: Floats = np.where(high > low, high - low, 0.0)
    return found
