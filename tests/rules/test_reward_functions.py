import math
from functools import partial

import pytest

from gridarium.rules import reward_functions as r
from gridarium.rules.search import path_length
from gridarium.world.actions import Action
from gridarium.world.geometry import Position
from gridarium.world.objects import Door, Exit, Floor, Key, Lava, Telepod
from tests.differential import check, random_states
from tests.maps import EDGED, RED, YELLOW, world

STAY = Action.WAIT
AHEAD = Action.MOVE_FORWARD


def worth(rule, before, after=None, action=STAY):
    """What a rule gives for a step between two worlds; it is always a float."""
    state = world(before, vocabulary=EDGED) if isinstance(before, str) else before
    next_state = (
        state if after is None else world(after, vocabulary=EDGED) if isinstance(after, str) else after
    )
    reward = rule(state, action, next_state)
    assert type(reward) is float
    return reward


class TestPlaces:
    @pytest.mark.parametrize(("symbol", "reward"), [("E", 5.0), (".", -2.0), ("T", -2.0)])
    def test_reach_exit_rewards_being_on_an_exit(self, symbol, reward):
        state = world(">")
        state.grid[0, 0] = world(symbol).grid[0, 0]
        assert worth(partial(r.reach_exit, reward_on=5, reward_off=-2), "..", state) == reward

    def test_overlap_is_for_any_type(self):
        on_lava = world("~")
        assert worth(partial(r.overlap, object_type=Lava, reward_on=-1), ".", on_lava) == -1.0
        assert worth(partial(r.overlap, object_type=Telepod), ".", on_lava) == 0.0
        assert worth(partial(r.overlap, object_type=(Lava, Telepod)), ".", on_lava) == 1.0

    def test_bumping_into_a_moving_obstacle_is_being_where_it_is(self):
        assert worth(r.bump_moving_obstacle, ".", "o") == -1.0
        assert worth(r.bump_moving_obstacle, "o", ".") == 0.0
        assert worth(partial(r.bump_moving_obstacle, reward=-3), ".", "o") == -3.0

    def test_living_costs_the_same_everywhere(self):
        assert worth(r.living_reward, "E") == -1.0
        assert worth(partial(r.living_reward, reward=2), ".") == 2.0


class TestPunctuality:
    def test_a_late_exit_is_worth_less(self):
        state = world("E")
        rule = partial(r.reach_exit_discounted, horizon=100)
        assert worth(rule, state) == 1.0
        state.data[0] = 50
        assert worth(rule, state) == pytest.approx(1 - 0.9 * 50 / 100)
        assert worth(partial(rule, reward_on=2, decay=0.5), state) == 1.5
        assert worth(rule, ".") == 0.0

    def test_any_reward_can_be_made_to_fade(self):
        state = world("E")
        state.data[0] = 10
        fading = partial(r.discounted, reward_function=r.living_reward, decay=1.0, horizon=40)
        assert worth(fading, state) == -0.75
        exit_reward = partial(r.discounted, reward_function=r.reach_exit, horizon=40)
        assert worth(exit_reward, state) == worth(partial(r.reach_exit_discounted, horizon=40), state)


class TestWalls:
    @pytest.mark.parametrize(
        ("picture", "action", "reward"),
        [
            (">#", Action.MOVE_FORWARD, -1.0),
            (">#", Action.RIGHT, -1.0),
            ("#>", Action.MOVE_BACKWARD, -1.0),
            (">.", Action.MOVE_FORWARD, 0.0),
            (">#", Action.MOVE_LEFT, 0.0),
            (">#", Action.TURN_LEFT, 0.0),
            (">#", Action.ACTUATE, 0.0),
            (">C", Action.MOVE_FORWARD, 0.0),
        ],
    )
    def test_a_move_against_a_wall_is_a_bump(self, picture, action, reward):
        assert worth(r.bump_into_wall, picture, action=action) == reward

    def test_walls_on_edges_count(self):
        state = world(">.\n..", vocabulary=EDGED)
        state.grid.set_wall(Position(0, 0), Position(0, 1))
        assert worth(r.bump_into_wall, state, action=AHEAD) == -1.0
        assert worth(r.bump_into_wall, state, action=Action.TURN_LEFT) == 0.0
        assert worth(r.bump_into_wall, state, action=Action.MOVE_RIGHT) == 0.0


