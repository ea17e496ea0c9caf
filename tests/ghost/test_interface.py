import copy
import pickle

import numpy as np
import pytest

from gridarium.ghost import AgentInterface, ParticleFilter, VisionSensor
from gridarium.ghost.agents import ChaseGhostAgent, MinimaxAgent, RandomGhostAgent

LEFT, DOWN, RIGHT, UP = range(4)
KEYS = {"actual_action", "color_measurement", "current_turn", "estimated_pos", "ghost_distance", "intended_action",
        "mover", "slipped"}  # fmt: skip


class Waits:
    """A ghost of a user's own, who wants nothing but an action space."""

    def __init__(self, action_space):
        self.seen = []

    def get_action(self, observation):
        self.seen.append(observation["agent_distance"])
        return -1


class Sees:
    """A vision sensor that is sure of itself."""

    class_names = ("dog", "flower", "background")

    def predict(self, cell):
        shows = "dog" if "dog" in cell["items"] else "flower" if "flower" in cell["items"] else "background"
        probs = [0.9 if name == shows else 0.05 for name in self.class_names]
        return {"prediction": (shows, 0.9), "probs": probs}


class Blind:
    def predict(self, cell):
        return None


def made(**options):
    return AgentInterface(**{"render": False, "slip_probability": 0.0, **options})


def begun(agent, ghost, **options):
    interface = made(**options)
    interface.reset(seed=0)
    interface.env.agent_pos, interface.env.ghost_pos = agent, ghost
    return interface


def test_a_round_has_four_results():
    interface = made()
    observation = interface.reset(seed=0)
    assert set(observation) == {"current_cell", "neighbors", "ghost_relative_pos", "ghost_distance"}
    assert interface.last_info.keys() == {
        "color_measurement",
        "current_turn",
        "estimated_pos",
        "ghost_distance",
    }
    observation, reward, done, info = interface.step(LEFT)
    assert (reward, done, info.keys()) == (-1.0, False, KEYS)
    assert (info["mover"], info["current_turn"], info["intended_action"]) == ("ghost", "agent", "left")
    assert interface.get_observation_space().contains(observation)
    assert interface.env.ghost_pos == [2, 4]


@pytest.mark.parametrize("ghost", [ChaseGhostAgent, RandomGhostAgent, MinimaxAgent, Waits])
def test_a_round_is_the_turns_of_its_environment(ghost):
    interface = made(ghost_agent_class=ghost, use_particle_filter=False)
    interface.reset(seed=0)
    interface.step(LEFT)
    assert interface.env.agent_pos == [0, 1]
    assert interface.env.current_turn == 0


@pytest.mark.parametrize(
    ("agent", "ghost", "action", "reward", "flag"),
    [
        ([0, 3], [1, 4], UP, -1.0, None),
        ([0, 3], [0, 4], UP, -51.0, "caught_by_ghost"),
        ([0, 3], [0, 4], RIGHT, -50.0, "caught_by_ghost"),
        ([2, 1], [0, 0], DOWN, 100.0, "reached_goal"),
    ],
)
@pytest.mark.parametrize("render", [False, True])
def test_what_a_round_is_worth(agent, ghost, action, reward, flag, render):
    interface = begun(agent, ghost, render=render)
    _, got, done, info = interface.step(action)
    assert (got, done, interface.is_terminated()) == (reward, flag is not None, flag is not None)
    assert flag is None or info[flag] is True
    stats = interface.get_episode_stats()
    assert (stats["total_reward"], stats["steps"], stats["terminated"]) == (reward, 1, flag is not None)
    assert stats["caught_by_ghost"] == (flag == "caught_by_ghost")
    assert stats["reached_goal"] == (flag == "reached_goal")


def test_a_finished_episode_is_not_stepped_unless_one_insists():
    interface = begun([2, 1], [0, 0])
    interface.step(DOWN)
    with pytest.raises(RuntimeError, match="the episode is over"):
        interface.step(DOWN)
    interface.env.set_goal((2, 0))
    interface.terminated = False
    assert interface.step(LEFT)[1] == -1.0
    assert interface.env.agent_pos == [3, 0]
    assert interface.step(UP)[1] == 100.0
    interface.reset()
    assert interface.get_episode_stats()["steps"] == 0


