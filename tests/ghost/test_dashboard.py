from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.ghost import AgentInterface, CustomGridEnv, GridLayout
from gridarium.ghost.agents import MinimaxAgent, RandomPlayerAgent
from gridarium.ghost.dashboard import AGENTS, GHOSTS, Dashboard, DashboardSettings
from gridarium.ghost.world.layout import load_layout, names

GOALS = [(3, 1), (3, 4)]


class Sees:
    """A vision sensor that is never wrong, and sure of it."""

    class_names = ("dog", "flower", "background")

    def predict(self, cell, *more):
        shows = "dog" if "dog" in cell["items"] else "flower" if "flower" in cell["items"] else "background"
        probs = [0.98 if name == shows else 0.01 for name in self.class_names]
        return {"prediction": (shows, 0.98), "probs": probs}


def dashboard(**options):
    return Dashboard(**{"slip": 0.0, "vision_sensor": Sees(), **options})


def what_is_seen(one):
    return one.env.agent_pos, one.env.ghost_pos, one.stats, one.belief.tolist(), one.picture().tobytes()


# settings


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"slip": 1.2}, "slip is a number from 0 to 1, got 1.2"),
        ({"quality": "good"}, "quality is a number from 0 to 1"),
        ({"slip_type": "sideways"}, "slip_type is 'longitudinal' or 'perpendicular'"),
        ({"use_ghost": 1}, "use_ghost is True or False"),
        ({"particles": 0}, "particles is a whole number from 1 to 100000, got 0"),
        ({"depth": 99}, "depth is a whole number from 1 to 8"),
        ({"agent": "smart"}, "agent is one of values, q-learning, minimax, expectimax, random, got 'smart'"),
        ({"sensors": "smell"}, "sensors is one of color, vision, both, none"),
        ({"goal": (4, 0)}, r"goal \[4, 0\] is outside the grid of 4 x 5 cells"),
        ({"layout": 5}, "layout is a layout's name, a file or a GridLayout, got 5"),
        ({"goal": "here"}, r"goal is \[row, column\], got 'here'"),
        ({"layout": "mase-8x10"}, "no layout 'mase-8x10'"),
        ({"agents": "random"}, "no setting 'agents'.*did you mean 'agent'?"),
    ],
)
def test_what_cannot_be_set_is_refused_and_nothing_changes(wrong, says):
    one = dashboard(seed=3)
    one.step()
    before = one.settings, what_is_seen(one)
    with pytest.raises(ValueError, match=says):
        one.set(**wrong)
    assert (one.settings, what_is_seen(one)) == before
    with pytest.raises(ValueError, match=says):
        dashboard(**wrong)


def test_settings_count_from_the_next_round_on():
    one = dashboard(seed=1)
    one.step()
    one.set(slip=1.0, slip_type="perpendicular", use_ghost=False)
    ghost = one.env.ghost_pos
    one.step(1)
    assert one.interface.last_info["slipped"] and one.env.ghost_pos == ghost
    one.set(deterministic=True)
    one.step(1)
    assert not one.interface.last_info["slipped"]
    assert one.interface.episode_steps == 3


@pytest.mark.parametrize("layout", names())
def test_every_layout_is_played_and_drawn(layout):
    one = dashboard(layout=layout, agent="random", seed=2)
    one.step()
    rows, cols = one.env.rows, one.env.cols
    assert one.belief.shape == one.exact_belief.shape == (rows, cols)
    assert one.picture().ndim == 3 and one.belief_svg().startswith("<svg")


def test_a_layout_and_a_class_of_ones_own_will_do():
    class Mine(RandomPlayerAgent):
        pass

    one = dashboard(layout=load_layout("corridor-1x9"), agent=Mine, ghost=MinimaxAgent)
    assert type(one.agent) is Mine and one.settings.ghost == "minimax"
    assert isinstance(one.settings.layout, GridLayout)
    one.step()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("ghost", GHOSTS)
