"""Codes of kinds, statuses and colors in arrays: gym-gridverse's, as measured there."""

import dataclasses
import functools
from types import SimpleNamespace

import numpy as np
import pytest

from gridarium.compiled.cache.fingerprint import fingerprint
from gridarium.engine import World
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.observe.codes import codes
from gridarium.rules.observation_functions import full_grid
from gridarium.world import Action, Color, Key, Orientation, Position
from gridarium.world.compiled.resolver import WorldResolver
from gridarium.worlds import Description, catalogue, spec
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.worlds import arena, catalogue_world, random_actions

NAMES = ("default", "no-overlap", "compact")


def represented(name, representation, observe="observation"):
    """A world of the catalogue with another representation, interpreted."""
    data = catalogue.description(name).to_dict() | {"representation": representation}
    return World(ComposedWorld(spec(Description.from_dict(data)), compiled=False, observe=observe))


def highest(name, representation, **options):
    return list(codes(representation, catalogue_world(name, compiled=False).spec.vocabulary, **options).high)


def test_a_yellow_key_has_gym_gridverses_codes():
    expected = {"default": [6, 0, 4], "no-overlap": [6, 7, 15], "compact": [6, 15, 17]}
    for representation in NAMES:
        world = represented("KeyDoor-7x7", representation)
        state = world.reset(0)
        state.agent.grid_object = Key(Color.YELLOW)
        assert world.arrays(state)["item"].tolist() == expected[representation]


# In gym-gridverse the default representation's bound for statuses is one too large (T, S, C where S is a count);
# ours is exact, one smaller. The other two are the same, numbers that no object uses included.
@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("KeyDoor-7x7", ([6, 3, 4], [6, 10, 15], [6, 15, 17])),
        ("FourRooms-7x7", ([4, 1, 0], [4, 6, 7], [4, 9, 10])),
        ("DynamicObstacles-5x5", ([7, 1, 0], [7, 9, 10], [5, 11, 12])),
        ("MemoryFourRooms-7x7", ([10, 1, 4], [10, 12, 17], [5, 11, 16])),
        ("Teleport-5x5", ([9, 1, 1], [9, 11, 13], [5, 11, 13])),
    ],
)
def test_bounds_are_gym_gridverses_but_for_the_default_status_which_is_exact(name, theirs):
    default, no_overlap, compact = theirs
    assert highest(name, "default") == [default[0], default[1] - 1, default[2]]
    assert highest(name, "no-overlap") == no_overlap
    assert highest(name, "compact") == compact


def test_in_whole_states_nothing_is_hidden():
    assert highest("KeyDoor-7x7", "compact", of_state=True) == [5, 13, 15]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("representation", NAMES)
@pytest.mark.parametrize("observe", ["observation", "state", "both"])
@pytest.mark.parametrize("name", ["KeyDoor-7x7", "TwoAgents-DoorKey-8x8", "MemoryFourRooms-7x7"])
def test_arrays_stay_within_their_bounds(name, observe, representation):
    world = represented(name, representation, observe)
    batch = world.batch(4)
    given = [batch.reset(0)]
    given += [batch.step(chosen).observations for chosen in random_actions(world, 12, 4)]
    for output in world.composed.outputs:
        low, high = np.broadcast_to(output.low, output.shape), np.broadcast_to(output.high, output.shape)
        for arrays in given:
            array = arrays[output.name]
            assert array.dtype == output.dtype
            assert array.shape[-len(output.shape) :] == output.shape
            assert (array >= low).all()
            assert (array <= high).all()


@pytest.mark.parametrize("representation", NAMES)
def test_codes_tell_objects_apart(representation):
    world = represented("KeyDoor-7x7", representation)
    vocabulary = world.spec.vocabulary
    seen = {}
    for seed in range(10):
        state = world.reset(seed)
        for action in (Action.MOVE_FORWARD, Action.TURN_LEFT, Action.ACTUATE):
            state = world.step(state, action)[0]
            grid, arrays = world.observe(state).grid, world.arrays(state)["grid"]
            for p in grid.positions():
                assert seen.setdefault(tuple(arrays[p.y, p.x]), grid[p]) == grid[p]
    assert len({vocabulary.encode(thing) for thing in seen.values()}) == len(seen) > 4


def test_codes_of_different_channels_do_not_overlap_where_they_should_not():
    for representation in ("no-overlap", "compact"):
        world = represented("KeyDoor-7x7", representation)
        batch = world.batch(20)
        grid = batch.reset(0)["grid"]
        channels = [set(np.unique(grid[..., c]).tolist()) for c in range(3)]
        assert not (channels[0] & channels[1] or channels[1] & channels[2] or channels[0] & channels[2])


def test_compact_codes_have_no_gaps():
    for name in ("KeyDoor-7x7", "MemoryFourRooms-7x7", "Teleport-5x5"):
        vocabulary = catalogue_world(name, compiled=False).spec.vocabulary
        table = codes("compact", vocabulary).table
        used = [table[number] for number in vocabulary.kinds]
        used += [
            table[64 + 16 * n + s] for n, kind in vocabulary.kinds.items() for s in range(kind.num_states())
        ]
        used += [table[64 + 64 * 16 + color] for color in vocabulary.colors]
        assert used == list(range(len(used)))


