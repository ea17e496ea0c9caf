"""Places, and how agents move between them."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium import World
from gridarium.beliefs import Motion, PlaceModel, Places, exact_motion, sampled_motion
from gridarium.rules import transition_functions as t
from gridarium.rules.outcomes import NotEnumerable
from gridarium.world import Action, Position
from tests.beliefs.grounds import corridor, ghost_grid

SLIP = partial(t.slip, transition_function=t.move_agent, probability=0.4)


class TestPlaces:
    def test_there_is_one_for_each_free_cell_where_headings_do_not_matter(self):
        _, model = ghost_grid()
        assert len(model.places) == 20 and model.places.one_heading
        assert model.places.positions[7].tolist() == [1, 2]

    def test_there_are_four_where_they_do(self):
        places = corridor(">.#.").reset(0)
        found = Places.of(places, [Action.MOVE_FORWARD])
        assert len(found) == 12 and not found.one_heading
        assert found.at((0, 1)).tolist() == [4, 5, 6, 7]

    def test_a_belief_is_made_of_what_is_known(self):
        world, model = ghost_grid()
        places, state = model.places, world.reset(0)
        assert places.belief().tolist() == [0.05] * 20
        assert places.belief(Position(0, 2))[2] == 1.0 == places.belief((0, 2))[2] == places.belief(state)[2]
        weights = np.arange(20.0).reshape(4, 5)
        assert places.grid(places.belief(weights)) == pytest.approx(weights / 190)

    def test_cells_are_free_whatever_heading(self):
        places = Places.of(corridor(">.").reset(0), [Action.MOVE_FORWARD])
        assert places.grid(places.belief((0, 1))).tolist() == [[0.0, 1.0]]

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            ((9, 9), "cannot be at"),
            (np.ones(3), r"float\[20\] or float\[4, 5\], not \[3\]"),
            (np.zeros(20), "some are above 0"),
            (np.full(20, -1.0), "not negative"),
            (np.full(20, np.nan), "finite"),
        ],
    )
    def test_what_is_no_belief_is_refused(self, given, words):
        with pytest.raises(ValueError, match=words):
            ghost_grid()[1].places.belief(given)


class TestExactMotion:
    def test_slip_is_listed_with_its_walls(self):
        _, model = ghost_grid()
        left = model.motion.matrix(0)
        assert left[2, [1, 2]] == pytest.approx([0.9, 0.1])  # behind the next cell there is a wall
        assert left[4, [4, 3, 2]] == pytest.approx([0.1, 0.8, 0.1])
        assert left[5, 5] == pytest.approx(1.0)

    def test_ways_that_lead_to_one_place_are_one(self):
        _, model = ghost_grid()
        for targets, shares in zip(
            model.motion.targets.reshape(-1, 3), model.motion.probabilities.reshape(-1, 3)
        ):
            assert len(set(targets[shares > 0])) == (shares > 0).sum()

    @given(st.integers(0, 3))
    def test_probabilities_add_up(self, action):
        assert ghost_grid()[1].motion.matrix(action).sum(axis=1) == pytest.approx(np.ones(20))

    def test_headings_turn(self):
        world = corridor(">..", actions=["MOVE_FORWARD", "TURN_LEFT"])
        model = PlaceModel(world, world.reset(0))
        start = model.places.place_of(world.reset(0))
        assert (
            model.motion.predict(0, model.places.belief(world.reset(0)))[model.places.number(0, 1, 3)] == 1.0
        )
        assert model.motion.matrix(1)[start, model.places.number(0, 0, 0)] == 1.0

    def test_other_agents_are_not_in_the_way(self):
        world = corridor(">>.", agents=2, actions=["RIGHT"], transitions=["move_agent"])
        assert PlaceModel(world, world.reset(0)).motion.matrix(0)[0, 1] == 1.0

    @pytest.mark.exhaustive
    def test_it_agrees_with_counting_what_the_step_does(self):
        # 240 shares from 2,000 samples each; the largest is off by more than 5 standard errors once in 7,000 seeds
        world, model = ghost_grid()
        compiled = World(world.spec)
        counted = sampled_motion(compiled, model.places, samples=2000, seed=1)
        off = max(np.abs(counted.matrix(a) - model.motion.matrix(a)).max() for a in range(4))
        assert off < 5 * 0.5 / np.sqrt(2000)

    def test_random_rules_of_all_kinds_are_listed(self):
        legend = {"T": {"name": "Telepod", "color": "YELLOW"}}
        world = corridor(
            actions=["RIGHT"],
            transitions=["move_agent", "teleport"],
            objects=["Floor", "Wall", "Telepod"],
            map={"picture": ">T.TT", "legend": legend},
        )
        model = PlaceModel(world, world.reset(0))
        assert model.motion.matrix(0)[0] == pytest.approx([0.0, 0.0, 0.0, 0.5, 0.5])

    def test_rules_for_the_whole_world_are_refused(self):
        world = corridor(transitions=["move_agent", "move_obstacles"])
        with pytest.raises(ValueError, match="move_obstacles changes the whole world"):
            PlaceModel(world, world.reset(0))

    def test_rules_that_it_cannot_list_are_named(self):
        def drift(state, action, *, rng):
            if rng.normal() > 0:
                t.move_agent(state, action)

        world = corridor(transitions=["turn_agent", drift])
        with pytest.raises(NotEnumerable, match="drift cannot be enumerated"):
            PlaceModel(world, world.reset(0))

    def test_what_changes_more_than_the_place_is_refused(self):
        world = corridor(
            ">k.",
            transitions=["pickndrop"],
            map={"picture": ">k.", "legend": {"k": {"name": "Key", "color": "YELLOW"}}},
        )
        with pytest.raises(ValueError, match=r"PICK_N_DROP changes what the agent holds.*StateFilter"):
            PlaceModel(world, world.reset(0))

    def test_rules_that_ask_for_the_tick_are_refused(self):
        def wake_up(state, action):
            if state.tick > 5:
                t.move_agent(state, action)

        world = corridor(transitions=[wake_up, "turn_agent"])
        with pytest.raises(ValueError, match="wake_up asks for the tick"):
            PlaceModel(world, world.reset(0))
        places = Places.of(world.reset(0), world.actions)
        with pytest.raises(ValueError, match="asks for the tick"):
            sampled_motion(world, places, samples=5)

    def test_actions_that_legal_rules_prevent_or_that_take_long_are_refused(self):
        world = corridor(transitions=["turn_agent"], legal=[lambda state, action: True])
        with pytest.raises(ValueError, match="legal rules .* use sampled_motion or StateFilter"):
            PlaceModel(world, world.reset(0))
        slow = corridor(transitions=["turn_agent"], actions=["WAIT", {"name": "TURN_LEFT", "duration": 2}])
        places = Places.of(slow.reset(0), slow.actions)
        for motion in (exact_motion, sampled_motion):
            with pytest.raises(ValueError, match="take several ticks.*StateFilter"):
                motion(slow, places)

    def test_targets_are_places_and_stay_as_they_are(self):
        world = corridor(transitions=["turn_agent"])
        motion = PlaceModel(world, world.reset(0)).motion
        with pytest.raises(ValueError, match="read-only"):
            motion.targets[0, 0, 0] = 10**7
        with pytest.raises(ValueError, match="targets are places, 0 to"):
            Motion(motion.targets + 10**7, motion.probabilities)
        with pytest.raises(ValueError, match="targets and probabilities are"):
            Motion(motion.targets[:1], motion.probabilities)

    def test_a_rule_sees_what_the_one_before_it_has_done(self):
        """What an action has come to is there for the next rule, whose draws go on where the first one's ended."""

        def jump(state, action):
            if action == state.agent.action and state.rng.random() < 0.5:
                state.agent.result = 7

        def land(state, action):
            if state.agent.result == 7 and state.rng.random() < 0.75:
                state.agent.position = Position(0, 3)

        world = corridor(actions=["RIGHT"], transitions=[jump, land])
        model = PlaceModel(world, world.reset(0))
        both = 0.5 * 0.75
        assert model.motion.matrix(0)[0] == pytest.approx([1 - both, 0.0, 0.0, both])
        counted = sampled_motion(world, model.places, samples=400, seed=1)
        assert counted.matrix(0)[0] == pytest.approx([1 - both, 0.0, 0.0, both], abs=5 * 0.5 / 20)

    def test_an_agent_does_what_it_can(self):
        agents = [{"actions": ["RIGHT"]}, {"actions": ["LEFT"]}]
        world = corridor(">.>.", agents=agents, actions=["LEFT", "RIGHT"], transitions=["move_agent"])
        model = PlaceModel(world, world.reset(0))
        assert model.known == [1] and model.motion.matrix(0).tolist() == np.eye(4).tolist()
        for motion in (model.motion, sampled_motion(world, model.places, samples=3)):
            assert motion.under().matrix(0)[0].tolist() == [0.0, 1.0, 0.0, 0.0]