def test_bad_actions_change_nothing():
    interface = made()
    interface.reset(seed=0)
    particles = interface.pf.get_particles()
    with pytest.raises(ValueError, match="none of"):
        interface.step(4)
    assert (interface.episode_steps, interface.env.step_count) == (0, 0)
    assert interface.pf.get_particles() == particles


class Errs(Waits):
    """A ghost that is wrong in some of its turns."""

    answers = (-1, -1, 7, "up", None, *(-1,) * 20)

    def __init__(self, action_space):
        super().__init__(action_space)
        self.left = list(self.answers)

    def get_action(self, observation):
        answer = self.left.pop(0)
        if answer is None:
            raise KeyError("lost the thread")
        return answer


class NeverErrs(Errs):
    answers = (-1,) * 20


def told(interface):
    env, pf = interface.env, interface.pf
    lasting = [env.agent_pos, env.ghost_positions, env.info, env.step_count, interface.get_episode_stats()]
    return repr([*lasting, interface.last_info, pf and (pf.particles, pf.belief, pf.lost)])


@pytest.mark.exhaustive
@pytest.mark.parametrize("options", [{}, {"use_particle_filter": False}, {"vision_sensor": Sees()}, {"render": True},
                                     {"layout": "halls-12x12"}])  # fmt: skip
def test_a_round_in_which_a_ghost_errs_is_taken_back(options):
    erring, other = (made(ghost_agent_class=g, slip_probability=0.3, **options) for g in (Errs, NeverErrs))
    for interface in (erring, other):
        interface.reset(seed=4)
    errors = []
    for action in (DOWN, LEFT, DOWN, RIGHT):
        while True:
            before = told(erring)
            try:
                outcome = erring.step(action)
                break
            except (KeyError, TypeError, ValueError) as error:
                errors.append(error)
                assert told(erring) == before
        assert repr(outcome) == repr(other.step(action))
        assert told(erring) == told(other)
        if len(errors) == 3:
            break
    assert {type(error) for error in errors} == {ValueError, TypeError, KeyError}
    assert all("(Errs); the round is taken back" in error.__notes__[0] for error in errors)


class Stumbles(RandomGhostAgent):
    """A ghost at random, and now and then not at all."""

    calls = 0

    def get_action(self, observation):
        action = super().get_action(observation)
        Stumbles.calls += 1
        if Stumbles.calls % 7 == 5:
            raise OSError("stumbled")
        return action


@pytest.mark.parametrize("seed", [7, None])
def test_what_a_ghost_and_a_camera_have_drawn_is_taken_back_with_the_round(seed):
    def story(ghost):
        interface = made(
            ghost_agent_class=ghost, vision_sensor=VisionSensor(seed=1), layout="halls-12x12",
            use_particle_filter=seed is not None,  # without a seed it begins anywhere
        )  # fmt: skip
        interface.env.action_space.seed(5)
        interface.env.reset(seed=2)
        interface.reset(seed)
        said, failed = [], 0
        for action in (DOWN, LEFT, DOWN, RIGHT, UP, RIGHT):
            while True:
                try:
                    said.append(repr(interface.step(action)))
                    break
                except OSError:
                    failed += 1
        return said, failed

    Stumbles.calls = 0
    (plain, never), (stumbling, often) = story(RandomGhostAgent), story(Stumbles)
    assert (never, often > 0) == (0, True)
    assert stumbling[-1] == plain[-1] and stumbling == plain


def test_a_round_in_which_vision_fails_is_taken_back():
    class Fails(Sees):
        def predict(self, cell):
            if cell["colour"] == 1:
                raise OSError("no light")
            return super().predict(cell)

    interface = made(vision_sensor=Fails())
    interface.reset(seed=0)
    before = told(interface)
    with pytest.raises(OSError, match="no light") as caught:
        interface.step(LEFT)
    assert told(interface) == before and not hasattr(caught.value, "__notes__")
    interface.vision_sensor = Sees()
    assert interface.step(LEFT)[3]["color_measurement"] in (0, 1, 2) and interface.env.agent_pos == [0, 1]


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda interface: pickle.loads(pickle.dumps(interface))]
)
@pytest.mark.parametrize("ghost", [None, Waits])
def test_a_copy_goes_on_alike_and_by_itself(copied, ghost):
    interface = made(slip_probability=0.5, ghost_agent_class=ghost)
    interface.reset(seed=1)
    interface.step(RIGHT)
    twin, before = copied(interface), told(interface)
    story = [repr(twin.step(action)) for action in (DOWN, UP)]
    assert told(interface) == before
    assert [repr(interface.step(action)) for action in (DOWN, UP)] == story


