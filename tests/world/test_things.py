"""Things: objects with an identity, in cells and carried, interpreted and compiled alike."""

import pickle

import numpy as np
import pytest

from gridarium.compiled.source_pass.source import Unsupported
from gridarium.draw import svg, text
from gridarium.engine import World
from gridarium.engine.outcomes.interpreted import step_outcomes
from gridarium.testing.differential import compare, run_compiled
from gridarium.world import (
    Action,
    Color,
    Door,
    Field,
    Floor,
    GridObject,
    Hidden,
    NoneGridObject,
    Position,
    State,
    Wall,
)
from gridarium.world.text_form.json import from_json, to_json
from gridarium.world.text_form.plain_data import InvalidData
from gridarium.world.text_form.state_text import from_text, to_text
from gridarium.world.things import Thing
from gridarium.world.vocabulary import Vocabulary
from gridarium.worlds import Description, DescriptionError, Spec
from tests.compiled_worlds import INTERPRETED_AND_COMPILED

GRAB, DROP, EDIT = (Action.declare(name) for name in ("GRAB_THING", "DROP_ALL", "EDIT"))


class Brick(GridObject):
    """Carried about."""

    glyph = "x"
    colored = holdable = True


class Boulder(GridObject):
    """Blocks the way and the view."""

    glyph = "c"
    blocks_movement = blocks_vision = True
    heavy = True


MAP = """
#######
#..x..#
#.c...#
#..0.1#
#######
"""
LEGEND = {
    "x": {"name": "tests.world.test_things:Brick", "color": "RED"},
    "0": {"agent": 0},
    "1": {"agent": 1},
}


def carry(state, action):
    """Grab what lies here, drop everything."""
    if action.is_a(GRAB):
        thing = state.things[action.thing]
        if (
            thing.exists
            and not thing.is_carried
            and isinstance(thing, Brick)
            and state.can_carry(state.agent)
        ):
            thing.carrier = state.agent
            thing.weight += 1
    if action == DROP:
        for thing in state.carried_by(state.agent):
            thing.position = state.agent.position


def edit(state, action):
    """Add, remove, move and read things."""
    here = state.agent.position
    if action.value % 4 == 0 and len(state.things) < 5:
        added = state.add(Brick(Color.BLUE), here)
        added.weight = action.value / 2
    elif action.value % 4 == 1:
        for thing in state.things:
            if thing.color == Color.RED:
                state.remove(thing)
    elif action.value % 4 == 2:
        for thing in state.things_at(here):
            thing.object = Brick(Color.GREEN)
            thing.weight = -1.0
    else:
        for thing in state.things:
            if not thing.is_carried and not thing.blocks_movement and state.can_carry(state.agent):
                thing.carrier = state.agent
                break
    total = 0
    for thing in state.carried_by(state.agent):
        total += thing.number + 1
    state.agent.load = total + 100 * len(state.things_at(here)) + len(state.carried_by(state.agent))


def edit_if_asked(state, action):
    """Edit by an action of its own."""
    if action.is_a(EDIT):
        edit(state, action)


def overfill(state, action):
    """Add more than fit."""
    for _ in range(action.value + 1):
        state.add(Boulder(), state.agent.position)


def heavy(state, action):
    """Attributes of kinds, equality; a row of the table without a thing, as a removed one leaves it."""
    none = state.things[5]
    if not none.exists and isinstance(none, GridObject) and none.object == NoneGridObject():
        state.agent.load += 1000 + none.blocks_vision
        state.agent.grid_object = none.object
    for thing in state.things:
        if isinstance(thing, Boulder) and thing.heavy:
            state.agent.load += 1
        for other in state.things:
            if thing == other:
                state.agent.load += 10
            if thing != other and thing.position == other.position:
                state.agent.load += 100


def build(transitions=("move_agent", carry, edit_if_asked), **changes):
    described = {
        "name": "Blocks", "objects": [Floor, Wall, Brick, Boulder], "colors": ["RED", "GREEN", "BLUE"], "agents": 2,
        "things": {"capacity": 6, "kinds": ["tests.world.test_things:Brick", "tests.world.test_things:Boulder"], "carried": 2},
        "fields": {"thing": [{"name": "weight", "default": 2.5}], "agent": [{"name": "load", "type": "int"}]},
        "actions": ["WAIT", "MOVE_FORWARD", "MOVE_LEFT", "MOVE_RIGHT", {"name": "GRAB_THING", "over": "things"}, {"name": "DROP_ALL", "declare": True}, {"name": "EDIT", "over": 4}],
        "map": {"picture": MAP.strip("\n"), "legend": LEGEND},
        "transitions": list(transitions),
        "observation": {"name": "fully_transparent", "area": [[-2, 0], [-1, 1]]},
    }  # fmt: skip
    return Spec.build(**described | changes)


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
def world(request):
    return World(build(), compiled=request.param)


