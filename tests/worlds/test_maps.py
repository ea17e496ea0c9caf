"""Worlds drawn as pictures."""

import functools
from typing import Any

import pytest

from gridarium.engine import World
from gridarium.rules.reset_functions import empty
from gridarium.rules.reset_functions.maps import from_map, packed, starting_at, unpacked
from gridarium.world import Box, Color, Door, Exit, Floor, Key, Orientation, Position, State, Vocabulary, Wall
from gridarium.worlds import Description, loads
from tests.differential import blank_states, check
from tests.worlds.test_spec import begun, made, refusal

HOUSE = """\
name: House
objects: [Floor, Wall, Exit, Key, Door, Box]
colors: [YELLOW]
map:
  picture: |
    #######
    #>.D.E#
    #.KDB.#
    #######
  legend:
    D: {name: Door, status: LOCKED, color: YELLOW}
    K: {name: Key, color: YELLOW}
    B: {name: Box, content: {name: Key, color: YELLOW}}
transitions: [move_agent]
"""
MAZE = """\
name: Maze
objects: [Floor, Exit]
edges: true
map:
  picture: |
    ^ .|.
      -+
    . .|E
transitions: [move_agent]
"""


def test_a_picture_is_drawn_as_it_stands() -> None:
    world = made(HOUSE)
    state = begun(world)
    assert world.shape.as_tuple == (4, 7)
    assert state.grid[1, 3] == Door(Door.Status.LOCKED, Color.YELLOW)
    assert state.grid[2, 2] == Key(Color.YELLOW)
    assert state.grid[2, 4] == Box(Key(Color.YELLOW))
    assert state.grid[1, 5] == Exit()
    assert all(isinstance(state.grid[p], Wall) for p in state.grid.area.positions("border"))
    assert state.grid[1, 1] == Floor()
    assert state.agent.position == Position(1, 1)
    assert state.agent.orientation == Orientation.RIGHT


def test_walls_between_cells_are_drawn_where_there_are_edges() -> None:
    grid = begun(made(MAZE)).grid
    standing = {
        (p.yx, q.yx)
        for p in grid.positions()
        for q in grid.positions()
        if p.yx < q.yx and _near(p, q) and grid.has_wall(p, q)
    }
    assert standing == {((0, 1), (0, 2)), ((0, 1), (1, 1)), ((1, 1), (1, 2))}


def _near(p: Position, q: Position) -> bool:
    return Position.manhattan_distance(p, q) == 1


def test_agents_that_are_not_drawn_start_on_free_floor_at_random() -> None:
    world = made(HOUSE + "agents: 3\n")
    places = {tuple(agent.position.yx for agent in begun(world, seed).agents) for seed in range(60)}
    assert {place[0] for place in places} == {(1, 1)}
    assert {place[1] for place in places} == {(1, 2), (1, 4), (2, 1), (2, 5)}
    assert all(len(set(place)) == 3 for place in places)


def test_agents_are_numbered_in_the_order_of_the_picture_or_by_the_legend() -> None:
    text = HOUSE.replace("#.KDB.#", "#<1DB.#") + "agents: 3\n"
    state = begun(
        made(
            text.replace("  legend:", "  legend:\n    1: {agent: 1, orientation: BACKWARD}").replace(
                "1:", "'1':"
            )
        )
    )
    assert [a.position.yx for a in state.agents] == [(1, 1), (2, 2), (2, 1)]
    assert state.agents[1].orientation == Orientation.BACKWARD


def test_objects_may_be_scattered_over_the_floor() -> None:
    world = made(HOUSE.replace("transitions", "  scattered: [Exit, {name: Key, color: YELLOW}]\ntransitions"))
    places = set()
    for seed in range(40):
        grid = begun(world, seed).grid
        assert grid.count(Exit) == grid.count(Key) == 2
        places |= {p.yx for p in grid.positions() if isinstance(grid[p], Exit)}
    assert places == {(1, 5), (1, 2), (1, 4), (2, 1), (2, 5)}