def test_everybody_plays_with_everybody_on_any_knowledge(agent, ghost):
    one = dashboard(
        agent=agent, ghost=ghost, knowledge="estimated", sensors="both", show_values=True, depth=2
    )
    for _ in range(3):
        one.tick()
    assert one.picture().shape == (400, 500, 3)
    one.set(knowledge="actual", look="original")
    assert one.picture().shape == (585, 500, 3)
    one.tick()


def test_a_vision_sensor_can_see():
    with pytest.raises(TypeError, match=r"has a method predict\(cell\)"):
        Dashboard(vision_sensor=object())


# episodes


def test_equal_seeds_give_equal_episodes_whatever_was_done_before():
    first, second = dashboard(seed=5, slip=0.3, agent="random"), dashboard(seed=5, slip=0.3, agent="random")
    second.execute()
    second.set(particles=20)
    second.step() if second.can_go_on else None
    second.set(particles=200)
    second.reset()
    for one in (first, second):
        one.step()
        one.step()
    assert what_is_seen(first) == what_is_seen(second)


def test_a_seed_begins_its_own_episode():
    one = dashboard(seed=5, agent="random", slip=0.3)
    one.step()
    one.set(seed=6)
    assert one.interface.episode_steps == 0
    assert what_is_seen(one) == what_is_seen(dashboard(seed=6, agent="random", slip=0.3))


def test_drawing_changes_nothing():
    drawn, plain = (dashboard(seed=5, slip=0.3, agent="expectimax", show_values=True) for _ in range(2))
    while plain.tick():
        drawn.picture(), drawn.belief_svg(), drawn.curves_svg()
        drawn.tick()
    drawn.tick()
    assert what_is_seen(drawn) == what_is_seen(plain)


def test_the_end_is_told_and_kept():
    one = dashboard(use_ghost=False)
    assert one.execute() and not one.can_go_on
    assert one.message == "Goal reached after 4 rounds, return 97."
    assert not one.tick()
    with pytest.raises(RuntimeError, match="The episode is over: reset"):
        one.step()
    one.reset()
    assert one.can_go_on


def test_it_gives_up_where_there_is_no_end():
    one = dashboard(use_ghost=False, agent="random", goal=(2, 2))
    one.env.walls_horizontal[2, 2] = True
    assert not one.execute(most_rounds=30)
    assert one.message == "Given up after 30 rounds." and one.interface.episode_steps == 30


def test_one_may_move_by_hand_but_not_nonsense():
    one = dashboard()
    one.step(0)
    assert one.env.agent_pos == [0, 1]
    with pytest.raises(ValueError, match="action 7 is none of"):
        one.step(7)
    assert one.interface.episode_steps == 1 and len(one.history) == 2


def test_a_goal_is_put_anywhere_and_taken_back():
    one = dashboard(use_ghost=False)
    one.set(goal=[0, 0])
    assert one.settings.goal == (0, 0)
    one.execute()
    assert one.env.agent_pos == [0, 0]
    one.set(goal=None)
    assert one.simulation.goals == GOALS and one.can_go_on
    one.execute()
    assert tuple(one.env.agent_pos) in GOALS


# filters


def brute_force(env, actions, readings, quality):
    """The belief over cells by adding up the probabilities of all ways, one after another, without slip."""
    shares = np.zeros((env.rows, env.cols))
    for start in np.ndindex(env.rows, env.cols):
        place, weight = list(start), 1.0
        for k, reading in enumerate(readings):
            if k:
                place = env._move_entity(place, actions[k - 1])
            weight *= quality if env.grid[tuple(place)]["colour"] == reading else (1 - quality) / 2
        shares[tuple(place)] += weight
    return shares / shares.sum()