class TestDistance:
    def test_the_reward_grows_with_the_distance(self):
        away = partial(r.proportional_to_distance, object_type=Exit)
        assert worth(away, "..", "^..\n..E") == -3.0
        far = partial(away, distance_function=Position.euclidean_distance, reward_per_unit_distance=2)
        assert worth(far, "..", "^..\n..E") == pytest.approx(2 * math.sqrt(5))

    @pytest.mark.parametrize("picture", ["^.", "^EE"])
    def test_there_has_to_be_exactly_one_such_object(self, picture):
        with pytest.raises(ValueError, match=r"objects of type .* in the grid, not one"):
            worth(partial(r.proportional_to_distance, object_type=Exit), "^E", picture)
        with pytest.raises(ValueError, match="not one"):
            worth(partial(r.getting_closer, object_type=Exit), "^E", picture)
        with pytest.raises(ValueError, match="not one"):
            worth(partial(r.getting_closer_shortest_path, object_type=Exit), picture, "^E")

    @pytest.mark.parametrize("rule", [r.getting_closer, r.getting_closer_shortest_path])
    def test_steps_towards_and_away_are_told_apart(self, rule):
        closer = partial(rule, object_type=Exit, reward_closer=0.25, reward_further=-2)
        assert worth(closer, ">..E", ".>.E") == 0.25
        assert worth(closer, ".>.E", ">..E") == -2.0
        assert worth(closer, ".>.E", ".<.E") == 0.0

    def test_the_object_may_be_what_moves(self):
        assert worth(partial(r.getting_closer, object_type=Exit), ">.E.", ">E..") == 1.0

    def test_a_path_leads_round_walls_and_the_straight_line_does_not(self):
        before = ">#E\n.#.\n..."
        after = ".#E\nv#.\n..."
        assert worth(partial(r.getting_closer_shortest_path, object_type=Exit), before, after) == 1.0
        assert worth(partial(r.getting_closer, object_type=Exit), before, after) == -1.0

    def test_a_way_that_opens_is_a_way_that_gets_shorter(self):
        closer = partial(r.getting_closer_shortest_path, object_type=Exit)
        assert worth(closer, ">.C.E", ">.O.E") == 1.0
        assert worth(closer, ">.O.E", ">.L.E") == -1.0
        assert worth(closer, ">.L.E", ".>L.E") == 0.0

    def test_path_lengths_are_those_of_a_walk(self):
        state = world("^.#.\n.#..\n....\nE..b", vocabulary=EDGED)
        start = Position(3, 0)
        assert path_length(state, start, start) == 0.0
        assert path_length(state, start, Position(0, 1)) == 4.0
        assert path_length(state, start, Position(0, 3)) == 6.0
        assert path_length(state, start, Position(0, 2)) == math.inf
        assert path_length(state, Position(3, 3), start) == 3.0, "the start may block"
        state.grid.set_wall(Position(3, 0), Position(2, 0))
        assert path_length(state, start, Position(0, 0)) == 5.0
        assert state.scratch[0] == 0


class TestDoing:
    def test_opening_and_closing_a_door_is_rewarded(self):
        rule = partial(r.actuate_door, reward_open=3, reward_close=-3)
        assert worth(rule, ">L", ">O", Action.ACTUATE) == 3.0
        assert worth(rule, ">O", ">C", Action.ACTUATE) == -3.0
        assert worth(rule, ">C", ">C", Action.ACTUATE) == 0.0
        assert worth(rule, ">C", ">L", Action.ACTUATE) == 0.0
        assert worth(rule, ">L", ">O", Action.TURN_LEFT) == 0.0
        assert worth(rule, ">L", ">.", Action.ACTUATE) == 0.0
        assert worth(rule, ">.", ">.", Action.ACTUATE) == 0.0

    def test_there_is_no_door_beyond_the_edge(self):
        assert worth(r.actuate_door, "C<\nL>", action=Action.ACTUATE) == 0.0
        assert worth(r.actuate_door, ">", action=Action.ACTUATE) == 0.0

    def test_picking_and_dropping_is_told_by_what_is_held(self):
        empty, key = world(">"), world(">", holds=Key(YELLOW))
        rule = partial(r.pickndrop, object_type=Key, reward_pick=2, reward_drop=-2)
        assert worth(rule, empty, key) == 2.0
        assert worth(rule, key, empty) == -2.0
        assert worth(rule, key, world(">", holds=Key(RED))) == 0.0
        assert worth(rule, empty, empty, Action.PICK_N_DROP) == 0.0

    def test_only_what_was_wanted_is_rewarded(self):
        empty, red, yellow = (world(">", holds=h) for h in (None, Key(RED), Key(YELLOW)))
        assert worth(partial(r.pick_up, object_type=Key), empty, red) == 1.0
        wanted = partial(r.pick_up, object_type=Key, color=YELLOW, reward_on=4, reward_off=-1)
        assert worth(wanted, empty, yellow) == 4.0
        assert worth(wanted, red, yellow) == 4.0
        assert worth(wanted, empty, red) == -1.0
        assert worth(wanted, yellow, yellow) == -1.0