def test_settings_and_map_may_change_between_episodes():
    interface = made()
    interface.reset(seed=0)
    interface.env.start_pos, interface.env.ghost_start_pos = np.array([3, 1]), (0, 4)
    interface.env.grid[3, 1]["colour"], interface.env.color_sensor_quality = 2, 1.0
    observation = interface.reset()
    assert (interface.env.agent_pos, interface.env.ghost_pos) == ([3, 1], [0, 4])
    assert (observation["current_cell"]["colour"], interface.last_info["color_measurement"]) == (2, 2)
    green = [cell["colour"] == 2 for cell in interface.env.grid.flat]
    assert interface.pf.belief.ravel()[green].sum() == pytest.approx(1.0)


def test_a_filter_of_another_grid_is_refused_and_nothing_changes():
    interface = made()
    interface.reset(seed=0)
    interface.pf = ParticleFilter(8, 10)
    before = told(interface)
    with pytest.raises(ValueError, match="the filter is for 8 x 10 cells, the grid has 4 x 5"):
        interface.step(DOWN)
    assert told(interface) == before


def test_a_new_number_of_particles_waits_for_the_next_episode():
    interface = made()
    interface.reset(seed=0)
    interface.pf.num_particles, interface.env.slip_probability = 30, 0.5
    interface.step(DOWN)
    assert len(interface.pf.weights) == 200
    interface.reset()
    assert len(interface.pf.weights) == len(interface.pf.get_particles()) == 30


def test_a_start_that_is_none_is_refused_and_nothing_changes():
    interface = made()
    interface.reset(seed=0)
    interface.step(DOWN)
    before = told(interface)
    interface.env.start_pos = [9, 9]
    with pytest.raises(ValueError, match="start_pos"):
        interface.reset(seed=3)
    assert told(interface) == before
    interface.env.start_pos = [0, 2]
    interface.env.ghost_start_positions.append([0, 0])
    with pytest.raises(ValueError, match="ghost_start_positions has a place for each ghost, 1 in all"):
        interface.reset()
    assert told(interface) == before


def test_it_has_to_be_reset_first():
    with pytest.raises(RuntimeError, match="reset"):
        made().step(0)


def says(seed, actions, **options):
    interface = AgentInterface(**{"render": False, **options})
    said = [interface.reset(seed=seed), interface.last_info["estimated_pos"]]
    for action in actions:
        observation, reward, done, info = interface.step(action)
        info = {k: v for k, v in info.items() if "particles" not in k}
        said += [observation, reward, sorted(info.items()), interface.pf.get_particles()]
        if done:
            said.append(interface.reset())
    return repr(said)


ACTIONS = np.random.default_rng(3).integers(0, 4, 60).tolist()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("ghost", [None, RandomGhostAgent])
def test_equal_seeds_give_equal_worlds_and_estimates_whatever_is_drawn(ghost):
    first = says(3, ACTIONS, ghost_agent_class=ghost)
    assert says(3, ACTIONS, ghost_agent_class=ghost) == first
    assert says(3, ACTIONS, ghost_agent_class=ghost, render=True) == first
    assert says(4, ACTIONS, ghost_agent_class=ghost) != first


def test_equal_seeds_give_equal_pictures():
    pictures = []
    for _ in range(2):
        interface = AgentInterface(render=True)
        interface.reset(seed=1)
        interface.step(DOWN)
        pictures.append(interface.env.render())
    assert (pictures[0] == pictures[1]).all()


def test_nobody_elses_random_numbers_are_touched():
    np.random.seed(0)
    before = np.random.get_state()[1].copy()
    says(0, ACTIONS)
    assert (np.random.get_state()[1] == before).all()