class TestPolicies:
    def test_a_policy_mixes_the_actions(self):
        _, model = ghost_grid()
        mixed = model.motion.under([0.25, 0.25, 0.5, 0.0])
        wanted = sum(p * model.motion.matrix(a) for a, p in enumerate([0.25, 0.25, 0.5, 0.0]))
        assert mixed.matrix(0) == pytest.approx(wanted)
        assert model.motion.under().matrix(0) == pytest.approx(
            sum(model.motion.matrix(a) for a in range(4)) / 4
        )

    def test_it_may_depend_on_the_place(self):
        _, model = ghost_grid()
        policy = np.eye(4)[np.arange(20) % 4]
        mixed = model.motion.under(policy)
        assert all(mixed.matrix(0)[i] == pytest.approx(model.motion.matrix(i % 4)[i]) for i in range(20))

    @pytest.mark.parametrize("policy", [[0.5, 0.5], [0.5, 0.5, 0.5, 0.5], [1.5, -0.5, 0.0, 0.0]])
    def test_what_is_no_policy_is_refused(self, policy):
        with pytest.raises(ValueError, match="polic"):
            ghost_grid()[1].motion.under(policy)


def test_actions_are_checked():
    _, model = ghost_grid()
    assert model.action(Action.RIGHT) == 2 == model.action(2)
    with pytest.raises(ValueError, match="WAIT is not among this world's actions: LEFT"):
        model.action(Action.WAIT)
    with pytest.raises(ValueError, match="action 4 is none of the 4"):
        model.action(4)


