"""Tree search as a kernel: games, chance, many trees, evaluated leaves; against a plain Python reference."""

import math
import threading
import time

import numpy as np
import pytest

from gridarium.agents import MCTS, POMCP, TreeSearch, play, random_action
from gridarium.agents.perspective import idle_action
from gridarium.agents.planning.tree_search.gumbel import visits_by_halving
from gridarium.agents.planning.tree_search.kernel import ATTEMPTS
from gridarium.agents.planning.tree_search.result import SearchResult
from gridarium.compiled.data_types.random import draw_integer, episode_key, world_key
from gridarium.engine import World
from gridarium.engine.step import legal_actions
from gridarium.world import Action, Field, Floor
from gridarium.worlds import Spec
from tests.agents.worlds import COMPASS, chase, ruled
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.board import board, has_row


def win_or_lose(state, action, next_state):
    if has_row(next_state, next_state.agent.number):
        return 1.0
    if has_row(next_state, 1 - next_state.agent.number):
        return -1.0
    return 0.0


@pytest.fixture(scope="module")
def tictactoe() -> World:
    return board(rewards=[win_or_lose])


@pytest.fixture(scope="module")
def slow_tictactoe() -> World:
    return board(rewards=[win_or_lose], compiled=False)


@pytest.fixture(scope="module")
def connect_four() -> World:
    return World("ConnectFour")


def after(world: World, *cells: tuple[int, int]):
    """The board after both have placed their marks in turn."""
    state = world.reset(0)
    for y, x in cells:
        state = world.step(state, [f"PLACE({y}, {x})"] * 2)[0]
    return state


def same(first: SearchResult, second: SearchResult) -> bool:
    return all(
        np.array_equal(a, b, equal_nan=True) for a, b in zip(vars(first).values(), vars(second).values())
    )


def one_of(result: SearchResult, i: int) -> SearchResult:
    return SearchResult(*(array[i : i + 1] for array in vars(result).values()))


# games


@pytest.mark.exhaustive
def test_it_wins_where_it_can_and_blocks_where_it_must(tictactoe: World) -> None:
    search = TreeSearch(tictactoe, 400)
    assert search.get_action(after(tictactoe, (0, 0), (1, 1), (0, 1), (2, 2))).name == "PLACE(0, 2)"
    assert search.get_action(after(tictactoe, (0, 0), (1, 1), (0, 1))).name == "PLACE(0, 2)"
    assert search.get_action(after(tictactoe, (0, 0), (1, 1), (2, 2), (1, 0))).name == "PLACE(1, 2)"


@pytest.mark.exhaustive
@pytest.mark.parametrize("agent", [0, 1])
def test_it_never_loses_against_random_play(agent, tictactoe: World) -> None:
    players = [random_action, random_action]
    players[agent] = TreeSearch(tictactoe, 500, seed=1)  # type: ignore[call-overload]
    returns = [play(tictactoe, players, seed=seed).returns[agent] for seed in range(12)]
    assert min(returns) >= 0 and sum(returns) >= 4


@pytest.mark.exhaustive
def test_connect_four_begins_in_the_middle_and_beats_a_weaker_search(connect_four: World) -> None:
    start = connect_four.reset(0)
    assert TreeSearch(connect_four, 5000).get_action(start).name == "DROP(3)"
    strong, weak = TreeSearch(connect_four, 2000), TreeSearch(connect_four, 30, seed=1)
    for players, sign in (((strong, weak), 1), ((weak, strong), -1)):
        for seed in range(2):
            assert play(connect_four, players, seed=seed).returns[0] * sign == 1


def test_agents_that_left_are_skipped() -> None:
    """Three take turns; whoever says OUT leaves with a reward of 1."""
    world = takers()
    state = world.reset(0)
    state.agents[1].active = False
    state.turn = 1
    result = TreeSearch(world, 60).search(state)
    assert result.agents.tolist() == [2]
    assert world.actions[int(result.actions[0])].name == "OUT"
    state.agents[2].active = False
    state.turn = 0
    assert TreeSearch(world, 60).search(state).agents.tolist() == [0]


