"""What filters are given that makes no sense is refused, with what was wrong and what is allowed."""

import numpy as np
import pytest

from gridarium.beliefs import (
    Adaptive,
    BayesFilter,
    JointParticleFilter,
    ParticleFilter,
    PlaceModel,
    Places,
    StateFilter,
    compare,
    effective_sample_size,
    entropy,
    exact_motion,
    forward_backward,
    kld_sample_size,
    most_likely_path,
    random_walks,
    sampled_motion,
    systematic_resample,
)
from gridarium.rules.sensors import sensor, sensor_registry
from gridarium.world import Action
from tests.beliefs.grounds import COLOR, corridor, ghost_grid

WORLD, MODEL = ghost_grid()
STATE = WORLD.reset(0)


CORRIDOR = PlaceModel(corridor())
WALKS = random_walks(MODEL, [COLOR], walks=2, steps=2)


def exact():
    return BayesFilter(MODEL)


def cloud(particles=20, **options):
    return ParticleFilter(MODEL, particles, **{"seed": 0, "compiled": False} | options)


def states(particles=5, prior=STATE, **options):
    return StateFilter(WORLD, particles, prior, **{"seed": 0} | options)


def joint(particles=20, **options):
    return JointParticleFilter([MODEL, MODEL], particles, **{"seed": 0} | options)


REFUSED = [
    (
        lambda: sensor("color", colors=COLOR.likelihood.keywords["colors"], quality=3),
        ValueError,
        "from 0 to 1, got 3",
    ),
    (lambda: exact().update(COLOR, 1.5), ValueError, "whole numbers from 0 to 2, not 1.5"),
    (lambda: exact().update(COLOR, None), ValueError, "whole numbers from 0 to 2, not None"),
    (lambda: exact().update(COLOR, [1]), ValueError, r"whole numbers from 0 to 2, not \[1\]"),
    (lambda: states().update(COLOR, "red"), ValueError, "whole numbers from 0 to 2, not 'red'"),
    (lambda: exact().update("color"), TypeError, "array of numbers, not 'color'"),
    (lambda: states().update(np.ones(3)), ValueError, r"likelihoods are float\[5\], not \[3\]"),
    (
        lambda: joint().update_jointly(lambda cells: np.full(20, np.inf)),
        ValueError,
        "finite and not negative",
    ),
    (lambda: exact().predict("LEFT"), TypeError, "Action or its index, not 'LEFT'; there are LEFT, DOWN"),
    (lambda: exact().predict(9), ValueError, "action 9 is none of the 4, numbered from 0: LEFT, DOWN"),
    (lambda: exact().predict(Action.WAIT), ValueError, "WAIT is not among this world's actions: LEFT"),
    (
        lambda: states().predict(["LEFT", 0]),
        TypeError,
        "Action or its index, not 'LEFT'; there are LEFT, DOWN",
    ),
    (
        lambda: states().predict("LEFT"),
        ValueError,
        "needs one action per agent, 2 in all; got 'LEFT'",
    ),
    (lambda: states().predict([0, 9]), ValueError, "action 9 is none of the 4"),
    (lambda: joint().predict([0]), ValueError, "2 in all"),
    (lambda: exact().reset("corner"), TypeError, "array of numbers, not 'corner'"),
    (
        lambda: states(prior=(1, 1)),
        ValueError,
        r"a prior is a state, a list of one or more, or None, not \(1, 1\)",
    ),
    (lambda: cloud("many"), TypeError, "the number of particles is a whole number, got 'many'"),
    (lambda: cloud(1.5), TypeError, "the number of particles is a whole number, got 1.5"),
    (lambda: cloud(seed=-1), ValueError, "a seed must be a whole number, at least 0, or a generator, not -1"),
    (lambda: states(seed="one"), TypeError, "a seed must be a whole number, at least 0"),
    (lambda: cloud(threshold="half"), TypeError, "threshold is a number between 0 and 1, got 'half'"),
    (lambda: cloud(injection=2), ValueError, "injection is between 0 and 1, got 2"),
    (lambda: cloud(recovery=3), TypeError, "recovery is two rates"),
    (lambda: cloud(recovery=(0.5, 0.1)), ValueError, "slow <= fast"),
    (lambda: cloud(recovery=(0.1, np.nan)), ValueError, "fast rate of recovery is between 0 and 1, got nan"),
    (lambda: Adaptive(quantile=np.nan), ValueError, "quantile is a number above 0, got nan"),
    (lambda: Adaptive(least=1.5), TypeError, "least is a whole number, got 1.5"),
    (lambda: Adaptive(least=5, most=4), ValueError, "most is at least 5, got 4"),
    (
        lambda: PlaceModel(WORLD, 3),
        TypeError,
        "a state is needed, as returned by World.reset or Batch.state, not 3",
    ),
    (lambda: PlaceModel(WORLD, corridor().reset(0)), ValueError, "not those of GhostGrid-4x5"),
    (lambda: PlaceModel(WORLD, STATE, agent=7), IndexError, "agents are numbered from 0 to 1; got 7"),
    (lambda: PlaceModel(WORLD, STATE, observer=-1), IndexError, "agents are numbered from 0 to 1; got -1"),
    (lambda: states().grid(5), IndexError, "agents are numbered from 0 to 1; got 5"),
    (lambda: states().mean([1.0]), ValueError, r"values are float\[5, ...\], not \[1\]"),
    (lambda: joint().belief(-1), IndexError, "agents are numbered from 0 to 1; got -1"),
    (lambda: joint().update(1.0, COLOR, 1), TypeError, "must be a whole number, got 1.0"),
    (lambda: MODEL.likelihood(COLOR, 1, corridor().reset(0)), ValueError, "state of the same world"),
    (lambda: MODEL.motion.under("often"), TypeError, "a policy is an array of numbers"),
    (lambda: sampled_motion(WORLD, MODEL.places, samples=0), ValueError, "samples is at least 1, got 0"),
    (lambda: forward_backward(MODEL, [0], [(COLOR, 1)]), TypeError, "PlaceModel.likelihoods"),
    (lambda: random_walks(MODEL, ["color"]), TypeError, "not 'color'"),
    (lambda: random_walks(MODEL, [COLOR], walks=0), ValueError, "walks is at least 1, got 0"),
    (lambda: random_walks(MODEL, COLOR), TypeError, "sensors are a list of them, not"),
    (lambda: compare(exact(), MODEL, WALKS), TypeError, "make is a function, got"),
    (
        lambda: compare(lambda walk: exact(), MODEL, 3),
        TypeError,
        "walks are needed, as random_walks gives them",
    ),
    (lambda: forward_backward(MODEL, 0, []), TypeError, "actions are a list of what the agent did, not 0"),
    (lambda: MODEL.likelihoods([COLOR]), TypeError, r"a list of \(sensor, measurement\) pairs"),
    (lambda: MODEL.likelihoods(3), TypeError, r"a list of \(sensor, measurement\) pairs, not 3"),
    (lambda: PlaceModel(WORLD, actions=3), ValueError, "some of this world's: LEFT, DOWN, RIGHT, UP; not 3"),
    (lambda: PlaceModel(WORLD, actions=["UP"]), ValueError, r"some of this world's: LEFT.*; not \['UP'\]"),
    (lambda: exact_motion(WORLD, MODEL.places, Action.UP), ValueError, "a list of some of .*; not Action.UP"),
    (lambda: PlaceModel(WORLD, motion=3), TypeError, "a motion is needed, as exact_motion"),
    (lambda: PlaceModel(WORLD, motion=CORRIDOR.motion), ValueError, r"between \d+ places, but here are 20"),
    (lambda: exact_motion(WORLD, WORLD), TypeError, "places are needed, as Places.of"),
    (lambda: sampled_motion(WORLD, None), TypeError, "places are needed, as Places.of"),
    (lambda: Places.of(WORLD, WORLD.actions), TypeError, "a state is needed"),
    (lambda: MODEL.places.at("corner"), TypeError, "a position is needed, or its y and x, not 'corner'"),
    (lambda: joint().predict(3), ValueError, "2 in all; got 3"),
    (lambda: states().state("a"), TypeError, "the index of a world must be a whole number, got 'a'"),
    (lambda: entropy("low"), TypeError, "a belief is an array of numbers, not 'low'"),
    (lambda: systematic_resample("low"), TypeError, "weights is an array of numbers, not 'low'"),
    (lambda: systematic_resample([1.0], 0, "all"), TypeError, "size is a whole number, got 'all'"),
    (lambda: effective_sample_size("low"), TypeError, "weights is an array of numbers, not 'low'"),
    (lambda: kld_sample_size("many"), TypeError, "bins is a whole number, got 'many'"),
    (lambda: kld_sample_size(3, 0), ValueError, "error of KLD-sampling is above 0, got 0"),
    (lambda: kld_sample_size(3, "small"), TypeError, "error of KLD-sampling is a number, got 'small'"),
]


