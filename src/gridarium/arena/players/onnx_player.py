"""Networks in ONNX files as players. Needs the extra `gridarium[onnx]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.arena.players.player import CannotPlay, GameStart, PlayerFault, PlayerStatus, Turn
from gridarium.arena.players.score_player import Floats, ScorePlayer, flat_observation, flat_size
from gridarium.engine import World

NEEDED = "players from ONNX files need onnxruntime: pip install 'gridarium[onnx]'"
TYPES = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(uint8)": np.uint8,
    "tensor(int8)": np.int8,
    "tensor(bool)": np.bool_,
}
MASK = "action_mask"


class ONNXPlayer(ScorePlayer):
    """A network that gives each action of a world a score: the first output, [1, actions].

    Its inputs have the names of the arrays of the game's observations, with a first axis of 1; `action_mask` [1, actions] is 1
    for legal actions. A single input with another name gets all arrays, flat, one after another in the order of their names. Files
    hold numbers and known operations, and run no code.

    Args:
        name: shown in results.
        file: the ONNX file.
        sample: see `ScorePlayer`.

    Raises:
        ImportError: onnxruntime is not installed.
        ValueError: it cannot be read, or has inputs of an unknown type.
    """

    def __init__(self, name: str, file: Path, *, sample: bool = False) -> None:
        super().__init__(name, sample=sample)
        try:
            import onnxruntime
        except ImportError as error:
            raise ImportError(NEEDED) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what goes wrong is raised
        try:
            self._session = onnxruntime.InferenceSession(
                file.read_bytes(), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # of many kinds, which have no common base of their own
            raise ValueError(f"{file} cannot be read as an ONNX file: {error}") from None
        self._inputs = self._session.get_inputs()
        for one in self._inputs:
            if one.type not in TYPES:
                raise ValueError(
                    f"{file}: the input {one.name} is {one.type}; possible are {', '.join(TYPES)}"
                )

    def prepare(self, world: World, start: GameStart) -> None:
        """See `ScorePlayer.prepare`: the names and sizes of inputs fit the observations."""
        shapes: Mapping[str, Sequence[int]] = {
            **start.game.observation_shape,
            MASK: (len(world.actions),),
        }
        self._flat = len(self._inputs) == 1 and self._inputs[0].name not in shapes
        if self._flat:
            shapes = {self._inputs[0].name: (flat_size(start),)}
        for one in self._inputs:
            if one.name not in shapes:
                raise CannotPlay(
                    f"{self.name}: {start.name} has no array {one.name!r}; there are {', '.join(shapes)}"
                )
            wanted, given = one.shape, (1, *shapes[one.name])
            fits = len(wanted) == len(given) and all(
                not isinstance(a, int) or a == b for a, b in zip(wanted, given, strict=True)
            )
            if not fits:
                raise CannotPlay(
                    f"{self.name}: its input {one.name!r} has the shape {list(wanted)}, and that of {start.name} is {list(given)}"
                )

    def scores(self, turn: Turn) -> Floats:
        """See `ScorePlayer.scores`."""
        try:
            output = self._session.run(None, self._fed(turn))[0]
        except Exception as error:  # as above
            raise PlayerFault(PlayerStatus.ERROR, f"its network cannot be run: {error}") from None
        scores: Floats = np.asarray(output, np.float64).reshape(-1)
        return scores

    def _fed(self, turn: Turn) -> dict[str, npt.NDArray[Any]]:
        arrays: dict[str, npt.NDArray[Any]]
        if self._flat:
            arrays = {self._inputs[0].name: flat_observation(turn)}
        else:
            arrays = {**turn.observation, MASK: self._mask(turn)}
        return {
            one.name: np.ascontiguousarray(arrays[one.name][None]).astype(TYPES[one.type])
            for one in self._inputs
        }

    @staticmethod
    def _mask(turn: Turn) -> npt.NDArray[np.int8]:
        world = turn.game.world  # type: ignore[attr-defined]
        mask = np.zeros(len(world.actions), np.int8)
        mask[world.legal_actions(turn.state.world, turn.seat)] = 1
        return mask
