"""`check_vector_env` is content with good vector environments, not only this library's, and says what is wrong with others."""

import functools
import re

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from gridarium.env import GridariumEnv, GridariumVectorEnv
from gridarium.testing import NotConforming, check_vector_env
from tests.testing import broken

single = functools.partial(GridariumEnv, broken.room(time_limit=7), compiled=False)


def many(kind, **given):
    return kind(broken.room(time_limit=7), compiled=False, **given)


def test_this_librarys_pass():
    check_vector_env(functools.partial(many, GridariumVectorEnv), single, num_envs=3, steps=40)


def test_the_example_passes():
    named = re.search(r'name = "(.*)"', check_vector_env.__doc__)[1]
    make, make_single = (
        functools.partial(m, named, compiled=False) for m in (gymnasium.make_vec, gymnasium.make)
    )
    check_vector_env(make, make_single, num_envs=2, modes=[AutoresetMode.DISABLED])


def test_gymnasiums_own_pass():
    def make(num_envs, autoreset_mode):
        return SyncVectorEnv(
            [functools.partial(gymnasium.make, "CartPole-v1")] * num_envs, autoreset_mode=autoreset_mode
        )

    check_vector_env(make, functools.partial(gymnasium.make, "CartPole-v1"), num_envs=3, steps=60)


class Sharing(GridariumVectorEnv):
    def __init__(self, *args, **named):
        super().__init__(*args, shared=True, **named)


class Deaf(GridariumVectorEnv):
    """Ignores the mask."""

    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed)


class Miserly(GridariumVectorEnv):
    """Keeps the final observations for itself."""

    def step(self, actions):
        *others, infos = super().step(actions)
        return *others, {key: value for key, value in infos.items() if "final_obs" not in key}


class Generous(GridariumVectorEnv):
    """Rewards twice."""

    def step(self, actions):
        observations, rewards, *others = super().step(actions)
        return observations, rewards * 2 + 1, *others


class Careless(GridariumVectorEnv):
    """Takes any number of seeds."""

    def reset(self, *, seed=None, options=None):
        if isinstance(seed, list):
            seed = (seed * self.num_envs)[: self.num_envs]
        return super().reset(seed=seed, options=options)


class Silent(GridariumVectorEnv):
    """Does not say how it begins episodes."""

    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self.metadata = {}


class Unbatched(GridariumVectorEnv):
    """Has the wrong space."""

    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self.action_space = self.single_action_space


class Tireless(GridariumVectorEnv):
    """Goes on after the end."""

    def step(self, actions):
        ended = self.batch.ended
        if ended.any():
            self.reset(options={"reset_mask": ended})
        return super().step(actions)


class Unseeded(GridariumVectorEnv):
    """Begins as it likes."""

    def reset(self, *, seed=None, options=None):
        wish = (
            None
            if seed is None
            else [int(np.random.default_rng().integers(1000)) for _ in range(self.num_envs)]
        )
        return super().reset(seed=wish, options=options)


@pytest.mark.parametrize(
    ("kind", "mode", "words"),
    [(Sharing, AutoresetMode.NEXT_STEP, "return new arrays"), (Deaf, AutoresetMode.NEXT_STEP, "leaves out|mask"),
     (Miserly, AutoresetMode.SAME_STEP, "single environments give .*_final_obs"),
     (Generous, AutoresetMode.NEXT_STEP, "rewards"), (Careless, AutoresetMode.NEXT_STEP, "a list of 2 seeds for 3 worlds"),
     (Silent, AutoresetMode.NEXT_STEP, "autoreset_mode"), (Unbatched, AutoresetMode.NEXT_STEP, "action_space is"),
     (Tireless, AutoresetMode.DISABLED, "a step after the end of an episode")],
)  # fmt: skip
def test_what_is_wrong_is_said(kind, mode, words):
    with pytest.raises(NotConforming, match=words):
        check_vector_env(functools.partial(many, kind), single, num_envs=3, steps=30, modes=[mode])


def test_episodes_that_do_not_depend_on_the_seed_are_noticed():
    make = functools.partial(Unseeded, "FourRooms-7x7", compiled=False, observe="state")
    with pytest.raises(NotConforming, match="reset with the same seed gave other observations"):
        check_vector_env(make, num_envs=3, modes=[AutoresetMode.NEXT_STEP])


def test_episodes_have_to_end_for_the_check_to_mean_something():
    with pytest.raises(NotConforming, match="no episode ended within 3 steps"):
        check_vector_env(functools.partial(many, GridariumVectorEnv), single, num_envs=2, steps=3)
