"""`check_vector_env`: whether a Gymnasium vector environment behaves like the same number of single environments.

Gymnasium has no checker for vector environments; this one works for any, with Gymnasium's `SyncVectorEnv` as the
reference. See Gymnasium's documentation of `VectorEnv` and of its three autoreset modes.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space

from gridarium.testing.problems import NotConforming, require

Make = Callable[..., VectorEnv[Any, Any, Any]]
MakeSingle = Callable[[], gymnasium.Env[Any, Any]]


def check_vector_env(
    make: Make,
    make_single: MakeSingle | None = None,
    *,
    num_envs: int = 5,
    steps: int = 300,
    seed: int = 0,
    modes: Sequence[AutoresetMode] = tuple(AutoresetMode),
) -> None:
    """Check a vector environment.

    Args:
        make: creates one from `num_envs` and `autoreset_mode`.
        make_single: creates a single environment of the same kind, to compare with; without it, only the vector
            environment itself is checked.
        num_envs: the number of worlds.
        steps: the number of steps in each mode; long enough for episodes to end.
        seed: the seed of worlds and actions.
        modes: the autoreset modes to check.

    Raises:
        NotConforming: a check failed; with mode and step.

    Example:
        >>> name = "gridarium/DoorKey-5x5-v0"
        >>> check_vector_env(partial(gymnasium.make_vec, name), partial(gymnasium.make, name))
    """
    for mode in modes:
        envs = make(num_envs=num_envs, autoreset_mode=mode)
        try:
            _check_form(envs, num_envs, mode)
            _check_seeds(envs, seed)
            _check_masks(envs, seed)
            _check_fresh(envs, seed)
            if make_single is not None:
                _check_against_singles(envs, make_single, mode, steps, seed)
        finally:
            envs.close()
        envs.close()


def _check_form(envs: VectorEnv[Any, Any, Any], num_envs: int, mode: AutoresetMode) -> None:
    require(isinstance(envs, VectorEnv), f"{envs!r} is not a gymnasium.vector.VectorEnv")
    require(envs.num_envs == num_envs, f"num_envs is {envs.num_envs}, not {num_envs}")
    declared = envs.metadata.get("autoreset_mode")
    require(declared is mode, f"metadata['autoreset_mode'] is {declared!r}, not {mode!r}")
    for part in ("observation_space", "action_space"):
        single, batched = getattr(envs, f"single_{part}"), getattr(envs, part)
        wanted = batch_space(single, num_envs)
        require(
            batched == wanted,
            f"{part} is {batched}, not {wanted}, which is single_{part} for {num_envs} worlds",
        )


def _check_seeds(envs: VectorEnv[Any, Any, Any], seed: int) -> None:
    n = envs.num_envs
    first, infos = _reset(envs, seed=seed)
    require(first in envs.observation_space, "the observations of reset are outside of observation_space")
    require(isinstance(infos, dict), f"infos must be a dictionary, not {infos!r}")
    again, _ = _reset(envs, seed=seed)
    require(data_equivalence(first, again, exact=True), "reset with the same seed gave other observations")
    listed, _ = _reset(envs, seed=[seed + i for i in range(n)])
    require(
        data_equivalence(first, listed, exact=True),
        f"reset(seed={seed}) is not reset(seed=[{seed}, {seed + 1}, ...])",
    )
    mixed, _ = _reset(envs, seed=[seed if i % 2 == 0 else None for i in range(n)])
    require(
        mixed in envs.observation_space,
        "reset with a list of seeds, some None, gave observations outside their space",
    )
    for wrong in (n - 1, n + 1):
        _require_refusal(
            functools.partial(_reset, envs, seed=[seed] * wrong), f"a list of {wrong} seeds for {n} worlds"
        )


def _check_masks(envs: VectorEnv[Any, Any, Any], seed: int) -> None:
    n = envs.num_envs
    mask = np.arange(n) % 2 == 0
    before, _ = _reset(envs, seed=seed)
    options = {"reset_mask": mask.copy()}
    after, infos = _reset(envs, seed=[seed + 1000 + i for i in range(n)], options=options)
    require(_rows_equal(before, after, ~mask), "reset with a mask changed worlds that it leaves out")
    for key, value in infos.items():
        if key.startswith("_"):
            require(
                not (value & ~mask).any(),
                f"after reset with a mask, infos[{key!r}] is set for a world left out",
            )
    whole, _ = _reset(envs, seed=[seed + 1000 + i for i in range(n)])
    require(_rows_equal(whole, after, mask), "reset with a mask began different episodes than reset without")
    wrong = (mask[:-1], np.zeros(n, np.bool_), mask.astype(np.int64), mask.tolist())
    for given in wrong:
        refused = functools.partial(_reset, envs, options={"reset_mask": given})
        _require_refusal(refused, f"the reset_mask {given!r}")


def _check_fresh(envs: VectorEnv[Any, Any, Any], seed: int) -> None:
    """Returned values are not modified later, and modifying them does not affect the worlds."""
    envs.action_space.seed(seed)
    kept: list[Any] = [envs.reset(seed=seed)]
    copies = [copy.deepcopy(kept[0])]
    ended = np.zeros(envs.num_envs, np.bool_)
    for _ in range(5):
        if ended.any() and envs.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            break
        returned = envs.step(envs.action_space.sample())
        kept.append(returned)
        copies.append(copy.deepcopy(returned))
        ended = returned[2] | returned[3]
    envs.reset(seed=seed + 1)
    for k, (mine, its) in enumerate(zip(kept, copies, strict=True)):
        same = data_equivalence(mine, its, exact=True)
        require(same, f"the result of call {k} after reset was modified by a later call: return new arrays")


def _check_against_singles(
    envs: VectorEnv[Any, Any, Any], make_single: MakeSingle, mode: AutoresetMode, steps: int, seed: int
) -> None:
    measure = SyncVectorEnv([make_single] * envs.num_envs, autoreset_mode=mode)
    try:
        require(
            envs.single_observation_space == measure.single_observation_space, "the observation spaces differ"
        )
        require(envs.single_action_space == measure.single_action_space, "the action spaces differ")
        envs.action_space.seed(seed)
        _require_same("reset", envs.reset(seed=seed), measure.reset(seed=seed), ("observations", "infos"))
        parts = ("observations", "rewards", "terminations", "truncations", "infos")
        endings = 0
        for step in range(steps):
            actions = envs.action_space.sample()
            mine, its = envs.step(actions), measure.step(actions)
            where = f"{mode.name}, step {step}"
            _require_same(where, mine, its, parts)
            require(mine[0] in envs.observation_space, f"{where}: observations are outside of their space")
            ended = its[2] | its[3]
            endings += int(ended.sum())
            if mode is AutoresetMode.DISABLED and ended.any():
                chosen = [{"reset_mask": ended.copy()} for _ in range(2)]
                begun = envs.reset(options=chosen[0]), measure.reset(options=chosen[1])
                _require_same(f"{where}, reset of those that ended", *begun, ("observations", "infos"))
        if mode is AutoresetMode.DISABLED:
            _check_refusal_after_the_end(envs, steps)
        require(
            endings, f"no episode ended within {steps} steps: give more, or a world with shorter episodes"
        )
    finally:
        measure.close()


def _check_refusal_after_the_end(envs: VectorEnv[Any, Any, Any], steps: int) -> None:
    envs.reset()
    for _ in range(steps):
        *_, terminated, truncated, _ = envs.step(envs.action_space.sample())
        if (terminated | truncated).any():
            again = functools.partial(envs.step, envs.action_space.sample())
            _require_refusal(again, "a step after the end of an episode, without a reset")
            return


def _require_same(where: str, mine: Any, its: Any, parts: tuple[str, ...]) -> None:
    for part, one, other in zip(parts, mine, its, strict=True):
        if part == "infos":
            _require_same_infos(where, one, other)
        elif not data_equivalence(one, other, exact=True):
            raise NotConforming(f"{where}: {part} {one} are not those of single ones {other}")


def _require_same_infos(where: str, mine: dict[str, Any], its: dict[str, Any], path: str = "infos") -> None:
    require(
        mine.keys() == its.keys(),
        f"{where}: {path} has {sorted(mine)}, single environments give {sorted(its)}",
    )
    for key, other in its.items():
        if isinstance(other, dict):
            _require_same_infos(where, mine[key], other, f"{path}[{key!r}]")
            continue
        same = np.shape(mine[key]) == np.shape(other) and mine[key].dtype == other.dtype
        same = same and data_equivalence(list(mine[key]), list(other), exact=True)
        if not same:
            raise NotConforming(f"{where}: {path}[{key!r}] is {mine[key]}, single environments give {other}")


def _require_refusal(call: Callable[[], Any], what: str) -> None:
    try:
        call()
    except Exception:
        return
    raise NotConforming(f"{what} was accepted")


def _reset(envs: VectorEnv[Any, Any, Any], **given: Any) -> Any:
    return envs.reset(**given)


def _rows_equal(first: Any, second: Any, rows: Any) -> bool:
    if isinstance(first, dict):
        return all(_rows_equal(first[key], second[key], rows) for key in first)
    if isinstance(first, tuple):
        return all(_rows_equal(a, b, rows) for a, b in zip(first, second, strict=True))
    return bool(np.array_equal(np.asarray(first)[rows], np.asarray(second)[rows]))