def test_a_start_in_the_description_wins_over_the_picture() -> None:
    assert begun(made(HOUSE + "agents: [{start: [2, 1]}]\n")).agent.position == Position(2, 1)


def test_agents_can_start_in_a_world_without_floor() -> None:
    full = HOUSE.replace("#>.D.E#", "#DDDDD#").replace("#.KDB.#", "#KKKKK#").replace("LOCKED", "OPEN")
    begun_world = begun(made(full + "agents: [{start: [1, 2], orientation: LEFT}]\n"))
    assert begun_world.agent.position == Position(1, 2)
    assert begun_world.agent.orientation == Orientation.LEFT


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("#.KDB.#", "#.KDB.", "file.yaml:5: map.picture: line 3, column 1: a row of 6 cells; the first one has 7"),
        ("#.KDB.#", "#.KDX.#", "file.yaml:5: map.picture: line 3, column 5: 'X' is undefined; add it to the legend, or use one of: # . < > B D E K ^ v"),
        ("D: {name: Door, status: LOCKED, color: YELLOW}", "x: Floor", "file.yaml:5: map.picture: line 2, column 4: 'D' is ambiguous; define it in the legend, such as 'D': {name: Door, status: OPEN}"),
        ("B: {name: Box, content: {name: Key, color: YELLOW}}", "x: Floor", "'B' is ambiguous; define it in the legend, such as 'B': {name: Box, content: Floor}"),
        ("#.KDB.#", "#>KDB.#", "file.yaml:5: map.picture: agent 1 stands at (2, 1), but the number of agents is 1"),
        ("Box]", "Box]\nshape: [4, 8]", "file.yaml:3: shape: the map's picture is 4 x 7; leave 'shape' out"),
        ("LOCKED", "SHUT", "file.yaml:11: map.legend.D.status: Door has no status 'SHUT'; known: OPEN, CLOSED, LOCKED"),
        ("K: {name: Key, color: YELLOW}", "K: {name: Key, color: BLUE}", "file.yaml:12: map.legend.K.color: BLUE is not among the world's colors: NONE, YELLOW"),
        ("K: {name: Key, color: YELLOW}", "K: {name: Key, status: OPEN}", "file.yaml:12: map.legend.K.status: Key takes no 'status'; it takes color"),
        ("K: {name: Key, color: YELLOW}", "K: {color: YELLOW}", "file.yaml:12: map.legend.K: a character stands for an object ('name') or for an agent ('agent')"),
        ("K: {name: Key, color: YELLOW}", "K: Door", "file.yaml:12: map.legend.K: Door needs a status: OPEN, CLOSED, LOCKED"),
        ("K: {name: Key, color: YELLOW}", "K: Ball", "file.yaml:12: map.legend.K.name: Ball is not among the world's objects: "),
        ("K: {name: Key, color: YELLOW}", "K: {agent: 0}", "file.yaml:5: map.picture: agent 1 stands at (1, 1), but the number of agents is 1"),
        ("#.KDB.#", "#.KDBA#", "'A' is undefined"),
        ("K: {name: Key, color: YELLOW}", "KK: Key", "file.yaml:12: map.legend.KK"),
        ("B: {name: Box, content: {name: Key, color: YELLOW}}", "B: {name: Box, content: Box}", "file.yaml:13: map.legend.B.content: Box needs a content"),
    ],
)  # fmt: skip
def test_each_mistake_in_a_picture_is_named(old: str, new: str, message: str) -> None:
    assert old in HOUSE
    assert message in refusal(HOUSE.replace(old, new))


def test_an_agent_stands_in_one_place_only() -> None:
    text = (
        HOUSE.replace("K: {name: Key, color: YELLOW}", "K: {agent: 0}")
        .replace("#.KDB.#", "#.KDBK#")
        .replace(">", ".")
    )
    assert "map.picture: agent 0 stands at (2, 5) a second time" in refusal(text)