def test_codes_that_a_byte_does_not_hold_are_refused():
    kind = SimpleNamespace(num_states=lambda: 14)
    vocabulary = SimpleNamespace(kinds=dict.fromkeys(range(20), kind), colors=range(6))
    with pytest.raises(ValueError, match="representation compact needs 306 numbers .* a byte holds 256"):
        codes("compact", vocabulary)
    assert codes("default", vocabulary).high == (19, 13, 5)


def test_the_agent_is_marked_in_its_grid():
    world = catalogue_world("KeyDoor-7x7", compiled=False)
    ids = world.arrays(world.reset(0))["agent_id_grid"]
    assert ids.sum() == 1
    assert ids[6, 3] == 1


def test_a_whole_state_tells_where_the_agent_is():
    world = represented("KeyDoor-7x7", "default", "state")
    state = world.reset(0)
    state.agent.position, state.agent.orientation = Position(1, 5), Orientation.LEFT
    arrays = world.arrays(state)
    assert set(arrays) == {"grid", "agent_id_grid", "agent", "item"}
    assert arrays["grid"].shape == (7, 7, 3)
    assert np.argwhere(arrays["agent_id_grid"]).tolist() == [[1, 5]]
    np.testing.assert_allclose(arrays["agent"], [(2 * 1 - 6) / 6, (2 * 5 - 6) / 6, 0, 0, 1, 0])


def test_both_are_given_side_by_side():
    state = catalogue_world("KeyDoor-7x7", compiled=False).reset(0)
    seen, whole, both = (
        represented("KeyDoor-7x7", "default", observe).arrays(state)
        for observe in ("observation", "state", "both")
    )
    assert both.keys() == seen.keys() | {f"state.{name}" for name in whole}
    for name, array in seen.items():
        np.testing.assert_array_equal(both[name], array)
    for name, array in whole.items():
        np.testing.assert_array_equal(both[f"state.{name}"], array)


def test_other_agents_are_seen_with_their_heading_as_seen():
    world = arena((2, 2), (0, 2), observation={"name": "fully_transparent", "area": [[-2, 2], [-2, 2]]})
    state = world.reset(0)
    state.agents[0].orientation, state.agents[1].orientation = Orientation.FORWARD, Orientation.RIGHT
    ids = world.arrays(state)["agent_id_grid"]
    assert ids[0][0, 2] == 2 + Orientation.RIGHT.value
    state.agents[0].orientation = Orientation.RIGHT
    ids = world.arrays(state)["agent_id_grid"]
    assert ids[0][2, 0] == 2 + Orientation.FORWARD.value, "to its left, heading where it heads"
    assert ids[1][2, 4] == 2 + Orientation.FORWARD.value


def test_an_unknown_representation_is_refused():
    with pytest.raises(ValueError, match="is not among: default, no-overlap, compact"):
        represented("KeyDoor-7x7", "one-hot")


@pytest.mark.parametrize("observe", ["observation", "state", "both"])
@pytest.mark.parametrize("more", [{}, {"sensors": True}])
def test_one_program_serves_all_representations_of_cells(observe, more) -> None:
    """So a learner's environment compiles nothing that another one of the same world has compiled."""
    names = ("default", "no-overlap", "compact", "symbolic")
    worlds = [World("GhostGrid-4x5", representation={"name": name, **more}, compiled=False) for name in names]
    composed_worlds = [ComposedWorld(world.spec, compiled=False, observe=observe) for world in worlds]
    programs = {
        fingerprint(composed.program.run, WorldResolver(composed.vocabulary)) for composed in composed_worlds
    }
    assert len(programs) == 1
    assert len({str(composed.outputs) + str(composed.tables) for composed in composed_worlds}) == 4


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_representations_may_list_the_agents_pose(compiled):
    world = World(
        "Empty-4x4",
        representation={"name": "compact", "fields": ["orientation", "position"]},
        compiled=compiled,
    )
    state = world.reset(0)
    state.agent.position, state.agent.orientation = Position(2, 1), Orientation.LEFT
    assert world.arrays(state)["fields"].tolist() == [2.0, 2.0, 1.0]
    output = next(o for o in world.composed.outputs if o.name == "fields")
    assert np.broadcast_to(output.low, 3).tolist() == [0, -1, -1]
    assert np.broadcast_to(output.high, 3).tolist() == [3, 1023, 1023]


@pytest.mark.parametrize("representation", [*NAMES, "symbolic", "rgb"])
def test_the_whole_grid_is_written_as_a_rule_returns_it(representation):
    def copied(state):
        return full_grid(state)

    data = catalogue.description("Tron-15x15-4p").to_dict() | {"representation": representation}
    given = spec(Description.from_dict(data))
    direct, by_rule = (
        World(one, compiled=False).batch(1)
        for one in (given, dataclasses.replace(given, observation=functools.partial(copied)))
    )
    rng = np.random.default_rng(0)
    shown = direct.reset(0), by_rule.reset(0)
    for _ in range(6):
        for name, array in shown[0].items():
            np.testing.assert_array_equal(array, shown[1][name])
        actions = rng.integers(3, size=(1, 4))
        shown = direct.step(actions).observations, by_rule.step(actions).observations
