"""What filters are given that makes no sense is refused, with what was wrong and what is allowed."""

import numpy as np
import pytest

from gridarium.beliefs import (
    Adaptive,
    BayesFilter,
    JointParticleFilter,
    ParticleFilter,
    PlaceModel,
    StateFilter,
    forward_backward,
    random_walks,
    sampled_motion,
)
from gridarium.rules.sensors import sensor, sensor_registry
from gridarium.world import Action
from tests.beliefs.grounds import COLOR, corridor, ghost_grid

WORLD, MODEL = ghost_grid()
STATE = WORLD.reset(0)


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
        "has 2 agents, each with an action of its own; got 'LEFT'",
    ),
    (lambda: states().predict([0, 9]), ValueError, "action 9 is none of the 4"),
    (lambda: joint().predict([0]), ValueError, "2 agents, each with an action"),
    (lambda: exact().reset("corner"), TypeError, "array of numbers, not 'corner'"),
    (
        lambda: states(prior=(1, 1)),
        ValueError,
        r"a prior is a state, a list of one or more, or None, not \(1, 1\)",
    ),
    (lambda: cloud("many"), TypeError, "the number of particles is a whole number, got 'many'"),
    (lambda: cloud(1.5), TypeError, "the number of particles is a whole number, got 1.5"),
    (lambda: cloud(seed=-1), ValueError, "a seed is a whole number from 0 on, or a generator, not -1"),
    (lambda: states(seed="one"), TypeError, "a seed is a whole number from 0 on"),
    (lambda: cloud(threshold="half"), TypeError, "threshold is a number between 0 and 1, got 'half'"),
    (lambda: cloud(injection=2), ValueError, "injection is between 0 and 1, got 2"),
    (lambda: cloud(recovery=3), TypeError, "recovery is two rates"),
    (lambda: cloud(recovery=(0.5, 0.1)), ValueError, "slow <= fast"),
    (lambda: cloud(recovery=(0.1, np.nan)), ValueError, "fast rate of recovery is between 0 and 1, got nan"),
    (lambda: Adaptive(quantile=np.nan), ValueError, "quantile is a number above 0, got nan"),
    (lambda: Adaptive(least=1.5), TypeError, "least is a whole number, got 1.5"),
    (lambda: Adaptive(least=5, most=4), ValueError, "most is at least 5, got 4"),
    (lambda: PlaceModel(WORLD, 3), TypeError, "a state is needed, as World.reset gives it, not 3"),
    (lambda: PlaceModel(WORLD, corridor().reset(0)), ValueError, "not those of GhostGrid-4x5"),
    (lambda: PlaceModel(WORLD, STATE, agent=7), IndexError, "2 agents, numbered from 0; got 7"),
    (lambda: PlaceModel(WORLD, STATE, observer=-1), IndexError, "2 agents, numbered from 0; got -1"),
    (lambda: states().grid(5), IndexError, "2 agents, numbered from 0; got 5"),
    (lambda: states().mean([1.0]), ValueError, r"values are float\[5, ...\], not \[1\]"),
    (lambda: joint().belief(-1), IndexError, "numbered from 0; got -1"),
    (lambda: joint().update(1.0, COLOR, 1), TypeError, "known by its number, got 1.0"),
    (lambda: MODEL.likelihood(COLOR, 1, corridor().reset(0)), ValueError, "state of the same world"),
    (lambda: MODEL.motion.under("often"), TypeError, "a policy is an array of numbers"),
    (lambda: sampled_motion(WORLD, MODEL.places, samples=0), ValueError, "samples is at least 1, got 0"),
    (lambda: forward_backward(MODEL, [0], [(COLOR, 1)]), TypeError, "PlaceModel.likelihoods"),
    (lambda: random_walks(MODEL, ["color"]), TypeError, "not 'color'"),
    (lambda: random_walks(MODEL, [COLOR], walks=0), ValueError, "walks is at least 1, got 0"),
]


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