OUT, STAY = Action.declare("OUT"), Action.declare("STAY")


def leave(state, action):
    if action == OUT:
        state.agent.active = False


def paid(state, action, next_state):
    if action == OUT:
        return 1.0
    return 0.0


def takers(**options) -> World:
    given = {
        "agents": 3, "turn_order": "cycle", "rewards": [paid], "terminations": [], "time_limit": 6,
        "actions": [{"name": "OUT", "declare": True}, {"name": "STAY", "declare": True}],
        "map": {"picture": ">>>"},
    }  # fmt: skip
    return ruled(leave, **given | options)


def never(state, action):
    return False


def test_where_nobody_can_act_there_is_nothing_to_find() -> None:
    for world in (takers(legal=[never]), ruled("move_agent", legal=[never])):
        search = TreeSearch(world, 10)
        result = search.search(world.reset(0))
        assert result.actions.tolist() == [-1] and not result.visits.any() and not result.policy.any()
        assert np.isnan(result.value).all()
        with pytest.raises(ValueError, match="nobody can act"):
            search.get_action(world.reset(0))


# against a reference


class Reference:
    """UCT in plain Python over the functional step, with the same random numbers."""

    def __init__(self, world: World, simulations: int, seed: int) -> None:
        self.world, self.simulations, self.key = world, simulations, world_key(seed)
        self.low, self.high = math.inf, -math.inf

    def search(self, state) -> dict:
        root = {"visits": 0, "children": {}}
        for number in range(self.simulations):
            self.stream = np.array([episode_key(self.key, number), 0])
            self.simulate(root, state)
        return root

    def draw(self, count: int) -> int:
        return draw_integer(self.stream, 0, count)

    def simulate(self, node: dict, state) -> None:
        path, rewards, over, rolling = [], [], False, False
        while not over:
            turn = self.world.turn(state)
            legal = self.world.legal_actions(state)
            if rolling:
                action = next(
                    (a for a in (self.draw(len(self.world.actions)) for _ in range(ATTEMPTS)) if a in legal),
                    -1,
                )
                action = legal[self.draw(len(legal))] if action < 0 else action
            else:
                action = self.select(node, legal)
                if action not in node["children"]:
                    node["children"][action] = {"visits": 0, "total": 0.0, "children": {}}
                    rolling = True
                node = node["children"][action]
                path.append((node, turn, len(rewards)))
            state, reward, terminal = self.world.step(state, [action, action])
            rewards.append(reward)
            over = bool(terminal.all())
        for child, turn, begin in reversed(path):
            value = sum(reward[turn] for reward in rewards[begin:])
            child["visits"] += 1
            child["total"] += value
            self.low, self.high = min(self.low, value), max(self.high, value)

    def select(self, node: dict, legal: list[int]) -> int:
        children = node["children"]
        untried = [a for a in legal if a not in children]
        if untried:
            return untried[self.draw(len(untried))]
        scale = 1 / (self.high - self.low) if self.high > self.low else 1.0
        width = math.sqrt(math.log(sum(children[a]["visits"] for a in legal)))

        def bound(a: int) -> float:
            visits = float(children[a]["visits"])
            return children[a]["total"] / visits * scale + 0.6 * width / math.sqrt(visits)

        return max(legal, key=bound)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3))
def test_it_is_what_a_plain_implementation_of_uct_does(seed, tictactoe: World, slow_tictactoe: World) -> None:
    state = after(tictactoe, (1, 1), (0, 2), (2, 0))
    root = Reference(tictactoe, 150, seed).search(state)
    for world in (tictactoe, slow_tictactoe):
        result = TreeSearch(world, 150).search(state, seeds=[seed])
        for action, child in root["children"].items():
            assert result.visits[0, action] == child["visits"]
            assert result.values[0, action] == child["total"] / child["visits"]
        assert result.visits.sum() == 150 and result.nodes[0] <= 151


# side by side, and repeated


