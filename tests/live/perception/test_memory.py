"""What an agent knows of things that it does not perceive any more."""

import pytest

from gridarium.live.perception import ObjectMemory, SenseCapability, State, StateTracker
from tests.live.standin import AgentBody, SquareBlock, StandIn


class Walker:
    """An agent that perceives what is 2 cells away, and remembers; a block lies at (1, 0)."""

    def __init__(self, ticks=3, **more):
        self.body = AgentBody("me", (0, 0), SenseCapability({None: 2}))
        self.block = SquareBlock("block", (1, 0))
        self.world = StandIn(self.body, self.block, *more.values(), shape=(20, 20))
        self.state = State("me", memorize_for_ticks=ticks)
        self.look()

    def look(self):
        return self.state.look(self.world)

    def at(self, *location):
        self.body.location = location
        self.world.pass_time()
        return self.look()


@pytest.mark.parametrize("ticks", range(1, 8))
def test_a_thing_is_known_for_exactly_so_many_ticks(ticks):
    walker = Walker(ticks)
    assert ["block" in walker.at(9, 9) for _ in range(ticks + 2)] == [True] * ticks + [False] * 2


def test_what_is_remembered_is_what_was_perceived_last():
    walker = Walker()
    walker.block.location = (2, 0)
    walker.at(1, 0)
    walker.block.location = (15, 15)
    assert walker.at(9, 9)["block"]["location"] == (2, 0)


def test_perceiving_it_again_begins_anew():
    walker = Walker(2)
    walker.at(9, 9)
    walker.at(0, 0)
    assert [("block" in walker.at(9, 9)) for _ in range(3)] == [True, True, False]


def test_a_thing_that_is_not_where_it_was_is_forgotten_at_once():
    walker = Walker(100)
    walker.at(9, 9)
    walker.block.location = (15, 15)
    assert "block" in walker.at(9, 9)
    assert "block" not in walker.at(2, 0)


def test_a_thing_that_is_taken_away_in_sight_is_forgotten_at_once():
    walker = Walker(100)
    walker.world.environment_objects.pop("block")
    assert "block" not in walker.at(0, 0)


def test_a_thing_that_somebody_is_seen_carrying_is_forgotten():
    other = AgentBody("other", (10, 9), is_carrying=[{"obj_id": "block"}])
    walker = Walker(100, other=other)
    assert "block" not in walker.at(9, 9)


def test_a_thing_that_is_reported_gone_is_forgotten():
    walker = Walker(100)
    walker.at(9, 9).remove("block")
    assert "block" not in walker.at(9, 8)
    assert "block" in walker.at(0, 0)


def test_an_agent_that_moves_on_is_remembered_where_it_was():
    other = AgentBody("other", (0, 1))
    walker = Walker(2, other=other)
    other.location = (15, 15)
    assert walker.at(9, 9)["other"]["location"] == (0, 1)
    assert "other" not in walker.at(0, 2)


def test_nothing_is_remembered_without_memory():
    walker = Walker(None)
    assert "block" not in walker.at(9, 9)
    assert "block" not in Walker(0).at(9, 9)


def test_it_is_remembered_though_nobody_asked_while_it_was_perceived():
    body = AgentBody("me", (0, 0), SenseCapability({None: 2}))
    world = StandIn(body, SquareBlock("block", (1, 0)), shape=(20, 20))
    state = State("me", memorize_for_ticks=3).look(world)
    body.location = (9, 9)
    world.pass_time()
    assert "block" in state.look(world)


def test_plain_properties_are_remembered_by_their_ranges():
    me = {"obj_id": "me", "location": (0, 0), "sense_capability": {"*": 2}}
    block = {"obj_id": "block", "location": (1, 0), "class_inheritance": ["SquareBlock"]}
    state = State("me", memorize_for_ticks=2)
    state.state_update({"me": me, "block": block})
    assert "block" not in state.state_update({"me": me})
    state.state_update({"me": me, "block": block})
    far = {**me, "location": (9, 9)}
    assert ["block" in state.state_update({"me": far}) for _ in range(3)] == [True, True, False]


def test_all_is_forgotten_on_demand():
    walker = Walker(100)
    walker.at(9, 9)
    walker.state.forget_all()
    assert len(walker.state) == 0
    assert "block" not in walker.at(9, 9)


def test_only_whole_numbers_of_ticks_are_taken():
    with pytest.raises(TypeError, match="whole number of ticks"):
        State("me", memorize_for_ticks=2.5)
    with pytest.raises(ValueError, match="0 ticks or more"):
        ObjectMemory(-1)


# StateTracker


def tracked(decay):
    walker = Walker(None)
    tracker = StateTracker("me", decay)
    tracker.update(walker.state)
    return walker, tracker


@pytest.mark.parametrize(("decay", "ticks"), [(1, 1), (5, 5), (0.5, 2), (0.1, 10)])
def test_a_tracker_knows_a_thing_for_so_many_ticks(decay, ticks):
    walker, tracker = tracked(decay)
    found = ["block" in tracker.update(walker.at(9, 9)) for _ in range(ticks + 2)]
    assert found == [True] * ticks + [False] * 2


def test_a_tracker_without_decay_forgets_only_what_is_gone():
    walker, tracker = tracked(0)
    for _ in range(50):
        tracker.update(walker.at(9, 9))
    assert tracker.get_memorized_state()["block"]["location"] == (1, 0)
    walker.block.location = (15, 15)
    assert "block" not in tracker.update(walker.at(1, 1))


def test_a_tracker_can_be_told_to_forget_sooner():
    walker, tracker = tracked(0)
    tracker.set_knowledge_decay(1)
    found = ["block" in tracker.update(walker.at(9, 9)) for _ in range(2)]
    assert found == [True, False]
    with pytest.raises(TypeError, match="number of ticks"):
        tracker.set_knowledge_decay("soon")


def test_what_a_tracker_knows_has_the_queries_of_a_state():
    walker, tracker = tracked(10)
    known = tracker.update(walker.at(9, 9))
    assert known.get_of_type("SquareBlock")[0]["obj_id"] == "block"
    assert known.get_self()["location"] == (9, 9)
    assert known["World"]["nr_ticks"] == 1
