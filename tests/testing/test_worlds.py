"""`check_world` is content with good worlds and says what is wrong with others. The catalogue is checked here."""

import dataclasses

import pytest

from gridarium.engine import World
from gridarium.testing import NotConforming, WorldConformance, WorldReport, check_world
from gridarium.testing.solving import SolvabilityResult, check_solvable
from gridarium.testing.worlds import check_resets
from gridarium.worlds import catalogue
from tests.testing import broken

LARGE = {"Blokus-20x20-4p", "Go-13x13", "Go-19x19"}
"""Worlds that take long interpreted, and differ from a smaller one in the size only."""


COMPILED = (
    "Blokus-14x14-2p", "CollectBlocks-9x9-2ag", "DoorKey-5x5", "Foraging-8x8-2p-2f-coop", "GhostGrid-4x5", "Go-9x9",
    "KeyDoor-5x5", "Kitchen-CrampedRoom", "LeducPoker", "MultiRoom-N2", "RockPaperScissors-2p", "Snake-7x7-2p",
    "Teleport-5x5", "Tron-15x15-2p", "TwoAgents-Helper-8x8", "Warehouse-tiny-2ag",
)  # fmt: skip
"""One or more of each kind that no other test runs interpreted and compiled; `make test` compiles some of these, `make test-all` all
worlds. Others do so with connect four (tests/agents), DynamicObstacles and Memory (tests/engine), pursuit, Sokoban
and the taxi (tests/rules)."""
NAMES = [name for name in catalogue.names() if name not in LARGE]
FIRST = [
    name for name in NAMES if name in {next(iter(catalogue.family(f).members)) for f in catalogue.families()}
]


def conforms(name: str, seeds: int, steps: int) -> None:
    if name == "Blokus-14x14-2p":  # hundreds of actions in each state, and slow to run interpreted
        check_world(name, seeds=1, steps=4, most_states=10)
        return
    alone = (
        len(catalogue.description(name).agents) == 1
    )  # of several agents, seldom one can reach the end alone
    report = check_world(name, seeds=seeds, steps=steps, most_states=5_000 if alone else 500)
    assert len(report.solutions) == seeds


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPILED)
@pytest.mark.exhaustive
def test_worlds_of_each_kind_conform(name):
    conforms(name, seeds=3, steps=60)


@pytest.mark.parametrize(
    "name", [name for name in FIRST if name not in (*COMPILED, "Pursuit-16x16-surround")]
)
@pytest.mark.sampled(8)
def test_the_first_of_each_family_conforms_interpreted(name):
    check_world(name, seeds=1, steps=4, most_states=4, compiled=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", NAMES)
def test_all_worlds_conform(name):
    conforms(name, seeds=5, steps=100)


def test_the_worlds_to_compile_are_there():
    assert {*COMPILED} <= {*NAMES}


def test_the_report_says_how_long_the_ways_are():
    report = check_world(broken.room(), seeds=3, steps=10, compiled=False)
    assert [s.length for s in report.solutions] == [5, 5, 5]
    assert str(report) == "Room: solved in 5 ticks for 3 of 3 seeds"


def test_different_lengths_are_told_as_a_range():
    found = tuple(SolvabilityResult(seed, length) for seed, length in enumerate((7, 5, 9)))
    assert str(WorldReport("Room", found)) == "Room: solved in 5 to 9 ticks for 3 of 3 seeds"
    assert "in 1 tick for" in str(WorldReport("Room", (SolvabilityResult(0, 1),)))


def test_the_report_says_that_no_way_was_found():
    reasons = [SolvabilityResult(seed, None, "more than 9 states") for seed in range(2)]
    assert str(WorldReport("Room", tuple(reasons))) == "Room: solved for none of 2 seeds (more than 9 states)"


@pytest.mark.parametrize(
    ("spec", "words"),
    [(broken.room(broken.walled_in), r"Room, seed 0: the goal cannot be reached within the 40 ticks"),
     (broken.room(time_limit=4), "the goal cannot be reached within the 4 ticks of an episode"),
     (broken.room(broken.buried), r"agent 0 was not placed: it stands in the Wall at \(0, 0\)"),
     (broken.room(broken.crowded, agents=2), r"agents 0 and 1 are both at \(1, 2\)"),
     (broken.room(broken.whimsical), "the same seed gave different initial states")],
    ids=["walled in", "too short", "buried", "crowded", "whimsical"],
)  # fmt: skip
def test_what_is_wrong_is_said(spec, words):
    with pytest.raises(NotConforming, match=words):
        check_world(spec, seeds=2, steps=4, compiled=False)


def test_agents_that_can_pass_each_other_may_begin_in_one_cell():
    world = broken.room(broken.crowded, agents=2, transitions=("move_past_agents", "turn_agent"))
    check_resets(World(world, compiled=False), 2)


def test_where_that_cannot_be_known_the_reason_is_given():
    too_many = check_solvable(World(broken.room(), compiled=False), 1, most_states=5)
    assert (too_many[0].length, too_many[0].reason) == (None, "more than 5 states")
    rules = ("move_agent", "turn_agent", "perhaps")
    chance = check_solvable(World(broken.room(broken.walled_in, transitions=rules), compiled=False), 1)
    assert "chance plays a part" in chance[0].reason


def test_a_goal_of_ones_own_may_be_searched():
    world = World(broken.room(broken.walled_in), compiled=False)
    found = check_solvable(world, 1, goal=lambda state: state.agent.position.yx == (3, 1))
    assert found[0].length == 3


def test_a_rule_that_cannot_be_compiled_is_no_good_in_a_world():
    spec = dataclasses.replace(broken.room(), rewards=(broken.listing,))
    with (
        pytest.warns(UserWarning, match="runs interpreted"),
        pytest.raises(NotConforming, match="does not compile"),
    ):
        check_world(spec, seeds=1, steps=2)


@pytest.mark.exhaustive
def test_interpreted_and_compiled_worlds_are_compared():
    spec = dataclasses.replace(broken.room(), rewards=(broken.two_faced,))
    with pytest.raises(NotConforming, match="compiled and interpreted, step 0: rewards differ"):
        check_world(spec, seeds=1, steps=2)


class TestRoom(WorldConformance):
    world = broken.room()
    seeds, steps, compiled = 3, 8, False


class TestCompiledRoom(WorldConformance):
    world = broken.room()
    seeds, steps = 3, 20