def test_the_filter_finds_the_agent():
    interface = made(color_sensor_quality=1.0, use_ghost=False, layout="corridor-1x9")
    interface.reset(seed=0)
    for action in (RIGHT, RIGHT, LEFT, RIGHT, RIGHT):
        info = interface.step(action)[3]
    assert info["estimated_pos"]["cell_pos"] == interface.env.agent_pos
    assert interface.pf.belief.max() == pytest.approx(1.0)


def test_vision_is_taken_into_account():
    interface = made(vision_sensor=Sees(), pf_sensor_mode="cnn", use_ghost=False)
    interface.reset(seed=0)
    interface.env.agent_pos = [1, 2]
    info = interface.step(RIGHT)[3]
    assert info["cnn_prediction"][0] == "background"
    interface.env.agent_pos = [0, 3]
    info = interface.step(RIGHT)[3]
    assert (info["cnn_prediction"], info["estimated_pos"]["cell_pos"]) == (("dog", 0.9), [0, 4])
    blind = made(vision_sensor=Blind(), pf_sensor_mode="both", use_ghost=False)
    blind.reset(seed=0)
    assert "cnn_probs" not in blind.step(UP)[3]


def test_without_a_filter_there_is_no_estimate():
    interface = made(use_particle_filter=False)
    interface.reset(seed=0)
    assert interface.pf is None
    assert "estimated_pos" not in interface.step(UP)[3]


def test_particles_are_told_when_they_are_drawn():
    interface = AgentInterface(render=True)
    interface.reset(seed=0)
    info = interface.step(UP)[3]
    assert len(info["particles"]) == 200 and info["show_particles"] is True
    interface.show_particles = False
    assert "particles" not in interface.step(UP)[3]


def test_the_ghosts_mind_can_be_changed():
    interface = made()
    interface.set_ghost_agent(Waits)
    interface.reset(seed=0)
    interface.step(UP)
    assert interface._ghost_agent.seen == [5]
    with pytest.raises(TypeError, match="get_action"):
        interface.set_ghost_agent(lambda action_space: object())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pf_sensor_mode": "smell"}, "color, cnn, both, got 'smell'"),
        ({"pf_num_particles": 0}, "num_particles"),
        ({"step_delay": -1}, "step_delay"),
        ({"slip_probability": 2}, "slip_probability"),
    ],
)
def test_arguments_are_checked(options, words):
    with pytest.raises(ValueError, match=words):
        made(**options)


def test_time_runs_out():
    interface = made(time_limit=3, use_ghost=False)
    interface.reset(seed=0)
    ends = [interface.step(UP)[2] for _ in range(3)]
    assert ends == [False, False, True]
    assert (interface.truncated, interface.terminated) == (True, False)


def test_three_ghosts_close_in():
    interface = made(layout="halls-12x12")
    interface.reset(seed=0)
    before = [
        interface.env._calculate_shortest_path_distance(g, [0, 0]) for g in interface.env.ghost_positions
    ]
    interface.step(UP)
    after = [
        interface.env._calculate_shortest_path_distance(g, [0, 0]) for g in interface.env.ghost_positions
    ]
    assert after == [d - 1 for d in before]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ghost_agent_class": 3}, "given as a class"),
        ({"ghost_agent_class": lambda space: space}, "get_action"),
        ({"vision_sensor": 3}, "predict"),
    ],
)
def test_what_cannot_play_or_see_is_refused(options, words):
    with pytest.raises(TypeError, match=words):
        made(**options)


def test_a_filter_of_another_size_keeps_its_options():
    interface = made()
    interface.pf = ParticleFilter(4, 5, 100, seed=1, resampler="multinomial", threshold=0.5, injection=0.1)
    interface.pf.num_particles = 300
    interface.reset(seed=0)
    wanted = ParticleFilter(4, 5, 300, seed=1, resampler="multinomial", threshold=0.5, injection=0.1)
    assert len(interface.pf.weights) == 300
    assert interface.pf._options == wanted._options


def test_a_ghost_that_takes_no_action_space_is_told_what_it_is_made_of():
    class Bare:
        def __init__(self):
            pass

        def get_action(self, observation):
            return 0

    with pytest.raises(TypeError, match="takes 1 positional argument") as failed:
        made(ghost_agent_class=Bare)
    assert "def __init__(self, action_space, **kwargs)" in failed.value.__notes__[0]