def positions(world: World, count: int):
    """States of random play."""
    batch, rng = world.batch(count), np.random.default_rng(0)
    batch.reset(0)
    for _ in range(3):
        batch.step(batch.sample_actions(rng))
    return batch.snapshot(), [batch.state(i) for i in range(count)]


@pytest.mark.exhaustive
def test_many_trees_are_as_one_by_one_on_any_number_of_threads(connect_four: World) -> None:
    snapshot, states = positions(connect_four, 9)
    search = TreeSearch(connect_four, 300, threads=1)
    together = search.search(snapshot, seeds=range(9))
    for threads in (2, 5):
        again = TreeSearch(connect_four, 300, threads=threads).search(states, seeds=range(9))
        assert same(together, again)
    for i in (0, 4, 8):
        assert same(one_of(together, i), search.search(states[i], seeds=[i]))


def test_the_seed_decides(tictactoe: World) -> None:
    state = tictactoe.reset(0)
    first, second, other = (TreeSearch(tictactoe, 100, seed=seed) for seed in (5, 5, 6))
    for _ in range(2):  # the second search of each draws other numbers than the first
        result = first.search(state)
        assert same(result, second.search(state)) and not same(result, other.search(state))


def test_more_simulations_than_a_slice_are_those_of_one_call(tictactoe: World, monkeypatch) -> None:
    whole = TreeSearch(tictactoe, 150).search(tictactoe.reset(0))
    monkeypatch.setattr("gridarium.agents.planning.tree_search.search.SLICE", 40)
    assert same(whole, TreeSearch(tictactoe, 150).search(tictactoe.reset(0)))


@pytest.mark.slow
@pytest.mark.parametrize("branching", ["actions", "states", "observations"])
@pytest.mark.parametrize("others", ["random", "idle"])
@pytest.mark.sampled(3)
def test_interpreted_and_compiled_are_the_same(branching, others) -> None:
    """Two agents by turns, and luck."""
    results = []
    for compiled in (True, False):
        world = World("GhostGrid-4x5", compiled=compiled)
        options = {"others": others, "branching": branching, "horizon": 8, "rollouts": 2, "discount": 0.9}
        results.append(TreeSearch(world, 25, **options).search([world.reset(0), world.reset(1)]))
    assert same(*results)
    assert results[0].visits.sum(axis=1).tolist() == [25, 25]


def test_a_function_of_others_is_as_good_as_a_name() -> None:
    world = World("GhostGrid-4x5")
    still = idle_action(world, 1)

    def idle(state, agent):
        return np.arange(len(world.actions)) == still

    found = [TreeSearch(world, 30, others=o, horizon=12).search(world.reset(3)) for o in ("idle", idle)]
    assert same(*found)


def test_a_full_memory_is_searched_on(tictactoe: World) -> None:
    state = tictactoe.reset(0)
    result = TreeSearch(tictactoe, 500, capacity=5).search(state)
    assert result.nodes.tolist() == [5] and result.visits.sum() <= 500 and (result.visits[0] > 0).sum() == 4
    full = TreeSearch(tictactoe, 300, capacity=12, evaluate=even).search(state)
    assert full.nodes.tolist() == [10] and full.visits.sum() == 300


def test_rollouts_are_averaged() -> None:
    world = ruled("move_agent", rewards=[{"name": "living_reward", "reward": -2.0}], time_limit=3)
    for rollouts in (1, 3):
        result = TreeSearch(world, 20, rollouts=rollouts, discount=0.5).search(world.reset(0))
        assert result.values == pytest.approx(np.full((1, 4), -3.5))


def test_the_horizon_ends_simulations() -> None:
    world = ruled("move_agent", rewards=[{"name": "living_reward", "reward": -1.0}], terminations=[])
    result = TreeSearch(world, 20, horizon=7).search(world.reset(0))
    assert result.values == pytest.approx(np.full((1, 4), -7))


# luck


def coin(state, action, *, rng):
    """LEFT wins in two of three cases, DOWN in one."""
    luck = rng.integers(3)
    state.won = 1.0 if (luck < 2) == (action == Action.LEFT) else 0.0