def test_pictures_with_walls_must_be_well_drawn() -> None:
    assert "map.picture: line 2, column 2" in refusal(MAZE.replace("  -+", " x-+"))
    assert "the picture is empty" in refusal(
        MAZE[: MAZE.index("  picture")] + "  picture: ''\ntransitions: [move_agent]\n"
    )


def test_small_numbers_are_packed_and_unpacked() -> None:
    numbers = [i * 7 % 64 for i in range(101)]
    words = packed(numbers, 6)
    assert len(words) == 11
    assert [unpacked(words, i, 6) for i in range(101)] == numbers


def test_the_state_must_have_the_shape_of_the_picture() -> None:
    world = made(HOUSE)
    with pytest.raises(ValueError, match="the picture does not have 9 x 9 cells"):
        world.reset(State.blank((9, 9), world.vocabulary))


@pytest.mark.exhaustive
def test_pictures_are_the_same_compiled() -> None:
    text = (
        HOUSE.replace("transitions", "  scattered: [Exit, {name: Key, color: YELLOW}]\ntransitions")
        + "agents: 3\n"
    )
    world = made(text)
    check("reset", world.reset, blank_states(world.vocabulary, 5, (4, 7), agents=3))
    check("reset", world.reset, blank_states(world.vocabulary, 1, (3, 3), agents=3))
    maze = made(MAZE)
    check("reset", maze.reset, blank_states(maze.vocabulary, 2, (2, 3)))
    check("reset", functools.partial(maze.reset, poses=(0, 0, 2)), blank_states(maze.vocabulary, 1, (2, 3)))


@pytest.mark.exhaustive
def test_starting_places_are_the_same_compiled() -> None:
    vocabulary = Vocabulary([Floor, Wall, Exit])
    rule = functools.partial(
        starting_at, reset_function=functools.partial(empty, random_agent=True), poses=(2, 2, 1, -1, -1, 3)
    )
    check("reset", rule, blank_states(vocabulary, 4, (5, 5), agents=3))
    check("reset", functools.partial(rule, poses=(0, 0, 1)), blank_states(vocabulary, 1, (5, 5), agents=1))


@pytest.mark.parametrize(
    "how", [{"map": {"picture": "....\n....\n...."}}, {"shape": [5, 5], "reset": "empty"}]
)
def test_agents_that_begin_anywhere_leave_the_starts_of_others_free(how: dict[str, Any]) -> None:
    described = {
        "name": "Start", "objects": ["Wall", "Floor", "Exit"], "agents": [{"start": [2, 1]}, {"name": "x"}],
        "transitions": ["move_agent"], "rewards": ["reach_exit"], **how,
    }  # fmt: skip
    world = World(Description.from_dict(described), compiled=False)
    for seed in range(100):
        first, other = world.reset(seed).agents
        assert first.position == Position(2, 1) != other.position


def test_the_rules_are_registered() -> None:
    assert from_map.__name__ == "from_map"
    from gridarium.rules.reset_functions import reset_function_registry

    assert {"from_map", "starting_at"} <= set(reset_function_registry)


HALLS = """\
name: Halls
objects: [Floor, Wall, Exit, Key]
colors: [YELLOW]
agents: 2
maps:
  - picture: |
      #######
      #a...E#
      #######
    legend:
      a: {agent: 1, orientation: RIGHT}
      k: {name: Key, color: YELLOW}
  - picture: |
      #######
      #k..<E#
      #######
    scattered: [Wall]
  - picture: |
      #######
      #E.a.k#
      #######
    legend: {a: {agent: 0, orientation: LEFT}}
transitions: [move_agent]
"""