def step(world, state, *names):
    return world.step(state, [world.actions.parse(name) for name in names])[0]


def test_maps_put_listed_kinds_as_things_on_floor(world):
    state = world.reset(0)
    assert [(type(t.object).__name__, t.position.yx, t.weight) for t in state.things] == [
        ("Brick", (1, 3), 2.5),
        ("Boulder", (2, 2), 2.5),
    ]
    assert isinstance(state.grid[1, 3], Floor) and isinstance(state.things[0], Brick)
    assert not isinstance(state.things[0], Boulder) and type(state.things[0]) is Thing
    assert not state.things[2].exists
    with pytest.raises(IndexError, match="numbered from 0 to 5; got 6"):
        state.things[6]


def test_carried_things_follow_their_carrier(world):
    state = step(world, world.reset(0), "GRAB_THING(0)", "WAIT")
    thing = state.things[0]
    assert thing.is_carried and thing.carrier.number == 0 and thing.weight == 3.5
    assert thing.position == state.agents[0].position and len(state.things_at(thing.position)) == 0
    state = step(world, state, "MOVE_FORWARD", "WAIT")
    assert state.things[0].position == state.agents[0].position == Position(2, 3)
    state = step(world, state, "DROP_ALL", "WAIT")
    assert not state.things[0].is_carried and [t.number for t in state.things_at(Position(2, 3))] == [0]
    with pytest.raises(ValueError, match="nobody carries"):
        state.things[0].carrier  # noqa: B018


def test_what_is_carried_lies_where_its_carrier_left(world):
    state = step(world, world.reset(0), "GRAB_THING(0)", "WAIT")
    place = state.agents[0].position
    state.agents[0].active = False
    assert not state.things[0].is_carried and state.things[0].position == place
    assert [t.number for t in state.things_at(place)] == [0]


def test_things_block_the_way_as_their_kind_says(world):
    state = world.reset(0)
    state.agents[0].position = Position(2, 3)
    moved = step(world, state, "MOVE_LEFT", "WAIT")
    assert moved.agents[0].position == Position(2, 3)  # the crate
    state.agents[0].position = Position(1, 2)
    assert step(world, state, "MOVE_RIGHT", "WAIT").agents[0].position == Position(1, 3)  # the block


def test_observations_show_the_topmost_thing_and_what_is_carried(world):
    state = world.reset(0)
    view = world.observe(state, 0)
    assert isinstance(view.grid[0, 1], Brick) and isinstance(view.grid[1, 0], Boulder)
    carried = step(world, state, "GRAB_THING(0)", "WAIT")
    view = world.observe(carried, 0)
    assert isinstance(view.grid[0, 1], Floor) and isinstance(view.agent.grid_object, Brick)
    batch = world.batch(1)
    arrays = batch.reset(0)
    block, crate = (world.spec.vocabulary.number_of(kind) for kind in (Brick, Boulder))
    assert arrays["grid"][0, 0, 0, 1, 0] == block and arrays["grid"][0, 0, 1, 0, 0] == crate
    actions = [[world.actions.parse("GRAB_THING(0)"), 0]]
    assert batch.step(actions).observations["item"][0, 0, 0] == block


@pytest.mark.exhaustive
def test_interpreted_and_compiled_agree_over_episodes():
    results = []
    for compiled in (False, True):
        world = World(build(), compiled=compiled)
        batch, seen = world.batch(4), []
        batch.reset(7)
        rng = np.random.default_rng(1)
        for _ in range(60):
            result = batch.step(rng.integers(len(world.actions), size=(4, 2)))
            seen += [batch.state(i).tobytes() for i in range(4)] + [
                a.tobytes() for a in result.observations.values()
            ]
        results.append(seen)
    assert results[0] == results[1]


@pytest.mark.exhaustive
def test_it_compiles():
    world = World(build(), compiled=True)
    world.batch(1).reset(0)
    assert world.composed.prepare() is not None