def gain(state, action, next_state):
    return next_state.won


@pytest.mark.exhaustive
@pytest.mark.parametrize("branching", ["actions", "states"])
def test_every_simulation_has_luck_of_its_own(branching) -> None:
    """1,000 draws of one of three cases: 5 standard deviations are 0.075."""
    world = ruled(coin, fields={"world": [Field("won")]}, rewards=[gain], actions=COMPASS[:2], time_limit=1)
    result = TreeSearch(world, 1500, branching=branching).search(world.reset(0))
    assert result.actions.tolist() == [0]
    assert result.values[0, 0] == pytest.approx(2 / 3, abs=0.075)


# what is refused


def test_agents_that_act_at_the_same_time_need_a_model_of_the_others() -> None:
    world = chase(turn_order="all")
    with pytest.raises(ValueError, match="act at the same time"):
        TreeSearch(world)
    result = TreeSearch(world, 20, others="random", horizon=5, agent=1).search(world.reset(0))
    assert result.agents.tolist() == [1] and result.visits.sum() == 20


def test_wrong_arguments_are_refused(tictactoe: World) -> None:
    for name, wrong in (
        ("simulations", 0),
        ("rollouts", 0),
        ("capacity", 1),
        ("selection", "best"),
        ("branching", "all"),
    ):
        with pytest.raises(ValueError, match=name):
            TreeSearch(tictactoe, **{name: wrong})
    with pytest.raises(ValueError, match="do not share observations"):
        TreeSearch(tictactoe, branching="observations")
    with pytest.raises(TypeError, match="noise is"):
        TreeSearch(tictactoe, noise=0.25)
    with pytest.raises(ValueError, match="one seed for each of 1 states"):
        TreeSearch(tictactoe).search(tictactoe.reset(0), seeds=[1, 2])
    with pytest.raises(ValueError, match="no state"):
        TreeSearch(tictactoe).search([])
    with pytest.raises(ValueError, match="are not those of"):
        TreeSearch(tictactoe).search(World("FourByThree", compiled=False).reset(0))


def stumble(state, action):
    """Raises in the second tick."""
    if state.tick == 1:
        raise ArithmeticError("stumbled")


@pytest.mark.slow
@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_what_a_rule_raises_is_raised(compiled) -> None:
    world = World(ruled(stumble, time_limit=5).spec, compiled=compiled)
    with pytest.raises(ArithmeticError, match="stumbled") as caught:
        TreeSearch(world, 10).search(world.reset(0))
    assert any("tick 1" in note for note in caught.value.__notes__)
    search = TreeSearch(world, 10, threads=2)
    for _ in range(2):
        with pytest.raises(ArithmeticError, match="stumbled") as caught:
            search.search([world.reset(seed) for seed in range(6)])
        assert any("0, 1, 2" in note or "1, 2, 3" in note for note in caught.value.__notes__)


# leaves that are evaluated


def even(leaves):
    """Even priors, and no idea of values."""
    return np.ones((len(leaves), leaves.legal.shape[1])), np.zeros(len(leaves))


@pytest.mark.parametrize("selection", ["puct", "gumbel"])
def test_priors_and_values_are_asked_for_whole_batches_of_leaves(selection, tictactoe: World) -> None:
    sizes, seen = [], []

    def evaluate(leaves):
        sizes.append(len(leaves))
        seen.append(leaves.observations["grid"].shape)
        for i in range(len(leaves)):
            assert tictactoe.turn(leaves.state(i)) == leaves.agents[i] == leaves.state(i).agent.number
            assert np.flatnonzero(leaves.legal[i]).tolist() == tictactoe.legal_actions(leaves.state(i))
        return even(leaves)

    states = [
        after(tictactoe, (0, 0), (1, 1), (0, 1), (2, 2)),
        after(tictactoe, (0, 0), (1, 1), (0, 1)),
        tictactoe.reset(0),
    ]
    search = TreeSearch(tictactoe, 120, evaluate=evaluate, selection=selection, considered=9)
    result = search.search(states)
    assert sizes[0] == 3 and seen[0][0] == 3
    assert [tictactoe.actions[i].name for i in result.actions[:2]] == ["PLACE(0, 2)"] * 2
    assert result.visits.sum(axis=1).tolist() == [120] * 3
    assert result.policy.sum(axis=1) == pytest.approx(1)
    assert not result.policy[:, -1].any()  # nobody may resign


