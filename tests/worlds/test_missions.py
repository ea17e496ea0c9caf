"""Missions: what is wanted, in words that are true of the state."""

import functools

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from gridarium import World, draw
from gridarium.agents import shortest_plan
from gridarium.env import GridariumEnv, GridariumVectorEnv
from gridarium.env.spaces import mission_space
from gridarium.testing import check_vector_env
from gridarium.world import Ball, Beacon, Box, Color, Door, Exit, Key, MovingObstacle
from gridarium.world.text_form.record import from_record, shown_world_fields, to_record
from gridarium.worlds import Description, DescriptionError, catalogue, loads
from gridarium.worlds.missions import in_words

NAMED = ["Fetch-8x8", "UnlockPickup", "BlockedUnlockPickup"]
DOORS = {
    "name": "GoToDoor",
    "mission": "go to the {target}",
    "shape": [6, 6],
    "objects": ["Wall", "Floor", "Door"],
    "colors": ["RED", "GREEN", "BLUE", "YELLOW"],
    "reset": {"name": "go_to_door", "colors": ["RED", "GREEN", "BLUE", "YELLOW"]},
    "transitions": ["move_agent", "turn_agent"],
}


@functools.cache
def world(name):
    return World(catalogue.description(name) if isinstance(name, str) else name, compiled=False)


def things(state, *kinds):
    """What stands in the grid besides the sign in the corner, by its words."""
    return [in_words(state.grid[p]) for p in state.grid.positions()
            if p.yx != (0, 0) and isinstance(state.grid[p], kinds)]  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("seed", range(8))
def test_what_is_named_is_there_and_picking_it_up_is_what_is_rewarded(name, seed):
    state = world(name).reset(seed)
    said = world(name).mission(state).split()
    named = " ".join(said[-2:])
    assert " ".join(said[:-2]) in ("fetch a", "pick up the")
    assert named in things(state, Key, Ball)
    if said[0] == "pick":
        assert things(state, Ball).count(named) == 1
    if name == "Fetch-8x8":
        plan = shortest_plan(world(name), state)
        for action in plan:
            state, reward, over = world(name).step(state, action)
        assert over and reward > 0
        assert in_words(state.agent.grid_object) == named


def test_a_door_is_named_by_its_color():
    for seed in range(6):
        state = world_of_doors().reset(seed)
        color = state.grid[0, 0].color
        assert world_of_doors().mission(state) == f"go to the {color.name.lower()} door"
        assert f"{color.name.lower()} door" in things(state, Door)


@functools.cache
def world_of_doors():
    return World(DOORS, compiled=False)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [n for n in catalogue.names() if catalogue.description(n).mission])
def test_what_a_mission_speaks_of_is_in_the_world(name):
    state = world(name).reset(0)
    mission = world(name).mission(state)
    assert "{" not in mission and mission == mission.strip() and not mission.endswith(".")
    spoken = {"exit": Exit, "door": Door, "key": Key, "beacons": Beacon, "beacon": Beacon}
    for word, kind in spoken.items():
        if word in mission.split():
            assert things(state, kind), word
    assert mission.split().count("beacons") == (len(things(state, Beacon)) > 1 and "Memory" in name)


def test_worlds_after_minigrid_have_one():
    for name in catalogue.names():
        if catalogue.description(name).source.startswith("MiniGrid"):
            assert catalogue.description(name).mission, name


def test_things_in_words():
    assert in_words(Key(Color.RED)) == "red key"
    assert in_words(MovingObstacle()) == "moving obstacle"
    assert in_words(Exit()) == "exit"
    assert in_words(Box(Ball(Color.BLUE))) == "box"


def test_a_world_without_a_mission_says_none():
    assert world("KeyDoor-5x5").mission(world("KeyDoor-5x5").reset(0)) == ""


