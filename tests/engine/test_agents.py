"""Several agents in one world: turns, conflicts, agents that leave, rewards and ends."""

import functools
from collections import Counter

import numpy as np
import pytest

from gridarium.engine import Autoreset
from gridarium.rules.results import ActionResultCode
from gridarium.rules.reward_functions import living_reward
from gridarium.world import Action, Position
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.worlds import arena, assert_same, everything, random_actions, shove

LEFT, DOWN, RIGHT, UP, WAIT, SHOVE = (
    Action.LEFT,
    Action.DOWN,
    Action.RIGHT,
    Action.UP,
    Action.WAIT,
    Action.ACTUATE,
)


def places(state):
    return [(agent.position.y, agent.position.x) for agent in state.agents]


def results(state):
    return [ActionResultCode(agent.result).name for agent in state.agents]


# conflicts


def test_by_order_the_first_agent_gets_the_cell_that_both_want():
    world = arena((2, 1), (2, 3), conflicts="order")
    state, _, _ = world.step(world.reset(0), [RIGHT, LEFT])
    assert places(state) == [(2, 2), (2, 3)]
    assert results(state) == ["SUCCESS", "OCCUPIED"]


@pytest.mark.exhaustive
def test_at_random_each_of_those_who_want_a_cell_gets_it_equally_often():
    world = arena((1, 2), (2, 1), (2, 3), conflicts="random")
    winners = Counter()
    for seed in range(600):
        state, _, _ = world.step(world.reset(seed), [DOWN, RIGHT, LEFT])
        winners[places(state).index((2, 2))] += 1
    assert all(150 < winners[agent] < 250 for agent in range(3)), winners
    pairs = Counter()
    for seed in range(600):
        state, _, _ = world.step(world.reset(seed), [DOWN, RIGHT, WAIT])
        pairs[places(state).index((2, 2))] += 1
    assert all(240 < pairs[agent] < 360 for agent in range(2)), f"who else is there plays no part: {pairs}"


def test_at_random_is_decided_anew_in_each_tick_and_the_same_again():
    world = arena((2, 1), (2, 3), conflicts="random")
    state, winners = world.reset(5), []
    for _ in range(40):
        after, _, _ = world.step(state, [RIGHT, LEFT])
        assert after.identical(world.step(state, [RIGHT, LEFT])[0])
        winners.append(places(after).index((2, 2)))
        state = world.step(state, [WAIT, WAIT])[0]
    assert {0, 1} == set(winners)


def test_nobody_gets_a_cell_that_several_want():
    world = arena((2, 1), (2, 3), (0, 0), conflicts="nobody")
    state, _, _ = world.step(world.reset(0), [RIGHT, LEFT, RIGHT])
    assert places(state) == [(2, 1), (2, 3), (0, 1)]
    assert results(state) == ["CONFLICT", "CONFLICT", "SUCCESS"]


def test_three_who_want_one_cell_all_stay():
    world = arena((1, 2), (2, 1), (2, 3), conflicts="nobody")
    state, _, _ = world.step(world.reset(0), [DOWN, RIGHT, LEFT])
    assert places(state) == [(1, 2), (2, 1), (2, 3)]


@pytest.mark.parametrize("conflicts", ["order", "random", "nobody"])
def test_agents_cannot_exchange_places(conflicts):
    world = arena((2, 1), (2, 2), conflicts=conflicts)
    for seed in range(6):
        state, _, _ = world.step(world.reset(seed), [RIGHT, LEFT])
        assert places(state) == [(2, 1), (2, 2)]
        expected = "CONFLICT" if conflicts == "nobody" else "OCCUPIED"
        assert results(state) == [expected, expected]


def test_one_may_follow_another_who_goes_first():
    world = arena((2, 1), (2, 2), conflicts="order")
    assert places(world.step(world.reset(0), [RIGHT, RIGHT])[0]) == [(2, 1), (2, 3)]
    world = arena((2, 2), (2, 1), conflicts="order")
    assert places(world.step(world.reset(0), [RIGHT, RIGHT])[0]) == [(2, 3), (2, 2)]


def test_an_agent_that_stays_is_in_nobodys_way_but_its_own_cells():
    world = arena((2, 1), (2, 2), conflicts="nobody")
    state, _, _ = world.step(world.reset(0), [RIGHT, WAIT])
    assert places(state) == [(2, 1), (2, 2)]
    assert results(state) == ["OCCUPIED", "SUCCESS"]


@pytest.mark.exhaustive
def test_no_two_agents_are_ever_in_one_cell():
    for conflicts in ("order", "random", "nobody"):
        world = arena((0, 0), (1, 1), (2, 2), (3, 3), conflicts=conflicts, terminations=[])
        batch = world.batch(4)
        batch.reset(0)
        for chosen in random_actions(world, 60, 4):
            batch.step(np.where(chosen == 5, 4, chosen))
            for e in range(4):
                assert len(set(places(batch.state(e)))) == 4


