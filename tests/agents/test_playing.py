"""Policies, and episodes played with them."""

import pytest

from gridarium.agents import Planner, play, random_action
from gridarium.agents.policy import assign_policies
from gridarium.engine import World
from gridarium.world import Action, Observation, State


@pytest.fixture(scope="module")
def world() -> World:
    return World("Empty-4x4", compiled=False)


@pytest.fixture(scope="module")
def pair() -> World:
    return World("TwoAgents-Empty-8x8", compiled=False)


def test_a_policy_gets_what_it_names(world: World) -> None:
    seen = {}

    def curious(world, state, observation, view, agent, actions, rng):
        seen.update(locals())
        return actions[0]

    play(world, [curious], seed=0, limit=1)
    assert isinstance(seen["state"], State) and isinstance(seen["view"], Observation)
    assert seen["observation"]["grid"].shape == (7, 7, 3)
    assert seen["agent"] == 0 and seen["actions"] == world.actions and 0 <= seen["rng"].random() < 1


def test_a_policy_may_return_an_index(world: World) -> None:
    episode = play(world, [lambda: 4], seed=0, limit=2)
    assert episode.actions == ((world.actions[4],),) * 2


def test_a_policy_that_asks_for_something_else_is_told_what_there_is(world: World) -> None:
    with pytest.raises(
        TypeError, match=r"policy eager: asks for obs; its parameters are some of world, state, observ"
    ):
        play(world, [eager], seed=0)
    with pytest.raises(TypeError, match="a function or a class"):
        play(world, [3], seed=0)
    with pytest.raises(ValueError, match="WAIT, which is not among this world's actions: MOVE_FORWARD"):
        play(world, [lambda: Action.WAIT], seed=0)
    with pytest.raises(ValueError, match="one policy for each agent is needed, 1 in all; got 2"):
        play(world, [random_action, random_action], seed=0)


def eager(obs):
    return 0


def test_one_policy_serves_all_agents_and_a_class_is_made_once_for_each() -> None:
    pair = World("TwoAgents-Empty-8x8", compiled=False)
    one, both = (play(pair, given, seed=3, limit=9) for given in (random_action, [random_action] * 2))
    assert one == both
    made: list[object] = []

    class Counted:
        def __init__(self) -> None:
            made.append(self)

        def __call__(self, agent):
            assert self is made[agent]
            return 0

    for policies in (Counted, [Counted, Counted]):
        made.clear()
        play(pair, policies, seed=0, limit=3)
        assert len(made) == 2


def test_the_same_seed_gives_the_same_episode(world: World) -> None:
    first, again, other = (play(world, [random_action], seed=s, limit=50) for s in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_planner_ends_episodes_with_reward(world: World) -> None:
    planner = Planner()
    for seed in range(5):
        episode = play(world, [planner], seed=seed)
        assert episode.terminated and episode.success
        assert episode.returns[0] > 5


def test_an_episode_that_is_cut_off_is_no_success(world: World) -> None:
    episode = play(world, [lambda: Action.TURN_LEFT], seed=0, limit=7)
    assert (episode.length, episode.terminated, episode.success) == (7, False, False)


def test_a_world_ends_an_episode_at_its_own_time_limit() -> None:
    limited = World("EmptyRandom-5x5", compiled=False)
    episode = play(limited, [lambda: Action.TURN_LEFT], seed=0)
    assert episode.length == limited.spec.time_limit and not episode.terminated


def test_several_agents_each_have_a_policy(pair: World) -> None:
    episode = play(pair, assign_policies(Planner, 2), seed=0)
    assert episode.terminated and episode.success
    assert len(episode.returns) == 2 and min(episode.returns) > 0
    assert all(len(chosen) == 2 for chosen in episode.actions)


@pytest.mark.exhaustive
def test_the_planner_plans_again_where_chance_has_its_way() -> None:
    slippery = World("FourByThree", compiled=False)
    episodes = [play(slippery, [Planner()], seed=seed) for seed in range(20)]
    assert sum(e.success for e in episodes) > 10


def test_a_planner_with_too_little_room_acts_at_random(world: World) -> None:
    episode = play(world, [Planner(limit=2)], seed=0, limit=5)
    assert 0 < episode.length <= 5


def test_states_can_be_watched(world: World) -> None:
    ticks = []
    episode = play(world, [random_action], seed=0, limit=10, watch=lambda state: ticks.append(state.tick))
    assert ticks == list(range(episode.length + 1))
