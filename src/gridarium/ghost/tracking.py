"""The agent tracked in the ghost world: its turns, with what a particle filter makes of what was measured."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.particle_filter import ParticleFilter
from gridarium.ghost.round_kernel import LEARN, MOVE, SET_OUT
from gridarium.ghost.sensing import CLASSES, ColorTables, likelihoods


class Tracking:
    """An environment and, perhaps, a filter that estimates where the agent is; see `AgentInterface` for attributes."""

    env: CustomGridEnv
    pf: ParticleFilter | None
    pf_sensor_mode: str
    vision_sensor: Any
    _color_tables: ColorTables
    _dealt_for: tuple[Any, ...]

    def _begin(self, seed: int | None) -> None:
        """An episode begins, and the filter with the first measurements."""
        env, pf = self.env, self.pf
        if seed is None and self._reads_colors_only():
            env.begin_prepared(None, SET_OUT | self._deal())
            if pf is not None:
                pf.lost = 0
                env.info["estimated_pos"] = pf.took_step()
            return
        env.reset(seed=seed)
        if pf is not None:
            pf.reset()
            self._see(env.info)
            likelihood = self._likelihood(env.info)
            if likelihood is not None:
                pf.learn(likelihood)
            env.info["estimated_pos"] = pf.get_estimated_position()

    def _turn(self, action: Any, steps: int = 0) -> float:
        """The agent's turn; gives its reward.

        `steps` are bits of `round_kernel`: whether ghosts answer at once, where the agent reads colors only.
        """
        env, pf = self.env, self.pf
        index = env.prepare_turn(action)
        if self._reads_colors_only():
            reward = env.take_turn(index, MOVE | steps | self._deal())
            if pf is not None:
                env.info["estimated_pos"] = pf.took_step()
            return reward
        reward = env.take_turn(index)
        if pf is not None:
            self._see(env.info)
            pf.step(index, env.motion, env.views.ways, self._likelihood(env.info))
            env.info["estimated_pos"] = pf.get_estimated_position()
        return reward

    def _reads_colors_only(self) -> bool:
        """Whether compiled calls can do all that the filter, if there is one, has to."""
        return self.pf is None or (self.vision_sensor is None and self.pf_sensor_mode != "cnn")

    def _deal(self) -> int:
        """See to it that compiled calls let the filter learn by the present settings; gives the bit for that, if any."""
        env, pf = self.env, self.pf
        if pf is None:
            return 0
        if (env.rounds, pf.memory, self.pf_sensor_mode) != self._dealt_for:
            pf.prepare(env.motion, env.views.ways)
            env.rounds.follow(pf.memory, np.array(self._color_tables.of(env, self.pf_sensor_mode)))
            self._dealt_for = (env.rounds, pf.memory, self.pf_sensor_mode)
        return LEARN

    def _see(self, info: dict[str, Any]) -> None:
        """What the vision sensor says of the agent's cell."""
        if self.vision_sensor is None:
            return
        seen = self.vision_sensor.predict(self.env.grid[tuple(self.env.agent_pos)])
        if seen is not None:
            info["cnn_prediction"], info["cnn_probs"] = seen["prediction"], list(seen["probs"])

    def _likelihood(self, info: dict[str, Any]) -> Any:
        """float64[cells] of what was measured, or None."""
        env, mode = self.env, self.pf_sensor_mode
        probs = info.get("cnn_probs") if mode != "color" else None
        if probs is not None:
            names = getattr(self.vision_sensor, "class_names", CLASSES)
            priors = getattr(self.vision_sensor, "class_priors", None)
            return likelihoods(info, mode, env.grid, names, env.color_sensor_quality, priors)
        return self._color_tables.of(self.env, self.pf_sensor_mode)[info["color_measurement"]]