# turns


def test_when_all_act_the_first_agent_always_goes_first():
    world = arena((2, 1), (2, 3), turn_order="all")
    state = world.reset(0)
    for _ in range(3):
        assert places(world.step(state, [RIGHT, LEFT])[0]) == [(2, 2), (2, 3)]
        state = world.step(state, [WAIT, WAIT])[0]


def test_in_rotating_order_another_agent_goes_first_in_each_tick():
    world = arena((1, 2), (2, 1), (2, 3), turn_order="rotating")
    state, winners = world.reset(0), []
    for _ in range(6):
        winners.append(places(world.step(state, [DOWN, RIGHT, LEFT])[0]).index((2, 2)))
        state = world.step(state, [WAIT] * 3)[0]
    assert winners == [0, 1, 2, 0, 1, 2]


def test_in_a_cycle_one_agent_acts_in_each_tick():
    world = arena((0, 0), (1, 0), (2, 0), turn_order="cycle")
    state = world.reset(0)
    moved = []
    for _ in range(6):
        before = places(state)
        state = world.step(state, [RIGHT, RIGHT, RIGHT])[0]
        moved.append([i for i in range(3) if places(state)[i] != before[i]])
    assert moved == [[0], [1], [2], [0], [1], [2]]


def test_in_a_cycle_those_who_are_gone_are_passed_over():
    world = arena((0, 0), (1, 0), (2, 0), turn_order="cycle")
    state = world.reset(0)
    state = world.step(state, [SHOVE, WAIT, WAIT])[0]
    assert [agent.active for agent in state.agents] == [True, False, True]
    moved = []
    for _ in range(4):
        before = places(state)
        state = world.step(state, [RIGHT] * 3)[0]
        moved.append([i for i in range(3) if places(state)[i] != before[i]])
    assert moved == [[2], [0], [2], [0]]


def test_in_a_cycle_the_wishes_of_those_whose_turn_it_is_not_are_no_conflict():
    world = arena((2, 1), (2, 3), turn_order="cycle", conflicts="nobody")
    state, _, _ = world.step(world.reset(0), [RIGHT, LEFT])
    assert places(state) == [(2, 2), (2, 3)]
    assert results(state) == ["SUCCESS", "SUCCESS"]


def test_the_turn_begins_anew_with_each_episode():
    world = arena((0, 0), (1, 0), turn_order="cycle")
    state = world.step(world.reset(0), [RIGHT, RIGHT])[0]
    following = world.next_episode(state)
    assert places(world.step(following, [RIGHT, RIGHT])[0]) == [(0, 1), (1, 0)]


# agents that leave


def test_an_agent_that_leaves_in_mid_tick_no_longer_acts():
    world = arena((0, 0), (1, 0), (2, 0))
    state, _, _ = world.step(world.reset(0), [SHOVE, RIGHT, RIGHT])
    assert places(state) == [(0, 0), (1, 0), (2, 1)]
    assert [agent.active for agent in state.agents] == [True, False, True]


def test_an_agent_that_left_in_mid_tick_no_longer_blocks():
    world = arena((0, 0), (2, 2), (2, 1))
    state, _, _ = world.step(world.reset(0), [SHOVE, WAIT, RIGHT])
    assert places(state)[2] == (2, 2)
    assert results(state)[2] == "SUCCESS"


def test_an_agent_that_is_gone_is_in_no_conflict():
    world = arena((0, 0), (2, 1), (2, 3), conflicts="nobody")
    state = world.step(world.reset(0), [SHOVE, WAIT, WAIT])[0]
    state, _, _ = world.step(state, [WAIT, RIGHT, LEFT])
    assert places(state) == [(0, 0), (2, 1), (2, 2)]


def test_who_leaves_is_judged_for_that_tick_and_no_more():
    world = arena((0, 0), (1, 0), rewards=[living_reward])
    state, rewards, terminal = world.step(world.reset(0), [SHOVE, WAIT])
    assert rewards.tolist() == [-1.0, -1.0]
    assert terminal.tolist() == [False, True]
    state, rewards, terminal = world.step(state, [WAIT, RIGHT])
    assert rewards.tolist() == [-1.0, 0.0]
    assert terminal.tolist() == [False, True]
    assert places(state) == [(0, 0), (1, 0)]


def test_a_gone_agent_is_not_seen():
    world = arena((0, 0), (1, 0))
    state = world.reset(0)
    assert world.arrays(state)["agent_id_grid"][0][1, 0] > 1
    state = world.step(state, [SHOVE, WAIT])[0]
    assert world.arrays(state)["agent_id_grid"][0][1, 0] == 0


# ends and rewards


def two_exits(**options):
    """Two agents beside the exit, one of them two cells away."""
    return arena((4, 3), (3, 3), rewards=[functools.partial(living_reward, reward=1.0)], **options)