@settings(max_examples=15)
@given(st.integers(0, 1000), st.lists(st.integers(0, 3), max_size=6), st.sampled_from([0.5, 0.8, 0.95]))
def test_the_exact_filter_knows_what_can_be_known(seed, actions, quality):
    one = dashboard(seed=seed, quality=quality, use_ghost=False, goal=(2, 2))
    readings = [one.interface.last_info["color_measurement"]]
    taken = []
    for action in actions:
        if one.can_go_on:
            one.step(action)
            taken.append(action)
            readings.append(one.interface.last_info["color_measurement"])
    assert np.allclose(one.exact_belief, brute_force(one.env, taken, readings, quality))


def test_many_particles_come_near_the_exact_filter():
    one = dashboard(seed=4, slip=0.2, agent="random", use_ghost=False, particles=20_000, goal=(2, 2))
    for _ in range(10):
        one.tick()
    assert abs(one.belief - one.exact_belief).sum() / 2 < 0.05
    history = one.history
    assert len(history) == len(history.entropy) == len(history.exact_truth) == one.interface.episode_steps + 1
    assert history.truth[-1] == pytest.approx(one.belief[tuple(one.env.agent_pos)])


def test_filters_know_what_is_changed_in_the_middle_of_an_episode():
    one = dashboard(seed=4, agent="random", use_ghost=True, ghost="chase", particles=20_000, goal=(2, 2))
    for k, change in enumerate(({"slip": 0.6}, {"quality": 0.5}, {"slip_type": "perpendicular"},
                                {"sensors": "none"}, {"deterministic": True}, {"sensors": "color"})):  # fmt: skip
        one.set(**change)
        one.env.agent_pos, one.env.ghost_pos = [0, 2], [3, 0]  # far from each other
        one.step(k % 4)
        assert abs(one.belief - one.exact_belief).sum() / 2 < 0.05, change


def test_without_sensors_nothing_is_learned_at_first():
    one = dashboard(sensors="none")
    assert np.allclose(one.belief, 1 / 20) and np.allclose(one.exact_belief, 1 / 20)
    assert one.history.exact_entropy == [pytest.approx(np.log2(20))]


def test_vision_is_used_where_it_is_wanted():
    one = dashboard(sensors="vision", seed=1)
    assert "vision" in one.stats
    assert one.exact_belief[1, 3] < 0.01 < one.exact_belief[0, 1]
    one.set(sensors="color")
    one.step()
    assert "vision" not in one.stats


def test_what_was_seen_counts_no_more_once_vision_is_off():
    one = dashboard(sensors="both", seed=1)
    one.step()
    one.set(sensors="none")
    before, spread = one.exact_belief, one.belief
    one.step(1)
    expected = np.zeros((4, 5))
    for cell, share in np.ndenumerate(before):
        expected[tuple(one.env._move_entity(list(cell), 1))] += share
    assert np.allclose(one.exact_belief, expected) and one.belief.max() >= spread.max() - 1e-9


def test_no_vision_is_told_and_refused(monkeypatch):
    monkeypatch.setattr(
        "gridarium.ghost.dashboard.dashboard.load_vision_sensor", lambda: (None, "there is no model file")
    )
    one = Dashboard()
    assert one.vision_problem == "there is no model file" and one.settings.sensors == "color"
    with pytest.raises(ValueError, match="sensors cannot be 'both': there is no model file"):
        one.set(sensors="both")


def test_another_number_of_particles_keeps_what_is_believed():
    one = dashboard(seed=4, sensors="both", particles=2000)
    for _ in range(3):
        one.step()
    before = one.belief
    one.set(particles=5000, resampler="multinomial")
    assert len(one.simulation.filter.get_particles()) == 5000
    assert abs(one.belief - before).sum() / 2 < 0.1


# learning


def test_lessons_do_not_move_the_shown_world():
    one = dashboard(agent="q-learning", seed=2)
    one.step()
    before = what_is_seen(one)
    told = []
    returns = one.train(150, lambda done, of: told.append((done, of)))
    assert len(returns) == 150 and told[-1] == (150, 150)
    assert what_is_seen(one)[:2] == before[:2] and one.interface.episode_steps == 1
    assert what_is_seen(one)[3:] == before[3:]
    one.set(use_ghost=False)
    one.reset()
    assert one.execute() and one.message.startswith("Goal reached")