def test_priors_guide_where_nothing_else_does(tictactoe: World) -> None:
    wanted = np.zeros(len(tictactoe.actions))
    wanted[4], wanted[-1] = 0.9, 5.0
    wanted[:4] = 0.025

    def evaluate(leaves):
        return np.tile(wanted, (len(leaves), 1)), np.zeros((len(leaves), 2))

    result = TreeSearch(tictactoe, 50, evaluate=evaluate).search(tictactoe.reset(0))
    assert result.actions.tolist() == [4] and result.visits[0, 5:].sum() == 0


def test_values_are_those_of_who_decides(slow_tictactoe: World) -> None:
    """Whoever is to move at a leaf is said to win: so after one's own move, the other one does."""

    def evaluate(leaves):
        return even(leaves)[0], np.ones(len(leaves))

    result = TreeSearch(slow_tictactoe, 9, evaluate=evaluate).search(slow_tictactoe.reset(0))
    assert result.values[0, :9] == pytest.approx(-1)


def test_noise_at_the_root_and_seeds(tictactoe: World) -> None:
    state = tictactoe.reset(0)
    plain, one, two = (
        TreeSearch(tictactoe, 60, evaluate=even, noise=noise, seed=3)
        for noise in (None, (0.3, 0.25), (0.3, 0.25))
    )
    noisy = one.search(state)
    assert same(noisy, two.search(state)) and not same(noisy, plain.search(state))


@pytest.mark.exhaustive
@pytest.mark.parametrize("options", [{"noise": (0.3, 0.25)}, {"selection": "gumbel", "considered": 4}])
def test_several_trees_with_priors_are_as_one_by_one(options, connect_four: World) -> None:
    _, states = positions(connect_four, 4)
    search = TreeSearch(connect_four, 40, evaluate=even, **options)
    together = search.search(states, seeds=range(4))
    for i in (0, 3):
        assert same(one_of(together, i), search.search(states[i], seeds=[i]))


def test_what_evaluate_returns_is_checked(tictactoe: World) -> None:
    state = tictactoe.reset(0)
    for wrong, error, match in (
        (None, TypeError, "priors and values"),
        ((np.ones((1, 3)), np.zeros(1)), ValueError, "priors are"),
        ((np.ones((1, 10)), np.zeros((1, 5))), ValueError, "values are"),
        ((np.ones((1, 10)), np.full(1, np.nan)), ValueError, "finite"),
        ((-np.ones((1, 10)), np.zeros(1)), ValueError, "below 0"),
    ):
        with pytest.raises(error, match=match):
            TreeSearch(tictactoe, 5, evaluate=lambda leaves, wrong=wrong: wrong).search(state)
    with pytest.raises(ValueError, match="with 3 agents"):
        TreeSearch(takers(), 5, evaluate=even).search(takers().reset(0))


def test_sequential_halving() -> None:
    """The sequence of the authors' own library (mctx) for four actions and eight simulations."""
    assert visits_by_halving(4, 8) == [0, 0, 0, 0, 1, 1, 2, 2]
    assert visits_by_halving(1, 3) == [0, 1, 2]
    assert visits_by_halving(5, 3) == [0, 0, 0]


def test_mcts_can_let_everybody_decide(tictactoe: World) -> None:
    state = after(tictactoe, (0, 0), (1, 1), (0, 1))
    thinker = MCTS(400, tictactoe, 1, others=None)
    assert thinker.get_action(state).name == "PLACE(0, 2)"


