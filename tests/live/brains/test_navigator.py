"""Leading agents from waypoint to waypoint."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.live.brains import AStarPlanner, Navigator, PathPlanner, WeightedAStarPlanner
from gridarium.live.brains.moves import MOVES
from gridarium.live.perception import State, StateTracker
from tests.live.standin import AgentBody, SquareBlock, StandIn

STRAIGHT = ["MoveNorth", "MoveEast", "MoveSouth", "MoveWest"]
ALL = list(MOVES)


class Walk:
    """An agent that follows a navigator among walls."""

    def __init__(self, start, *walls, actions=STRAIGHT, shape=(6, 6), **options):
        self.body = AgentBody("me", start)
        self.walls = [SquareBlock(f"wall{i}", place, is_traversable=False) for i, place in enumerate(walls)]
        self.world = StandIn(self.body, *self.walls, shape=shape)
        self.state = State("me")
        self.navigator = Navigator("me", actions, **options)
        self.plans = 0
        plan = self.navigator.planner.plan

        def counted(*given):
            self.plans += 1
            return plan(*given)

        self.navigator.planner.plan = counted

    def step(self):
        self.world.pass_time()
        move = self.navigator.get_move_action(self.state.look(self.world))
        if move is not None:
            (x, y), (dx, dy) = self.body.location, MOVES[move]
            self.body.location = x + dx, y + dy
            self.world.changed()
        return move

    def steps(self, count):
        return [self.step() for _ in range(count)]


def test_it_leads_around_walls_the_shortest_way():
    walk = Walk((0, 0), (1, 0), (1, 1))
    walk.navigator.add_waypoint((2, 0))
    assert walk.steps(7) == ["MoveSouth"] * 2 + ["MoveEast"] * 2 + ["MoveNorth"] * 2 + [None]
    assert walk.navigator.is_done and walk.plans == 1


def test_it_uses_only_the_moves_that_the_agent_has():
    walk = Walk((0, 0), actions=ALL)
    walk.navigator.add_waypoint((2, 2))
    assert walk.steps(3) == ["MoveSouthEast", "MoveSouthEast", None]
    walk = Walk((2, 2), actions=["MoveEast", "GrabObject"])
    walk.navigator.add_waypoint((0, 2))
    assert walk.step() is None and walk.navigator.unreachable == (0, 2)


def test_waypoints_are_visited_in_order():
    walk = Walk((0, 0))
    walk.navigator.add_waypoints([(1, 0), [1, 1], (0, 1)])
    state = walk.state.look(walk.world)
    assert walk.navigator.get_all_waypoints(state) == [(0, (1, 0)), (1, (1, 1)), (2, (0, 1))]
    walk.step()
    state = walk.state.look(walk.world)
    assert walk.navigator.get_current_waypoint(state) == (1, 1)
    assert walk.navigator.get_upcoming_waypoints(state) == [(1, (1, 1)), (2, (0, 1))]
    assert walk.steps(3) == ["MoveSouth", "MoveWest", None]
    assert walk.navigator.get_current_waypoint() is None and walk.navigator.get_upcoming_waypoints() == []


def test_a_round_begins_again():
    walk = Walk((0, 0), is_circular=True)
    walk.navigator.add_waypoints([(0, 0), (1, 0)])
    assert walk.steps(5) == ["MoveEast", "MoveWest", "MoveEast", "MoveWest", "MoveEast"]
    assert not walk.navigator.is_done


def test_a_round_of_the_cell_one_is_in_stays_there():
    walk = Walk((0, 0), is_circular=True)
    walk.navigator.add_waypoints([(0, 0), (0, 0)])
    assert walk.steps(2) == [None, None]


def test_without_waypoints_there_is_no_move():
    walk = Walk((0, 0))
    assert walk.step() is None and not walk.navigator.is_done


def test_a_waypoint_without_a_way_is_reported_and_tried_again_when_the_map_changes():
    walk = Walk((0, 0), (0, 1), (1, 0), (1, 1))
    walk.navigator.add_waypoint((3, 3))
    assert walk.steps(3) == [None] * 3
    assert walk.navigator.unreachable == (3, 3) and walk.plans == 1
    walk.walls[0].location = (5, 5)
    assert walk.step() == "MoveSouth"
    assert walk.navigator.unreachable is None and walk.plans == 2


@pytest.mark.parametrize("goal", [(3, 3), (9, 0), (-1, 0)])
def test_a_blocked_cell_and_one_outside_cannot_be_reached(goal):
    walk = Walk((0, 0), (3, 3))
    walk.navigator.add_waypoint(goal)
    assert walk.step() is None and walk.navigator.unreachable == goal


def test_it_plans_again_only_when_the_way_is_blocked():
    walk = Walk((0, 0), (5, 5))
    walk.navigator.add_waypoint((4, 0))
    assert walk.step() == "MoveEast"
    walk.walls[0].location = (1, 3)
    assert walk.step() == "MoveEast" and walk.plans == 1
    walk.walls[0].location = (3, 0)
    assert walk.step() == "MoveSouth" and walk.plans == 2


def test_it_plans_again_when_the_agent_is_somewhere_else():
    walk = Walk((0, 0))
    walk.navigator.add_waypoint((4, 0))
    walk.step()
    walk.body.location = (0, 5)
    assert [walk.step() for _ in range(9)].count("MoveNorth") == 5 and walk.plans == 2


def test_a_move_that_failed_is_tried_again():
    walk = Walk((0, 0))
    walk.navigator.add_waypoint((4, 0))
    walk.step()
    walk.body.location = (0, 0)
    assert walk.step() == "MoveEast"


def test_an_agent_that_is_not_traversable_is_not_in_its_own_way():
    body = AgentBody("me", (0, 0), is_traversable=False)
    navigator = Navigator("me", STRAIGHT)
    navigator.add_waypoint((1, 0))
    assert navigator.get_move_action(State("me").look(StandIn(body))) == "MoveEast"


def test_it_can_begin_again_or_be_emptied():
    walk = Walk((0, 0), is_circular=False)
    walk.navigator.add_waypoints([(1, 0)])
    walk.steps(2)
    walk.navigator.reset()
    walk.body.location = (2, 0)
    assert walk.step() == "MoveWest"
    walk.navigator.reset_full()
    assert walk.navigator.get_all_waypoints() == [] and not walk.navigator.is_circular


def test_a_tracker_that_remembers_walls_leads_too():
    walk = Walk((0, 0), (1, 0))
    tracker = StateTracker("me")
    tracker.update(walk.state.look(walk.world))
    walk.navigator.add_waypoint((2, 0))
    assert walk.navigator.get_move_action(tracker) == "MoveSouth"


def test_it_leads_only_its_own_agent():
    navigator = Navigator("you", STRAIGHT)
    with pytest.raises(ValueError, match="leads agent you; what is known is of me"):
        navigator.get_move_action(State("me").look(StandIn(AgentBody("me", (0, 0)))))


def test_penalties_are_avoided_where_the_detour_is_short():
    mud = [SquareBlock(f"mud{y}", (1, y), traversability_penalty=0.4) for y in range(2)]
    body = AgentBody("me", (0, 0))
    world = StandIn(body, *mud, shape=(3, 3))
    for algorithm, expected in (("a_star", "MoveEast"), ("weighted_a_star", "MoveSouth")):
        navigator = Navigator("me", STRAIGHT, algorithm)
        navigator.add_waypoint((2, 2 if algorithm == "weighted_a_star" else 0))
        assert navigator.get_move_action(State("me").look(world)) == expected


def test_it_plans_again_when_its_way_gets_worse():
    mud = SquareBlock("mud", (2, 2), traversability_penalty=0.9)
    body = AgentBody("me", (0, 0))
    world, state = StandIn(body, mud, shape=(3, 3)), State("me")
    navigator = Navigator("me", ALL, "weighted_a_star", algorithm_settings={"metric": "manhattan"})
    navigator.add_waypoint((2, 0))
    assert navigator.get_move_action(state.look(world)) == "MoveEast"
    mud.location = (1, 0)
    world.changed()
    assert navigator.get_move_action(state.look(world)) == "MoveSouthEast"


def test_a_map_of_ones_own_counts():
    def map_without_column_one(state):
        found = np.zeros((6, 6))
        found[1, :5] = 1
        return found, None

    walk = Walk((0, 0), traversability_map_func=map_without_column_one)
    walk.navigator.add_waypoint((2, 0))
    assert walk.steps(6) == ["MoveSouth"] * 5 + ["MoveEast"]


class Beeline(PathPlanner):
    def plan(self, start, goal, occupation_map):
        return [goal]


def test_a_planner_of_ones_own_is_used_and_checked():
    walk = Walk((0, 0), algorithm="mine", custom_algorithm_class=Beeline)
    walk.navigator.add_waypoints([(1, 0), (3, 0)])
    assert walk.step() == "MoveEast"
    with pytest.raises(ValueError, match="no move of agent me"):
        walk.step()


def test_what_cannot_be_used_is_refused():
    with pytest.raises(ValueError, match="a_star or weighted_a_star"):
        Navigator("me", STRAIGHT, "dijkstra")
    with pytest.raises(TypeError, match="subclass of PathPlanner"):
        Navigator("me", STRAIGHT, "mine", int)
    with pytest.raises(ValueError, match="euclidean or manhattan"):
        Navigator("me", STRAIGHT, algorithm_settings={"metric": "taxi"})
    for waypoint in ((1,), (1, 2, 3), "ab", (0.5, 1)):
        with pytest.raises(TypeError, match="two whole numbers"):
            Navigator("me", STRAIGHT).add_waypoint(waypoint)


# planners


def dijkstra(cost, start, metric):
    """The least cost of each cell, slowly."""
    least = np.full(cost.shape, math.inf)
    least[start] = 0
    for _ in range(cost.size):
        for x, y in np.ndindex(*cost.shape):
            for dx, dy in MOVES.values():
                u, v = x + dx, y + dy
                if 0 <= u < cost.shape[0] and 0 <= v < cost.shape[1]:
                    least[u, v] = min(least[u, v], least[x, y] + metric(dx, dy) * cost[u, v])
    return least


METRICS = {"euclidean": math.hypot, "manhattan": lambda dx, dy: abs(dx) + abs(dy)}


@given(
    st.lists(st.sampled_from([0, 0, 0, 0.05, 0.3, 0.9, 1]), min_size=20, max_size=20),
    st.sampled_from([*METRICS]),
    st.sampled_from([AStarPlanner, WeightedAStarPlanner]),
    st.integers(0, 19),
)
def test_ways_are_the_cheapest_there_are(values, metric, planner, end):
    occupation = np.array(values).reshape(5, 4)
    made = planner(ALL, {"metric": metric})
    cost = np.vectorize(made.entering, otypes=[float])(occupation)
    start, goal = (0, 0), (end // 4, end % 4)
    found = made.plan(start, goal, occupation)
    least = dijkstra(cost, start, METRICS[metric])[goal]
    if start != goal and least == math.inf:
        assert found == [start]
        return
    spent, (x, y) = 0, start
    for u, v in found:
        assert (u - x, v - y) in MOVES.values()
        spent, x, y = spent + METRICS[metric](u - x, v - y) * cost[u, v], u, v
    assert (x, y) == goal and spent == pytest.approx(least)