def test_who_does_not_learn_is_not_taught():
    with pytest.raises(ValueError, match="ValueIterationAgent does not learn; set agent to q-learning"):
        dashboard().train()


# plans


def test_a_plan_visits_all_places_and_comes_back():
    one = dashboard(use_ghost=False)
    assert one.plan("(3, 1), the piano, then the dog with rock music") == ""
    assert sorted(target.place for target in one.waypoints.targets[:-1]) == [(0, 4), (2, 2), (3, 1)]
    places = [(0, 2), *(target.place for target in one.waypoints.targets)]
    length = sum(one.env.paths.distance(a, b) for a, b in pairwise(places))
    lengths = [
        sum(one.env.paths.distance(a, b) for a, b in pairwise([(0, 2), *order, (0, 2)]))
        for order in permutations([(0, 4), (2, 2), (3, 1)])
    ]
    assert places[-1] == (0, 2) and length == min(lengths)
    assert one.execute()
    assert {target.state for target in one.waypoints.targets} == {"reached"}
    assert one.env.agent_pos == [0, 2] and one.interface.episode_steps == length
    one.reset()
    assert one.simulation.goals == GOALS and not one.waypoints


def test_plans_go_on_with_a_ghost_and_end_when_it_comes():
    one = dashboard(ghost="random", seed=1)
    one.plan("(3, 1), (0, 4)")
    assert one.execute(), "neither stuck nor lost"
    states = {target.state for target in one.waypoints.targets}
    assert states == {"reached"} or "missed" in states
    caught = dashboard(ghost="chase", goal=(3, 4))
    caught.plan("(3, 4), (3, 3)")
    caught.execute()
    assert caught.message.startswith("Caught") and "caught before" in str(caught.waypoints)


def test_a_learning_agent_learns_each_place_of_a_plan():
    one = dashboard(agent="q-learning", use_ghost=False)
    one.plan("(2, 2), (0, 4)")
    assert one.execute(), one.message
    assert {target.state for target in one.waypoints.targets} == {"reached"}


def test_places_may_be_believed_to_be_reached():
    one = dashboard(knowledge="estimated", sensors="none", use_ghost=False)
    one.plan("(0, 0), (3, 4)")
    one.execute(60)
    believed = [target for target in one.waypoints.targets if target.state == "believed"]
    assert believed and all(target.truth != target.place for target in believed)
    assert "believed; in truth at" in str(one.waypoints)


def test_what_is_not_understood_or_cannot_be_reached_is_told():
    one = dashboard()
    one.env.walls_horizontal[2, 2] = True
    notes = one.plan("the unicorn, (9, 9), the piano")
    assert notes.splitlines() == [
        "nothing known in 'the unicorn'",
        "(9, 9) is outside the grid of 4 x 5 cells",
        "no way leads to (2, 2)",
    ]
    assert not one.waypoints and one.message == "No place was understood."


def test_a_language_model_is_asked_where_there_is_one(monkeypatch):
    asked = []

    class Client:
        def __init__(self, **keywords):
            asked.append(keywords)

        def chat_completion(self, messages):
            return "[[0, 4]]" if "dog" in messages[1]["content"] else "what?"

    monkeypatch.setattr("gridarium.ghost.planner.LLMClient", Client)
    one = Dashboard(language_model={"address": "http://localhost:1/v1", "llm": "small"})
    assert "the language model says: [[0, 4]]" in one.plan("the dog")
    assert [target.place for target in one.waypoints.targets] == [(0, 4), (0, 2)]
    assert asked[0]["llm"] == "small"
    assert "names no place" in one.plan("(3, 3)") and one.waypoints.targets[0].place == (3, 3)


def test_a_dashboard_is_an_interface_and_an_environment():
    one = dashboard()
    assert isinstance(one.interface, AgentInterface) and isinstance(one.env, CustomGridEnv)
    assert one.settings == DashboardSettings(slip=0.0)