def test_declared_numbers_are_said_in_their_words():
    state = world("Taxi-5x5").reset(0)
    state.destination = 1
    assert world("Taxi-5x5").mission(state) == "bring the passenger to the green landmark"
    assert "destination=green" in draw.text(state)
    state = world("CollectBlocks-9x9-2ag").reset(0)
    state.order[0], state.order[1], state.order[2] = 0, 2, 0
    said = "bring blocks to the drop zone in the order red, blue, red"
    assert world("CollectBlocks-9x9-2ag").mission(state) == said
    assert shown_world_fields(state) == {"order": ["red", "blue", "red"], "delivered": 0}


def test_a_number_without_a_word_is_said_as_a_number():
    described = DOORS | {
        "mission": "do {n}",
        "fields": {"world": [{"name": "n", "type": "int", "words": ["a"]}]},
    }
    state = world_of_doors_with(described).reset(0)
    for n, said in ((0, "do a"), (1, "do 1"), (-1, "do -1")):
        state.n = n
        assert world_of_doors_with(described).mission(state) == said


def test_the_space_of_missions_has_room_for_all_words():
    words = ["x" * 100]
    field = {"name": "n", "type": "int", "shape": [3], "words": words}
    long = world_of_doors_with(DOORS | {"mission": "do {n}", "fields": {"world": [field]}})
    said = long.mission(long.reset(0))
    assert said == f"do {', '.join(words * 3)}" and mission_space(long).contains(said)


def test_words_are_kept_in_files_and_states():
    taxi = catalogue.description("Taxi-5x5")
    assert loads(taxi.to_yaml()) == taxi
    state = world("Taxi-5x5").reset(0)

    read = from_record(to_record(state)).vocabulary.world_fields
    assert read[0].words == ("red", "green", "yellow", "blue")


def test_only_whole_numbers_have_words():
    with pytest.raises(DescriptionError, match="only whole numbers have words"):
        Description.from_dict(DOORS | {"fields": {"world": [{"name": "n", "words": ["a"]}]}})


def world_of_doors_with(described):
    return World(described, compiled=False)


@pytest.mark.parametrize("text", ["fetch {it}", "{", "fetch {wanted.color}"])
def test_other_names_are_refused(text):
    with pytest.raises(DescriptionError, match="mission"):
        Description.from_dict(DOORS | {"mission": text})


def test_an_environments_infos_say_it():
    env = GridariumEnv("Fetch-8x8", compiled=False)
    for seed in range(3):
        info = env.reset(seed=seed)[1]
        assert info["mission"] == env.world.mission(env.state)
        assert env.step(0)[4]["mission"] == info["mission"]
    other = env.world.reset(9)
    env.state = other
    assert env.step(0)[4]["mission"] == env.world.mission(other)
    assert "mission" not in GridariumEnv("KeyDoor-5x5", compiled=False).reset(seed=0)[1]


@pytest.mark.exhaustive
def test_a_vector_environments_infos_say_it_for_each_world():
    options = {"world": "Fetch-8x8", "compiled": False, "max_episode_steps": 7}
    check_vector_env(
        functools.partial(GridariumVectorEnv, **options),
        functools.partial(GridariumEnv, **options),
        num_envs=3,
        steps=25,
    )


def test_the_last_infos_of_an_episode_have_its_own_mission():
    options = {"world": "Fetch-8x8", "compiled": False, "max_episode_steps": 2}
    envs = GridariumVectorEnv(num_envs=2, autoreset_mode=AutoresetMode.SAME_STEP, **options)
    first = envs.reset(seed=0)[1]["mission"]
    envs.step(np.zeros(2, int))
    infos = envs.step(np.zeros(2, int))[4]
    assert infos["final_info"]["mission"].tolist() == first.tolist()
    assert infos["mission"].tolist() == [envs.world.mission(envs.batch.state(i)) for i in range(2)]
    assert infos["mission"].tolist() != first.tolist()


def test_infos_that_somebody_keeps_do_not_change():
    envs = GridariumVectorEnv("Fetch-8x8", 2, compiled=False, max_episode_steps=2)
    kept = envs.reset(seed=0)[1]["mission"]
    first = kept.tolist()
    for _ in range(4):
        later = envs.step(np.zeros(2, int))[4]["mission"]
    assert kept.tolist() == first != later.tolist()
    with pytest.raises(ValueError, match="read-only"):
        later[0] = "something else"