def test_each_episode_has_one_of_several_maps() -> None:
    world = World(loads(HALLS), compiled=False)
    states = [world.reset(seed=i) for i in range(60)]
    found = [hall(state) for state in states]
    assert {*found} == {0, 1, 2}
    assert min(map(found.count, (0, 1, 2))) > 8
    for state, number in zip(states, found, strict=True):
        walls = [p for p in state.grid.area.positions("inside") if isinstance(state.grid[p], Wall)]
        assert len(walls) == (number == 1), "what is scattered is that map's own"
        agent, pose = [
            (1, (Position(1, 1), Orientation.RIGHT)),
            (0, (Position(1, 4), Orientation.LEFT)),
            (0, (Position(1, 3), Orientation.LEFT)),
        ][number]
        assert (state.agents[agent].position, state.agents[agent].orientation) == pose


def hall(state: State) -> int:
    """Which of the halls a state shows."""
    if state.grid[1, 1] == Exit():
        return 2
    return int(state.grid[1, 1] == Key(Color.YELLOW))


def test_a_map_is_chosen_by_its_number_in_the_world_or_between_episodes() -> None:
    for number in range(3):
        world = World(loads(HALLS), map_number=number, compiled=False)
        assert [hall(world.reset(seed=i)) for i in range(8)] == [number] * 8
    batch = World(loads(HALLS), compiled=False).batch(6)
    batch.reset(0, parameters={"map_number": 2})
    assert [hall(batch.state(i)) for i in range(6)] == [2] * 6
    batch.set_parameters({"map_number": 1}, [0])
    batch.set_parameters({"map_number": None}, [1])
    found = [[hall(batch.state(i)) for i in range(6)] for _ in range(20) if batch.reset()]
    assert {row[0] for row in found} == {1} and {row[1] for row in found} == {0, 1, 2}
    assert {n for row in found for n in row[2:]} == {2}


def test_a_world_with_one_map_draws_no_number_for_it() -> None:
    one = "maps:" + HALLS.partition("maps:")[2].partition("  - picture: |\n      #######\n      #k")[0]
    single = HALLS.partition("maps:")[0] + one + "transitions: [move_agent]\n"
    assert begun(made(single)) == begun(made(single.replace("maps:\n  - picture", "map:\n    picture")))
    assert made(single).reset.keywords.keys() == made(HALLS).reset.keywords.keys() - {"map_number"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("      #E.a.k#\n", "      #E.a.k#\n      #######\n", "maps[2].picture: all maps have one size; this one is 4 x 7, the first one 3 x 7"),
        ("#E.a.k#", "#E.?.k#", "maps[2].picture: line 2, column 4: '?' is undefined"),
        ("agent: 0", "agent: 5", "maps[2].picture: agent 5 stands at (1, 3), but the number of agents is 2"),
        ("scattered: [Wall]", "scattered: [Wal]", "maps[1].scattered[0].name: unknown object 'Wal'"),
        ("maps:", "map_number: 3\nmaps:", "file.yaml:5: map_number: there is no map 3; there are 0 to 2"),
        ("maps:", "shape: [3, 6]\nmaps:", "file.yaml:5: shape: the map's picture is 3 x 7; leave 'shape' out"),
        ("maps:", "reset: empty\nmaps:", "a world has a 'reset' rule, a 'map' or 'maps'; reset and maps are given"),
    ],
)  # fmt: skip
def test_mistakes_in_one_of_several_maps_are_named(old: str, new: str, message: str) -> None:
    assert message in refusal(HALLS.replace(old, new))


def test_a_number_of_a_map_needs_maps() -> None:
    assert "map_number: there is no map 0; there are no 'maps' to choose from" in refusal(
        HOUSE + "map_number: 0\n"
    )


@pytest.mark.exhaustive
@pytest.mark.slow
def test_several_maps_are_the_same_compiled() -> None:
    batches = [World(loads(HALLS), compiled=compiled).batch(16) for compiled in (False, True)]
    for batch in batches:
        batch.set_parameters({"map_number": 1}, [0, 3])
        batch.reset(5)
    for i in range(16):
        assert batches[0].state(i).identical(batches[1].state(i))
