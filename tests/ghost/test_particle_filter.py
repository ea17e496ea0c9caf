import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.ghost import CustomGridEnv, ParticleFilter
from gridarium.ghost.world.likelihoods import likelihoods
from gridarium.ghost.world.paths import motion

LEFT, DOWN, RIGHT, UP = range(4)
CLASSES = ["dog", "flower", "background"]


@pytest.fixture(scope="module")
def env():
    made = CustomGridEnv(None)
    made.reset(seed=0)
    return made


def test_the_size_of_the_grid_is_not_changed():
    with pytest.raises(AttributeError):
        ParticleFilter(4, 5, 10).rows = 100


def test_at_first_it_is_anywhere():
    cloud = ParticleFilter(4, 5, 200, seed=0)
    assert cloud.belief == pytest.approx(np.full((4, 5), 0.05))
    assert cloud.weights.sum() == pytest.approx(1.0)
    assert len(ParticleFilter(4, 5, 7, seed=0).get_particles()) == 7


def test_the_steps_apart_are_the_step_in_one(env):
    apart, whole = (ParticleFilter(4, 5, 200, seed=3) for _ in range(2))
    for action, color in ((LEFT, 1), (DOWN, 2), (DOWN, 0), (RIGHT, 2)):
        apart.predict(action, 0.2, "longitudinal", env._is_move_valid)
        apart.update({"color_measurement": color}, "color", env.grid, CLASSES, 0.8)
        apart.resample()
        whole.step(
            action,
            (0.2, "longitudinal"),
            env.paths,
            likelihoods({"color_measurement": color}, "color", env.grid),
        )
        assert apart.get_particles() == whole.get_particles()
        assert apart.get_estimated_position() == whole.get_estimated_position()


def test_any_function_may_say_where_one_can_go():
    cloud = ParticleFilter(1, 3, 90, seed=0)
    cloud.predict(RIGHT, 0.0, "longitudinal", lambda a, b: (a, b) != ([0, 1], [0, 2]))
    assert cloud.belief.tolist() == [[0.0, pytest.approx(2 / 3), pytest.approx(1 / 3)]]


@pytest.mark.parametrize("slip_type", ["longitudinal", "perpendicular"])
def test_particles_slip_as_the_agent_does(env, slip_type):
    """In the mean, within five standard deviations, a false alarm in about two of a million runs for each cell."""
    n = 20_000
    cloud = ParticleFilter(4, 5, n, seed=1)
    cloud.particles = [[1, 1]] * n
    cloud.predict(DOWN, 0.4, slip_type, env._is_move_valid)
    moves = motion(0.4, slip_type, env.paths)
    expected = moves.predict(DOWN, np.eye(20)[6]).reshape(4, 5)
    assert (np.abs(cloud.belief - expected) <= 5 * np.sqrt(expected * (1 - expected) / n) + 1e-12).all()
    assert expected[2, 1] == pytest.approx(0.6)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["color", "cnn", "both"]), st.floats(0.4, 0.9))
def test_it_agrees_with_bayes(env, seed, mode, quality):
    """Many particles against the exact filter, by total variation.

    What is measured is random: a better sensor that contradicts itself five times leaves too few of the particles.
    """
    rng, slips = np.random.default_rng(seed), (0.2, "longitudinal")
    cloud, exact, moves = (
        ParticleFilter(4, 5, 20_000, seed=seed),
        np.full(20, 0.05),
        motion(*slips, env.paths),
    )
    for _ in range(5):
        action, probs = int(rng.integers(4)), rng.dirichlet([1, 1, 1]).tolist()
        measured = {"color_measurement": int(rng.integers(3)), "cnn_probs": probs}
        likelihood = likelihoods(measured, mode, env.grid, CLASSES, quality)
        cloud.predict(action, *slips, env._is_move_valid)
        cloud.update(measured, mode, env.grid, CLASSES, quality)
        exact = moves.predict(action, exact) * likelihood
        exact /= exact.sum()
        assert 0.5 * np.abs(cloud.belief.ravel() - exact).sum() < 0.1
        cloud.resample()


def test_sensors_say_what_they_say(env):
    color = likelihoods({"color_measurement": 1}, "color", env.grid, CLASSES, 0.8).reshape(4, 5)
    assert (color[0, 1], color[0, 0], color[1, 0]) == pytest.approx((0.8, 0.1, 0.1))
    seen = likelihoods({"cnn_probs": [0.7, 0.2, 0.1]}, "cnn", env.grid, CLASSES).reshape(4, 5)
    assert (seen[0, 0], seen[1, 3], seen[3, 3], seen[0, 1]) == (0.7, 0.2, 0.1, 0.1)
    both = likelihoods({"color_measurement": 1, "cnn_probs": [0.7, 0.2, 0.1]}, "both", env.grid, CLASSES, 0.8)
    assert both == pytest.approx(color.ravel() * seen.ravel())
    assert likelihoods({"cnn_probs": None}, "both", env.grid) is None
    divided = likelihoods({"cnn_probs": [0.5, 0.25, 0.25]}, "cnn", env.grid, CLASSES, 0.8, [0.5, 0.25, 0.25])
    assert divided.tolist() == [1.0] * 20