@pytest.mark.exhaustive
@pytest.mark.parametrize("branching", ["states", "observations"])
def test_things_are_part_of_states_and_observations(branching) -> None:
    results = []
    for compiled in (True, False):
        world = World("Taxi-5x5", compiled=compiled)
        search = TreeSearch(world, 25, branching=branching, horizon=6)
        results.append(search.search([world.reset(0), world.reset(1)]))
    assert same(*results)


def test_busy_agents_do_not_decide() -> None:
    """WORK takes three ticks and pays 1 in the last one, PLAY pays nothing."""
    world = ruled(
        "move_agent",
        actions=["WAIT", {"name": "WORK", "declare": True, "duration": 3}],
        rewards=[worked],
        terminations=[],
        time_limit=3,
    )
    state = world.reset(0)
    result = TreeSearch(world, 30).search(state)
    work = [a.name for a in world.actions].index("WORK")
    assert result.actions.tolist() == [work] and result.values[0, work] == 1
    assert result.nodes[0] < 10  # in a busy tick there is nothing to choose
    busy = world.step(state, work)[0]
    assert TreeSearch(world, 30).search(busy).actions.tolist() == [-1]


WORK = Action.declare("WORK")


def worked(state, action, next_state):
    if action == WORK:
        return 1.0
    return 0.0


def test_a_search_that_is_gone_leaves_no_threads_behind(tictactoe: World) -> None:
    before = {*threading.enumerate()}
    search = TreeSearch(tictactoe, 50, threads=3)
    search.search([tictactoe.reset(0)] * 6)
    assert {*threading.enumerate()} - before
    del search
    for _ in range(200):
        if not {*threading.enumerate()} - before:
            break
        time.sleep(0.02)
    assert not {*threading.enumerate()} - before


# games in which rules choose whose turn it is


def first_begins(state):
    """A heap of matches; the first player begins."""
    state.matches = 8
    state.turn = 0


def take(state, action):
    """Take one to three matches; three give another turn."""
    state.matches -= action.number + 1
    if state.matches <= 0:
        state.loser = state.agent.number
    if action.number < 2:
        state.turn = 1 - state.agent.number


def gone(state, action, next_state):
    return next_state.matches <= 0


def won_or_lost(state):
    return -2.0 if state.loser == state.agent.number else 2.0


def misleading(state, action, next_state):
    """Outcomes count, not rewards."""
    return 100.0


def matches(*, compiled: bool = False, **changes) -> World:
    described = {
        "name": "Matches",
        "objects": [Floor],
        "agents": [{"name": name, "body": False} for name in ("ann", "bob")],
        "turn_order": "chosen",
        "actions": [{"name": "TAKE", "over": 3}],
        "fields": {"world": [Field("matches", "int"), Field("loser", "int")]},
        "reset": first_begins,
        "transitions": [take],
        "terminations": [gone],
        "rewards": [misleading],
        "outcome": won_or_lost,
    }
    return World(Spec.build(**described | changes), compiled=compiled)


def best_takes(left: int) -> tuple[float, list[int]]:
    """The value for who takes next, and the numbers of the best actions."""
    values = []
    for number in range(3):
        rest = left - number - 1
        value = -2.0 if rest <= 0 else best_takes(rest)[0]
        values.append(-value if rest > 0 and number < 2 else value)
    return max(values), [number for number, value in enumerate(values) if value == max(values)]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.exhaustive
def test_who_has_another_turn_goes_on_and_outcomes_are_maximized(compiled) -> None:
    world = matches(compiled=compiled)
    state = world.reset(0)
    for left in (8, 7, 6, 5):
        state.matches = left
        value, best = best_takes(left)
        result = TreeSearch(world, 600, seed=1).search(state)
        assert result.agents.tolist() == [0] and int(result.actions[0]) in best
        assert np.nanmax(result.values) <= 2.0 and np.sign(result.value[0]) == np.sign(value)
    search = TreeSearch(world, 50)
    state.turn = 1
    assert search.search(state).agents.tolist() == [1]
    assert search(state, 1) in world.actions and search(state, 0) == world.actions[idle_action(world, 0)]