class TestMemory:
    @pytest.mark.parametrize(("color", "reward"), [(RED, 5.0), (YELLOW, -5.0)])
    def test_the_good_exit_has_the_color_of_the_beacon(self, color, reward):
        state = world(">.\n.*", on=Exit(color))
        assert worth(partial(r.reach_exit_memory, reward_good=5, reward_bad=-5), state) == reward

    def test_elsewhere_there_is_nothing_to_gain(self):
        assert worth(r.reach_exit_memory, ">*") == 0.0

    def test_without_a_beacon_nothing_is_good(self):
        with pytest.raises(ValueError, match="needs a Beacon"):
            worth(r.reach_exit_memory, "E")


class TestReducing:
    PARTS = (partial(r.living_reward, reward=-0.5), r.reach_exit, partial(r.reach_exit, reward_on=3))

    @pytest.mark.parametrize(("reduction", "reward"), [(sum, 3.5), (max, 3.0), (min, -0.5)])
    def test_several_rewards_become_one(self, reduction, reward):
        assert worth(partial(r.reduce, reward_functions=self.PARTS, reduction=reduction), "E") == reward

    def test_a_sum_is_the_usual_way(self):
        assert worth(partial(r.reduce_sum, reward_functions=self.PARTS), "E") == 3.5
        assert worth(partial(r.reduce_sum, reward_functions=()), "E") == 0.0

    def test_parts_that_need_randomness_get_the_same_as_alone(self):
        state = world("E")
        gamble = partial(r.reduce_sum, reward_functions=(toss, r.living_reward))
        assert worth(gamble, state.copy()) == toss(state, STAY, state, rng=state.rng) - 1.0
        assert worth(partial(gamble, rng=state.stream(3)), state) == worth(toss_alone, state) - 1.0


def toss(state, action, next_state, *, rng):
    return rng.random()


def toss_alone(state, action, next_state):
    return toss(state, action, next_state, rng=state.stream(3))


def one_exit(states):
    """The same states with exactly one exit each."""
    for i, state in enumerate(states):
        for p in state.grid.positions():
            if isinstance(state.grid[p], Exit):
                state.grid[p] = Floor()
        state.grid[i % 5, i % 6] = Exit()
    return states


ON_ANY_STATES = {
    "overlap": partial(r.overlap, object_type=(Door, Telepod), reward_on=3),
    "living_reward": partial(r.living_reward, reward=-0.1),
    "reach_exit": partial(r.reach_exit, reward_on=5),
    "reach_exit_discounted": partial(r.reach_exit_discounted, horizon=7),
    "discounted": partial(r.discounted, reward_function=partial(r.reach_exit, reward_off=0.5), horizon=7.5),
    "bump_moving_obstacle": r.bump_moving_obstacle,
    "bump_into_wall": r.bump_into_wall,
    "actuate_door": r.actuate_door,
    "pickndrop": partial(r.pickndrop, object_type=Key),
    "pick_up": partial(r.pick_up, object_type=Key),
    "pick_up of a color": partial(r.pick_up, object_type=Key, color=RED, reward_on=2),
    "reach_exit_memory": r.reach_exit_memory,
    "proportional_to_distance fails": partial(r.proportional_to_distance, object_type=Key),
    "reduce": partial(r.reduce, reward_functions=TestReducing.PARTS, reduction=max),
    "reduce_sum": partial(r.reduce_sum, reward_functions=(*TestReducing.PARTS, toss)),
}
WITH_ONE_EXIT = {
    "proportional_to_distance": partial(r.proportional_to_distance, object_type=Exit),
    "getting_closer": partial(
        r.getting_closer, object_type=Exit, distance_function=Position.euclidean_distance
    ),
    "getting_closer_shortest_path": partial(
        r.getting_closer_shortest_path, object_type=Exit, reward_closer=1
    ),
}


@pytest.mark.parametrize("name", ON_ANY_STATES)
@pytest.mark.sampled(16)
def test_compiled_rewards_are_the_interpreted_ones(name):
    outcomes = check("reward", ON_ANY_STATES[name], random_states(EDGED, 12, agents=2, seed=1))
    assert all(isinstance(o, float | ValueError) for o in outcomes)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", WITH_ONE_EXIT)
def test_compiled_distances_are_the_interpreted_ones(name):
    states = one_exit(random_states(EDGED, 60, agents=2, seed=2, fill=0.3))
    outcomes = check("reward", WITH_ONE_EXIT[name], states, actions=[STAY])
    assert len(set(outcomes)) > 2