def states():
    vocabulary = Vocabulary(
        [Floor, Wall, Brick, Boulder], [Color.RED, Color.GREEN, Color.BLUE], thing_capacity=6, most_carried=2,
        thing_fields=[Field("weight", "float", 2.5)], agent_fields=[Field("load", "int")],
    )  # fmt: skip
    empty = State.blank((3, 3), vocabulary, 2)
    some = empty.copy()
    some.agents[1].position = Position(1, 2)
    for i in range(4):
        some.add(Brick(Color.RED) if i % 2 else Boulder(), Position(i % 3, 0))
    some.things[1].carrier = some.agents[1]
    left = some.copy()
    left.agents[1].active = False
    left.remove(left.things[3])
    return [empty, some, left]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("rule", [edit, heavy])
def test_rules_do_the_same_compiled(rule):
    found = compare("transition", rule, states())
    assert not any(isinstance(outcome, Exception) for outcome in found if not isinstance(outcome, ValueError))


WARM = Vocabulary(
    [Floor, Brick],
    [Color.RED],
    thing_capacity=2,
    world_fields=[Field("heat", "int")],
    thing_fields=[Field("heat", "float")],
)


def warm(state, action):
    for thing in state.things:
        thing.heat += 0.75


def test_a_float_field_of_things_keeps_its_fraction_where_another_field_of_its_name_is_an_int():
    state = State.blank((2, 2), WARM)
    state.add(Brick(Color.RED), Position(0, 0))
    compare("transition", warm, [state])
    warm(state, Action.WAIT)
    assert state.things[0].heat == 0.75


def test_a_full_table_raises_in_both():
    found = compare("transition", overfill, states())
    assert any(isinstance(outcome, OverflowError) for outcome in found)
    with pytest.raises(OverflowError, match="room for 6 things"):
        overfill(states()[1], Action(9))


def test_an_agent_carries_as_many_as_the_world_allows():
    state = states()[0]
    added = [state.add(Brick(Color.RED), Position(0, 0)) for _ in range(3)]
    added[0].carrier = added[1].carrier = state.agent
    added[1].carrier = state.agent  # again: nothing changes
    with pytest.raises(ValueError, match="as many things as this world allows"):
        added[2].carrier = state.agent


def test_numbers_of_removed_things_are_used_again():
    state = states()[1]
    state.remove(state.things[1])
    assert [t.number for t in state.things] == [0, 2, 3] and len(state.things) == 3
    assert state.add(Boulder(), Position(2, 2)).number == 1
    for thing in list(state.things):
        state.remove(thing)
    assert state == states()[0] or state.data.tolist()[8:] == states()[0].data.tolist()[8:]


def test_states_survive_text_json_pickle(world):
    state = step(world, world.reset(0), "GRAB_THING(0)", "WAIT")
    for back in (from_json(to_json(state)), from_text(to_text(state)), pickle.loads(pickle.dumps(state))):
        assert back.identical(state), to_text(state)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"carrier": 0', '"carrier": 5'), r"things\[0\].carrier: 5 is not from 0 to 1"),
        (('"number": 1', '"number": 0'), "a second time"),
        (('"number": 1', '"number": 9'), "9 is not from 0 to 5"),
    ],
)
def test_wrong_records_are_named(world, change, message):
    state = step(world, world.reset(0), "GRAB_THING(0)", "WAIT")
    text = to_json(state)
    assert change[0] in text
    with pytest.raises(InvalidData, match=message):
        from_json(text.replace(*change))


def test_pictures_and_text_show_things(world):
    state = world.reset(0)
    assert "Brick" in text(state) and "x" in text(state)
    gone = state.copy()
    for thing in list(gone.things):
        gone.remove(thing)
    assert svg(state) != svg(gone) and "Brick" not in text(gone)


def test_outcomes_include_things(world):
    (outcome,) = step_outcomes(world, world.reset(0), [world.actions.parse("GRAB_THING(0)"), 0])
    assert outcome


def test_undeclared_attributes_are_named():
    state = states()[1]
    with pytest.raises(AttributeError, match="thing fields that the world declares: weight"):
        state.things[0].color_of = 3
    with pytest.raises(AttributeError, match="thing.wieght is not known"):
        state.things[0].wieght  # noqa: B018


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"things": 0}, "greater than or equal to 1|at least 1"),
        ({"things": {"capacity": 3, "carry": 1}}, "unknown key 'carry'"),
        ({"fields": {"thing": ["weight"]}}, "this world has no things"),
        ({"actions": [{"name": "GRAB_THING", "over": "things"}]}, "this world has no things"),
    ],
)
def test_wrong_descriptions_are_named(given, message):
    described = {"objects": ["Floor"], "shape": [2, 2], "reset": "empty_room", "transitions": ["move_agent"]}
    with pytest.raises(DescriptionError, match=message):
        Spec.build(**described | given)