def test_with_the_first_agent_that_is_done_the_episode_ends():
    world = two_exits(episode_ends="any_agent")
    state, _, terminal = world.step(world.reset(0), [RIGHT, WAIT])
    assert terminal.tolist() == [True, True]
    assert state.data[5]


def test_with_the_last_agent_that_is_done_the_episode_ends():
    world = two_exits(episode_ends="all_agents")
    state, _, terminal = world.step(world.reset(0), [RIGHT, WAIT])
    assert terminal.tolist() == [True, False]
    assert not state.data[5]
    assert [agent.active for agent in state.agents] == [False, True]
    state, rewards, terminal = world.step(state, [LEFT, RIGHT])
    assert terminal.tolist() == [True, False]
    assert rewards.tolist() == [0.0, 1.0]
    state, _, terminal = world.step(state, [WAIT, DOWN])
    assert places(state)[1] == (4, 4), "the first agent is gone and blocks nobody"
    assert terminal.tolist() == [True, True]
    assert state.data[5]


@pytest.mark.parametrize("ends", ["any_agent", "all_agents"])
def test_an_agent_that_is_taken_out_does_not_end_the_episode_but_the_last_one_does(ends):
    world = arena(
        (0, 0), (1, 0), episode_ends=ends, transitions=["move_agent", shove, leave], terminations=[]
    )
    state, _, terminal = world.step(world.reset(0), [SHOVE, WAIT])
    assert terminal.tolist() == [False, True]
    assert not state.data[5]
    state, _, terminal = world.step(state, [WAIT, WAIT])
    assert terminal.tolist() == [False, True]
    state, _, terminal = world.step(state, [LEFT, WAIT])
    assert terminal.tolist() == [True, True]
    assert state.data[5]


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_an_agent_that_is_alone_and_leaves_ends_the_episode(compiled):
    world = arena((1, 0), transitions=["move_agent", leave], terminations=[], compiled=compiled)
    state, _, terminal = world.step(world.reset(0), RIGHT)
    assert not terminal
    state, _, terminal = world.step(state, LEFT)
    state, _, terminal = world.step(state, LEFT)
    assert terminal and state.data[5]


def comes_back(state, action):
    """Bring everybody back."""
    for agent in state.agents:
        agent.active = True


def test_who_has_left_does_not_come_back():
    world = arena((0, 0), (1, 0), transitions=["move_agent", leave, comes_back], episode_ends="all_agents")
    state = world.reset(0)
    state.agents[0].active = False
    with pytest.raises(ValueError, match="who leaves an episode does not come back"):
        world.step(state, [WAIT, WAIT])


def leave(state, action):
    """Whoever bumps into the left border is out of the world."""
    if action == LEFT and state.agent.position.x == 0:
        state.agent.active = False


def test_each_gets_its_own_reward_or_all_get_the_sum():
    each, team = arena((4, 3), (0, 0), rewards_to="each"), arena((4, 3), (0, 0), rewards_to="team")
    assert each.step(each.reset(0), [RIGHT, WAIT])[1].tolist() == [7.0, -1.0]
    assert team.step(team.reset(0), [RIGHT, WAIT])[1].tolist() == [6.0, 6.0]


def test_those_who_have_left_share_the_reward_of_their_team():
    world = arena((4, 3), (0, 0), rewards_to="team", episode_ends="all_agents")
    state = world.step(world.reset(0), [RIGHT, WAIT])[0]
    assert world.step(state, [WAIT, WAIT])[1].tolist() == [-1.0, -1.0]


# all of it at once


@pytest.mark.parametrize(
    "options",
    [
        {"turn_order": "all", "conflicts": "random", "rewards_to": "team", "episode_ends": "all_agents"},
        {"turn_order": "all", "conflicts": "nobody", "rewards_to": "each", "episode_ends": "any_agent"},
        {"turn_order": "cycle", "conflicts": "order", "rewards_to": "each", "episode_ends": "all_agents"},
    ],
    ids=lambda o: "-".join(o.values()),
)
@pytest.mark.exhaustive
def test_agents_do_the_same_interpreted_and_compiled(options):
    starts = ((0, 0), (1, 1), (2, 2))
    plain, compiled = (arena(*starts, compiled=c, time_limit=30, **options) for c in (False, True))
    assert compiled.composed.compiled
    for mode in (Autoreset.NEXT_STEP, Autoreset.SAME_STEP):
        one, other = plain.batch(4, autoreset=mode), compiled.batch(4, autoreset=mode)
        one.reset(0), other.reset(0)
        for step, chosen in enumerate(random_actions(plain, 150, 4)):
            assert_same(
                everything(one, one.step(chosen)), everything(other, other.step(chosen)), f"in step {step}"
            )
        assert one.episodes.min() > 2


def test_positions_are_told_by_name():
    assert arena((3, 1), (0, 2)).reset(0).agents[0].position == Position(3, 1)
