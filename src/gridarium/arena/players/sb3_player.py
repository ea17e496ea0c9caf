"""Models of Stable-Baselines3 as players. Needs torch: the extra `gridarium[sb3]` or `gridarium[torch]`."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.arena.players.player import CannotPlay, GameStart, Turn
from gridarium.arena.players.score_player import Floats, ScorePlayer, flat_observation, flat_size
from gridarium.engine import World

NEEDED = "players from files of Stable-Baselines3 need torch: pip install 'gridarium[torch]'"
ACTIVATIONS: dict[str, Callable[[npt.NDArray[Any]], npt.NDArray[Any]]] = {
    "Tanh": np.tanh,
    "ReLU": lambda x: np.maximum(x, 0.0),
    "LeakyReLU": lambda x: np.where(x > 0, x, 0.01 * x),
    "ELU": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0.0))),
    "Sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}
ACTOR, LAST = "mlp_extractor.policy_net", "action_net"
Q_NET = "q_net.q_net"
MOST_BYTES = 1 << 30
"""Of each part of a file."""


class SB3Player(ScorePlayer):
    """A saved model of PPO, A2C, MaskablePPO (`MlpPolicy`, `MultiInputPolicy`) or DQN.

    Such files hold pickled objects, which run code when they are loaded. So only the weights are read, by
    `torch.load(weights_only=True)`, and the network, a stack of layers, is made of their shapes; the name of the activation
    function is read as text. Its input is all arrays of the game's observation, flat, one after another in the order of their names,
    as gymnasium's `FlattenObservation` and `MultiInputPolicy` have them. Networks of other kinds are refused: play them as a
    Python file, which runs in a process of its own.

    Args:
        name: shown in results.
        file: the zip file that `model.save` has written.
        activation: Tanh, ReLU, LeakyReLU, ELU or Sigmoid; by default that in the file.
        sample: see `ScorePlayer`.

    Raises:
        ImportError: torch is not installed.
        ValueError: the file is of another kind.
    """

    def __init__(self, name: str, file: Path, *, activation: str = "", sample: bool = False) -> None:
        super().__init__(name, sample=sample)
        weights, described = _read(file)
        q_net = any(key.startswith(Q_NET) for key in weights)
        kind = activation or described or ("ReLU" if q_net else "Tanh")  # their defaults
        if kind not in ACTIVATIONS:
            raise ValueError(f"{file}: the activation is one of {', '.join(ACTIVATIONS)}, not {kind}")
        self._activation, self._layers = ACTIVATIONS[kind], _layers(weights, file)

    def prepare(self, world: World, start: GameStart) -> None:
        """See `ScorePlayer.prepare`."""
        sizes = flat_size(start), len(world.actions)
        own = self._layers[0][0].shape[1], len(self._layers[-1][1])
        if own != sizes:
            raise CannotPlay(
                f"{self.name} is a network from {own[0]} numbers to {own[1]} actions; {start.name} has {sizes[0]} and {sizes[1]}"
            )

    def scores(self, turn: Turn) -> Floats:
        """See `ScorePlayer.scores`."""
        x = flat_observation(turn).astype(np.float32)
        for weight, bias in self._layers[:-1]:
            x = self._activation(weight @ x + bias)
        weight, bias = self._layers[-1]
        scores: Floats = weight @ x + bias
        return scores


def _read(file: Path) -> tuple[dict[str, npt.NDArray[Any]], str]:
    """The weights in a file, and the name of the activation function, "" if it is the default."""
    try:
        import torch
    except ImportError as error:
        raise ImportError(NEEDED) from error
    try:
        with zipfile.ZipFile(file) as archive:
            for part in ("policy.pth", "data"):
                if archive.getinfo(part).file_size > MOST_BYTES:
                    raise ValueError(f"{part} has more than {MOST_BYTES} bytes")
            found = torch.load(io.BytesIO(archive.read("policy.pth")), map_location="cpu", weights_only=True)
            weights = {key: np.asarray(value.numpy(), np.float32) for key, value in found.items()}
            data = json.loads(archive.read("data"))
        text = json.dumps(data.get("policy_kwargs", {}).get("activation_fn", ""))
    except (OSError, KeyError, AttributeError, ValueError, RuntimeError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file} is not a model of Stable-Baselines3: {error}") from None
    except Exception as error:  # torch raises UnpicklingError for anything but weights
        raise ValueError(f"{file} has more than weights: {error}") from None
    described = re.search(r"torch\.nn\.modules\.activation\.(\w+)", text)
    return weights, described.group(1) if described else ""


def _layers(
    weights: dict[str, npt.NDArray[Any]], file: Path
) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    """Weights and biases of the layers that lead from an observation to the scores of actions."""
    if any(key.startswith(("features_extractor.", "pi_features_extractor.", "lstm")) for key in weights):
        raise ValueError(f"{file} has a network of another kind than MlpPolicy; play it as a Python file")
    q_net = any(key.startswith(Q_NET) for key in weights)
    prefix = Q_NET if q_net else ACTOR
    numbers = sorted(
        {int(key[len(prefix) :].split(".")[1]) for key in weights if key.startswith(f"{prefix}.")}
    )
    names = [f"{prefix}.{number}" for number in numbers] + ([] if q_net else [LAST])
    try:
        found = [(weights[f"{name}.weight"], weights[f"{name}.bias"]) for name in names]
    except KeyError as error:
        raise ValueError(f"{file} has a network of another kind than MlpPolicy: it has no {error}") from None
    if not found or any(weight.ndim != 2 for weight, _ in found):
        raise ValueError(f"{file} has a network of another kind than MlpPolicy; play it as a Python file")
    return found