def test_descriptions_keep_things():
    spec = build()
    given = spec.description.to_dict()
    assert given["things"]["capacity"] == 6 and given["things"]["carried"] == 2
    assert (
        Description.from_dict(
            {
                "objects": ["Floor"],
                "shape": [2, 2],
                "reset": "empty_room",
                "transitions": ["move_agent"],
                "things": 4,
            }
        ).to_dict()["things"]
        == 4
    )


def number_of_things(state, action, next_state):
    p, agent = next_state.agent.position, next_state.agent
    found = len(next_state.things) + len(next_state.things_at(p)) + len(next_state.carried_by(agent))
    for thing in next_state.things:
        found += 1 + thing.position.y
    return found + 10 * next_state.can_carry(agent) + 100 * next_state.blocked(p)


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_rules_may_ask_for_things_in_a_world_without_any(compiled):
    near = {"name": "near", "type": "uint8", "shape": [3, 3, 3], "fill": "local_counts"}
    world = World(
        build(
            things=None,
            fields={},
            actions=["WAIT"],
            transitions=["move_agent"],
            rewards=[number_of_things],
            observations=[near],
        ),
        compiled=compiled,
    )
    batch = world.batch(50, threads=1)
    assert not batch.reset(0)["near"][..., 2].any()
    assert set(batch.step(np.zeros((50, 2), int)).rewards.ravel()) == {10.0}


def test_a_world_without_things_has_none():
    state = World(
        build(
            things=None,
            fields={},
            actions=["WAIT"],
            transitions=["move_agent"],
            map={"picture": "0.1", "legend": {"0": {"agent": 0}, "1": {"agent": 1}}},
        ),
        compiled=False,
    ).reset(0)
    with pytest.raises((OverflowError, IndexError)):
        state.add(Boulder(), Position(0, 0))
    assert isinstance(state.grid[0, 1], Floor) and not isinstance(state.grid[0, 1], Hidden | Door)


class Parcel(GridObject, register=False):
    """Its properties are those of an object, which knows nothing of its thing."""

    _weight = 3

    @property
    def first(self):
        return self.number == 0

    @property
    def laden(self):
        return self.load > 2

    @property
    def weight(self):
        return self._weight


def is_first(state, action):
    for thing in state.things:
        if isinstance(thing, Parcel) and thing.first:
            thing.load = 1


def is_laden(state, action):
    for thing in state.things:
        if isinstance(thing, Parcel) and thing.laden:
            thing.load = 0


def weighs(state, action):
    for thing in state.things:
        thing.load = thing.weight


def weighs_secretly(state, action):
    for thing in state.things:
        thing.load = thing._weight


def first_parcel(state):
    for thing in state.things:
        if isinstance(thing, Parcel):
            return thing
    return None


def weighs_the_first(state, action):
    found = first_parcel(state)
    if found is not None:
        found.load = found.weight


OF_PARCELS = Vocabulary((Floor, Parcel), thing_fields=[Field("load", "int")], thing_capacity=2)


PROPERTIES = [
    (is_first, "GridObject has no attribute 'number'"),
    (is_laden, "GridObject has no attribute 'load'"),
    (weighs_secretly, "Thing has no attribute '_weight'"),
    (weighs, None),
    (weighs_the_first, None),
]


@pytest.mark.parametrize(("rule", "why"), PROPERTIES)
def test_properties_of_a_kind_are_of_the_object_also_where_a_thing_is_asked(rule, why):
    state = State.blank((2, 2), OF_PARCELS)
    if why is not None:
        with pytest.raises(Unsupported, match=why):
            run_compiled("transition", rule, state)
        return
    state.add(Parcel(), Position(0, 0))
    assert run_compiled("transition", rule, state).things[0].load == 3


def test_a_mistake_in_a_property_is_told_as_that():
    state = State.blank((2, 2), OF_PARCELS)
    thing = state.add(Parcel(), Position(0, 0))
    with pytest.raises(AttributeError, match="'Parcel' object has no attribute 'load'"):
        _ = thing.laden
    with pytest.raises(AttributeError, match="thing.colour is not known"):
        _ = thing.colour