TAKE_A_MODEL = [
    BayesFilter,
    ParticleFilter,
    lambda given: JointParticleFilter([given]),
    lambda given: random_walks(given, [COLOR]),
    lambda given: forward_backward(given, [], []),
    lambda given: most_likely_path(given, [], []),
    lambda given: compare(lambda walk: exact(), given, WALKS),
]


@pytest.mark.parametrize("function", TAKE_A_MODEL)
@pytest.mark.parametrize("given", [WORLD, "GhostGrid-4x5", 5])
def test_what_is_no_model_is_refused_and_how_to_make_one_is_said(function, given):
    with pytest.raises(TypeError, match=r"a model is needed, as PlaceModel\(world\) makes it, not "):
        function(given)


@pytest.mark.parametrize(
    "function",
    [
        PlaceModel,
        StateFilter,
        lambda world: exact_motion(world, MODEL.places),
        lambda world: sampled_motion(world, MODEL.places),
    ],
)
def test_the_name_of_a_world_is_none_and_how_to_make_one_is_said(function):
    with pytest.raises(TypeError, match=r"not 'GhostGrid-4x5'; World\('GhostGrid-4x5'\) creates one"):
        function("GhostGrid-4x5")


@pytest.mark.parametrize(("attempt", "kind", "words"), REFUSED)
def test_it_is_refused(attempt, kind, words):
    with pytest.raises(kind, match=words):
        attempt()


def test_nothing_has_changed_after_a_refusal():
    known = states()
    before = [a.copy() for a in known.copies.memory.arrays()]
    for attempt, kind in (
        (lambda: known.predict(["LEFT", 0]), TypeError),
        (lambda: known.predict([0, 9]), ValueError),
    ):
        with pytest.raises(kind):
            attempt()
    assert all((a == b).all() for a, b in zip(before, known.copies.memory.arrays()))


def test_a_sensor_that_asks_for_the_tick_is_refused():
    @sensor_registry.register(name="tick_tock_of_this_test", outcomes=2)
    def ticking(state, measurement):
        return 1.0 if measurement == state.tick % 2 else 0.0

    with pytest.raises(ValueError, match="tick_tock_of_this_test.* asks for the tick"):
        exact().update(sensor("tick_tock_of_this_test"), 1)
    known = states()
    known.update(sensor("tick_tock_of_this_test"), 0)  # whole states know their tick
    assert len(known) == 5