@pytest.mark.parametrize("compiled", [pytest.param(True, marks=pytest.mark.exhaustive), False])
def test_several_that_act_at_the_same_time_are_told_with_the_state(compiled) -> None:
    world, state = matches(compiled=compiled), matches().reset(0)
    state.acting.fill()
    with pytest.raises(ValueError, match=r"several agents act at the same time(?s:.*)matches.*8"):
        TreeSearch(world, 5).search(state)
    result = TreeSearch(world, 20, others="random", agent=1).search(state)
    assert result.agents.tolist() == [1] and result.visits.sum() == 20


def test_nobody_acts_until_a_rule_of_the_world_lets_someone() -> None:
    state = matches().reset(0)
    state.acting.clear()
    assert TreeSearch(matches(), 5, horizon=3).search(state).actions.tolist() == [-1]


def test_rules_that_fill_masks_are_asked_for_all_actions_at_once(monkeypatch) -> None:
    world = World("Blokus-14x14-2p", shape=(10, 10), compiled=False)
    state, filled = world.reset(0), []
    given = legal_actions.filled_mask
    monkeypatch.setattr(
        legal_actions, "filled_mask", lambda *a, **options: filled.append(1) or given(*a, **options)
    )
    TreeSearch(world, 1, horizon=2, threads=1).search(state)
    assert len(filled) <= 4 * 2  # to choose, to check, and to find who comes next; of 9100 actions


@pytest.mark.parametrize("selection", ["puct", "gumbel"])
def test_leaves_are_observed_whole_where_worlds_observe_only_who_acts(selection) -> None:
    world = World("ConnectFour", compiled=False)
    assert world.spec.observers == "acting"
    states, seen, single = [world.reset(seed) for seed in range(3)], set(), world.batch(1, observers="all")
    single.reset(0)

    def evaluate(leaves):
        for i, grid in enumerate(leaves.observations["grid"]):
            seen.add(grid.shape)
            single.set_state(0, leaves.state(i))
            assert np.array_equal(grid, single.observe()["grid"][0, leaves.agents[i]])
        return np.ones(leaves.legal.shape), np.zeros((len(leaves), 2))

    TreeSearch(world, 6, evaluate=evaluate, selection=selection).search(states)
    assert seen == {(6, 7, 3)}


@pytest.mark.exhaustive
def test_what_the_mover_alone_observes_tells_nodes_apart() -> None:
    """The observations of Kuhn poker are those of who acts; writing them for each player ended the process."""
    world = World("KuhnPoker", compiled=False)
    played = play(world, [POMCP(20), POMCP(20)], seed=0)
    assert played.length in (2, 3)


def allowed(state, action):
    """Whole numbers that pass 64 bits: compiled it raises, and is run interpreted."""
    return (state.matches + 1) * 2**62 % 5 != action.number


def big_outcome(state):
    return won_or_lost(state) + state.matches * 2**62 % 7


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*a rule raises compiled, but not interpreted:RuntimeWarning")
def test_a_search_goes_on_as_it_was_where_a_rule_raises_compiled_only() -> None:
    def evaluate(leaves):
        return np.ones(leaves.legal.shape), np.repeat([[0.5, -0.5]], len(leaves), axis=0)

    rules = {
        "reset": begin_in_turn,
        "legal": [allowed],
        "outcome": big_outcome,
        "turn_order": "cycle",
        "transitions": [take_in_turn],
    }
    worlds = [matches(compiled=compiled, name="Big", **rules) for compiled in (False, True)]
    for options in ({}, {"evaluate": evaluate}, {"others": "random"}):
        found = [TreeSearch(world, 40, seed=5, **options).search(world.reset(0)) for world in worlds]
        assert same(*found)


def take_in_turn(state, action):
    """Take one to three matches."""
    state.matches -= action.number + 1
    if state.matches <= 0:
        state.loser = state.agent.number


def begin_in_turn(state):
    state.matches = 8