def test_what_no_particle_can_explain_scatters_them_by_the_measurement(env):
    cloud = ParticleFilter(4, 5, 50, seed=0)
    cloud.particles = [[0, 2]] * 50
    cloud.update({"color_measurement": 1}, "color", env.grid, CLASSES, 1.0)
    assert cloud.lost == 1
    assert all(env.grid[tuple(p)]["colour"] == 1 for p in cloud.particles)
    assert cloud.weights.sum() == pytest.approx(1.0)


def test_the_estimate_is_the_heaviest_cell_the_first_of_equals():
    cloud = ParticleFilter(2, 2, 4, seed=0)
    cloud.particles, cloud.weights = [[0, 0], [0, 1], [1, 0], [1, 1]], [1, 2, 2, 1]
    estimate = cloud.get_estimated_position()
    assert estimate["cell_pos"] == [0, 1]
    assert estimate["float_pos"] == pytest.approx([0.5, 0.5])
    assert cloud.effective_size == pytest.approx(3.6)


def test_resampling_can_wait(env):
    cloud = ParticleFilter(4, 5, 100, seed=0, threshold=0.5)
    cloud.update({"color_measurement": 0}, "color", env.grid, CLASSES, 0.5)
    before = cloud.get_particles()
    cloud.resample()
    assert cloud.get_particles() == before and cloud.effective_size < 100
    always = ParticleFilter(4, 5, 100, seed=0)
    always.update({"color_measurement": 0}, "color", env.grid, CLASSES, 0.5)
    always.resample()
    assert always.effective_size == pytest.approx(100)


@pytest.mark.parametrize("resampler", ["systematic", "stratified", "multinomial", "residual"])
def test_every_resampler_keeps_what_is_likely(env, resampler):
    cloud = ParticleFilter(4, 5, 1000, seed=0, resampler=resampler)
    cloud.update({"color_measurement": 2}, "color", env.grid, CLASSES, 0.9)
    expected = cloud.belief
    cloud.resample()
    cloud.particles = cloud.get_particles()
    assert np.abs(cloud.belief - expected).max() < 0.06


def test_injection_brings_lost_particles_back(env):
    cloud = ParticleFilter(4, 5, 100, seed=0, injection=0.5)
    cloud.particles = [[0, 0]] * 100
    cloud.resample()
    assert len({tuple(p) for p in cloud.particles}) > 10


def test_equal_seeds_give_equal_clouds(env):
    def cloud(seed):
        made = ParticleFilter(4, 5, 30, seed=seed)
        made.predict(RIGHT, 0.5, "perpendicular", env._is_move_valid)
        made.update({"color_measurement": 2}, "both", env.grid)
        made.resample()
        return made.get_particles()

    assert cloud(1) == cloud(1) != cloud(2)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        ((0, 5), {}, "rows is a whole number from 1 on, got 0"),
        ((4, 5, 0), {}, "num_particles"),
        ((4, 5, 2.5), {}, "num_particles"),
        ((4, 5), {"resampler": "best"}, "no resampler 'best'"),
        ((4, 5), {"threshold": 2}, "threshold"),
        ((4, 5), {"recovery": (0.5, 0.1)}, "recovery"),
    ],
)
def test_arguments_are_checked(arguments, options, words):
    with pytest.raises(ValueError, match=words):
        ParticleFilter(*arguments, **options)


def test_steps_are_checked(env):
    cloud = ParticleFilter(4, 5)
    with pytest.raises(ValueError, match="slip_type"):
        cloud.predict(0, 0.2, "sideways", env._is_move_valid)
    with pytest.raises(ValueError, match="action 7"):
        cloud.predict(7, 0.2, "longitudinal", env._is_move_valid)
    with pytest.raises(ValueError, match="color, cnn, both"):
        cloud.update({}, "smell", env.grid)
    with pytest.raises(ValueError, match="200 pairs"):
        cloud.particles = [[0, 0]]
    with pytest.raises(ValueError, match="weights"):
        cloud.weights = [-1.0] * 200