class TestArraysOfOnesOwn:
    """Compiled filters go where targets point."""

    @staticmethod
    def arrays():
        _, model = ghost_grid()
        return np.array(model.motion.targets), np.array(model.motion.probabilities)

    @pytest.mark.parametrize("dtype", [np.int32, np.uint8, ">i8"])
    def test_whole_numbers_of_any_type_are_taken(self, dtype):
        targets, probabilities = self.arrays()
        made = Motion(targets.astype(dtype), probabilities.astype(np.float32))
        assert (made.targets.dtype, made.probabilities.dtype) == (np.int64, np.float64)
        assert np.array_equal(made.targets, targets)

    def test_they_are_copied(self):
        targets, probabilities = self.arrays()
        made, before = Motion(targets, probabilities), targets.copy()
        targets[:] = 10**12
        assert np.array_equal(made.targets, before)
        with pytest.raises(ValueError, match="read-only"):
            made.targets[0, 0, 0] = 1

    def test_others_are_refused(self):
        targets, probabilities = self.arrays()
        with pytest.raises(TypeError, match="targets are whole numbers, not float64"):
            Motion(targets.astype(float), probabilities)
        for wrong in (2 * probabilities, -probabilities):
            with pytest.raises(ValueError, match="not negative and add up to 1"):
                Motion(targets, wrong)