@pytest.mark.parametrize(
    ("measured", "words"),
    [
        ({"color_measurement": 7}, "color_measurement is 0"),
        ({"cnn_probs": [0.5, 0.5]}, "cnn_probs are 3"),
        ({"cnn_probs": [-1.0, 1.0, 1.0]}, "not negative"),
        ({"cnn_probs": [float("nan"), 0.5, 0.5]}, "finite"),
    ],
)
def test_measurements_that_are_none_change_nothing(env, measured, words):
    cloud = ParticleFilter(4, 5, seed=0)
    before = cloud.weights.copy()
    with pytest.raises(ValueError, match=words):
        cloud.update(measured, "both", env.grid)
    with pytest.raises(ValueError, match="of 4 x 5 cells"):
        cloud.update({"color_measurement": 0}, "color", env.grid[:2])
    with pytest.raises(ValueError, match="not negative"):
        cloud.weigh(np.full(20, -1.0))
    assert (cloud.weights == before).all()


def test_particles_may_be_edited_one_by_one():
    cloud = ParticleFilter(4, 5, 4, seed=0)
    cloud.particles[0] = [1, 1]
    cloud.particles[-1] = (3, 4)
    cloud.particles[1:3] = np.array([[0, 0], [0, 2]])
    cloud.particles[2][1] = 1
    assert cloud.particles == cloud.get_particles() == [[1, 1], [0, 0], [0, 1], [3, 4]]
    assert cloud.belief[1, 1] == cloud.belief[0, 1] == 0.25


def test_a_list_of_particles_that_was_kept_edits_the_particle_that_it_names():
    cloud = ParticleFilter(1, 3, 3, seed=0)
    kept = cloud.particles
    cloud.predict(RIGHT, 0.0, "longitudinal", lambda a, b: True)
    kept[0] = [0, 0]
    assert cloud.get_particles() == [[0, 0], [0, 2], [0, 2]]
    kept[0][1] = 1
    assert cloud.get_particles()[0] == [0, 1]


def test_edits_of_particles_are_checked():
    cloud = ParticleFilter(4, 5, 4, seed=0)
    before = cloud.get_particles()
    edited = cloud.particles
    for wrong in ([4, 0], [0], "ab", None, [0.5, 0]):
        with pytest.raises(ValueError, match="particles are 1 pairs"):
            edited[0] = wrong
    with pytest.raises(ValueError, match="grid of 4 x 5"):
        edited[0][1] = 5
    with pytest.raises(ValueError, match="particles are 4 pairs"):
        edited[:] = [[0, 0]]
    with pytest.raises(IndexError):
        edited[4] = [0, 0]
    with pytest.raises(TypeError, match="there are 4 particles"):
        edited.append([0, 0])
    assert cloud.get_particles() == edited == before
    assert type(copy.deepcopy(edited)[0]) is list


def test_weights_may_begin_with_none_and_be_edited_one_by_one():
    cloud = ParticleFilter(4, 5, 100, seed=0)
    cloud.weights = np.zeros(100)
    assert not cloud.weights.any()
    for asked in (
        cloud.resample,
        cloud.get_estimated_position,
        lambda: cloud.belief,
        lambda: cloud.effective_size,
    ):
        with pytest.raises(ValueError, match="some are above 0"):
            asked()
    cloud.weights[0] = 0.5  # the only one
    cloud.particles[0] = [1, 1]
    assert cloud.get_estimated_position() == {"float_pos": [1.0, 1.0], "cell_pos": [1, 1]}
    assert cloud.effective_size == 1.0
    cloud.resample()
    assert cloud.particles == [[1, 1]] * 100


def test_edited_weights_count_whatever_the_threshold(env):
    cloud = ParticleFilter(4, 5, 20, seed=0, threshold=0.5)
    cloud.update({"color_measurement": 1}, "color", env.grid)
    cloud.resample()
    cloud.weights[1:] = 0.0
    assert cloud.belief.max() == 1.0
    cloud.resample()
    assert len({tuple(p) for p in cloud.particles}) == 1


def test_looking_at_the_weights_changes_nothing(env):
    looked, other = (ParticleFilter(4, 5, 50, seed=2) for _ in range(2))
    for cloud in (looked, other):
        cloud.update({"color_measurement": 1}, "color", env.grid)
        cloud.resample()
    assert looked.weights.sum() == pytest.approx(1.0) and looked.particles
    assert looked.get_estimated_position() == other.get_estimated_position()
    assert (looked.belief == other.belief).all()


@pytest.mark.parametrize("action", [-1, 4, 100])
def test_no_other_actions_than_there_are(env, action):
    """Compiled loops would read beyond the motion."""
    belief = ParticleFilter(env.rows, env.cols, 50, seed=1)
    belief.step(UP, (0.2, "longitudinal"), env.paths, None)
    before = belief.get_particles()
    with pytest.raises(ValueError, match=f"actions are numbered from 0 to 3; got {action}"):
        belief.step(action, (0.2, "longitudinal"), env.paths, None)
    assert np.array_equal(belief.get_particles(), before)
