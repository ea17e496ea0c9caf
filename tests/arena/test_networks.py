"""Players from files of networks: ONNX, and models of Stable-Baselines3."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from gridarium.arena import CannotPlay, Match, PlayerStatus, open_player
from gridarium.arena.players.player import Turn
from gridarium.games import WorldGame
from tests.arena.games import Board, Nim

ACTIONS = 10


@pytest.fixture(scope="module")
def game() -> WorldGame:
    return Board()


def written(path: Path, inputs: dict[str, tuple[int, ...]], nodes, constants, actions: int = ACTIONS) -> Path:
    """A model whose output is `scores` [1, actions]."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    helper, number = onnx.helper, onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [helper.make_node(*node[:3], **node[3]) for node in nodes],
        "test",
        [helper.make_tensor_value_info(name, number, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info("scores", number, (1, actions))],
        [
            helper.make_tensor(name, number, np.shape(value), np.ravel(value).tolist())
            for name, value in constants.items()
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())
    return path


def of_mask(path: Path) -> Path:
    """Scores of legal actions are higher, the later they come."""
    weights = np.arange(ACTIONS, dtype=float)[None]
    return written(
        path, {"action_mask": (1, ACTIONS)}, [("Mul", ["action_mask", "w"], ["scores"], {})], {"w": weights}
    )


def test_a_network_takes_the_legal_action_with_the_highest_score(game, tmp_path) -> None:
    player = open_player(f"onnx:{of_mask(tmp_path / 'last.onnx')}")
    assert player.name == "last"
    result = Match(game, [player, open_player("random")], seed=1).run()
    assert [seat.status for seat in result.seats] == ["DONE", "DONE"]
    assert result.moves[0].action == game.valid_actions(game.new_state()[0], 0)[-1]


def test_a_network_with_one_input_gets_all_arrays_flat(game, tmp_path) -> None:
    """The score of an action is the sum of the observation times its number plus one: all arrays arrive, in the order of names."""
    state, _ = game.new_state(seed=0)
    seen = game.state_to_observation(state, 0)
    size = sum(array.size for array in seen.values())
    weights = np.random.default_rng(0).normal(size=(size, ACTIONS))
    path = written(
        tmp_path / "flat.onnx", {"x": (1, size)}, [("MatMul", ["x", "w"], ["scores"], {})], {"w": weights}
    )
    player = open_player(f"onnx:{path}")
    Match(game, [player, open_player("random")]).run()
    expected = np.concatenate([np.ravel(seen[name]) for name in sorted(seen)]) @ weights
    assert player.scores(Turn(game, state, 0, 0)) == pytest.approx(expected, rel=1e-4)  # type: ignore[attr-defined]


def test_a_network_can_draw_its_actions(game, tmp_path) -> None:
    path = of_mask(tmp_path / "draw.onnx")
    first = set()
    player = open_player(f"onnx:{path},sample=true")
    for seed in range(30):
        first.add(Match(game, [player, open_player("random")], seed=seed).run().moves[0].action)
    assert 2 <= len(first) <= 6


def test_networks_of_other_games_and_other_files_are_refused(game, tmp_path) -> None:
    pytest.importorskip("onnxruntime")
    path = of_mask(tmp_path / "nine.onnx")
    with pytest.raises(CannotPlay, match="plays worlds"):
        Match(Nim(), [open_player(f"onnx:{path}"), open_player("random")]).run()
    two = {"a": (1, 3), "action_mask": (1, ACTIONS)}
    other = written(tmp_path / "other.onnx", two, [("Identity", ["action_mask"], ["scores"], {})], {})
    with pytest.raises(CannotPlay, match="has no array 'a'; there are"):
        Match(game, [open_player(f"onnx:{other}"), open_player("random")]).run()
    small = written(tmp_path / "small.onnx", {"x": (1, 5)}, [("Identity", ["x"], ["scores"], {})], {}, 5)
    with pytest.raises(CannotPlay, match=r"its input 'x' has the shape \[1, 5\]"):
        Match(game, [open_player(f"onnx:{small}"), open_player("random")]).run()
    garbage = tmp_path / "garbage.onnx"
    garbage.write_bytes(b"not a model")
    with pytest.raises(ValueError, match="cannot be read as an ONNX file"):
        open_player(f"onnx:{garbage}")
    with pytest.raises(ValueError, match="there is no file missing.onnx"):
        open_player("onnx:missing.onnx")
    with pytest.raises(ValueError, match="the settings are sample"):
        open_player(f"onnx:{path},speed=3")


def test_a_network_with_too_few_scores_fails(game, tmp_path) -> None:
    path = written(
        tmp_path / "few.onnx", {"action_mask": (1, ACTIONS)},
        [("ReduceMean", ["action_mask"], ["scores"], {"axes": [1], "keepdims": 1})], {}, 1,
    )  # fmt: skip
    result = Match(game, [open_player(f"onnx:{path}"), open_player("random")]).run()
    assert result.seats[0].status == PlayerStatus.ERROR and "10 are needed" in result.seats[0].reason


# Stable-Baselines3


class Harmful:
    """Whoever unpickles this runs code."""

    def __reduce__(self):
        return (Path("harmed").touch, ())


def model_file(path: Path, weights: object, data: dict[str, object] | None = None) -> Path:
    torch = pytest.importorskip("torch")
    buffer = io.BytesIO()
    torch.save(weights, buffer)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("policy.pth", buffer.getvalue())
        archive.writestr("data", json.dumps(data or {}))
    return path


def test_nothing_in_a_model_file_is_executed(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="more than weights|not a model"):
        open_player(f"sb3:{model_file(tmp_path / 'harmful.zip', {'action_net.weight': Harmful()})}")
    assert not Path("harmed").exists()
    pickled = tmp_path / "pickle.zip"
    pickled.write_bytes(pickle.dumps(Harmful()))
    with pytest.raises(ValueError, match="is not a model of Stable-Baselines3"):
        open_player(f"sb3:{pickled}")
    assert not Path("harmed").exists()


def test_networks_of_another_kind_are_refused(tmp_path) -> None:
    torch = pytest.importorskip("torch")
    wide = {"features_extractor.cnn.0.weight": torch.zeros(2, 2)}
    with pytest.raises(ValueError, match="another kind than MlpPolicy"):
        open_player(f"sb3:{model_file(tmp_path / 'cnn.zip', wide)}")
    with pytest.raises(ValueError, match="the activation is one of Tanh"):
        open_player(f"sb3:{model_file(tmp_path / 'mlp.zip', {})},activation=Other")


class Flat(gymnasium.Env):
    """The spaces of a game, for models that are made and not trained."""

    def __init__(self, game):
        seen = game.state_to_observation(game.new_state()[0], 0)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, self.flat(seen).shape)
        self.action_space = gymnasium.spaces.Discrete(len(game.world.actions))

    @staticmethod
    def flat(seen):
        spaces = {name: gymnasium.spaces.Box(-np.inf, np.inf, array.shape) for name, array in seen.items()}
        return gymnasium.spaces.flatten(gymnasium.spaces.Dict(spaces), seen).astype(np.float32)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["PPO", "ReLU", "DQN", "MaskablePPO"])
def test_a_saved_model_plays_as_it_predicts(kind, game, tmp_path) -> None:
    sb3 = pytest.importorskip("stable_baselines3")
    torch = pytest.importorskip("torch")
    env = Flat(game)
    if kind == "MaskablePPO":
        made = pytest.importorskip("sb3_contrib").MaskablePPO("MlpPolicy", env, device="cpu", seed=3)
    elif kind == "DQN":
        made = sb3.DQN("MlpPolicy", env, device="cpu", seed=3, buffer_size=100)
    else:
        options = (
            {"policy_kwargs": {"activation_fn": torch.nn.ReLU, "net_arch": [16]}} if kind == "ReLU" else {}
        )
        made = sb3.PPO("MlpPolicy", env, device="cpu", seed=3, **options)
    made.save(tmp_path / "model")
    player = open_player(f"sb3:{tmp_path / 'model.zip'}")
    result = Match(game, [player, open_player("random")], seed=1).run()
    assert [seat.status for seat in result.seats] == ["DONE", "DONE"]
    state, players = game.new_state(seed=1)
    for move in result.moves[:4]:
        seen = env.flat(game.state_to_observation(state, players[0]))[None]
        scores = player.scores(Turn(game, state, players[0], 0))  # type: ignore[attr-defined]
        with torch.no_grad():
            tensor = torch.as_tensor(seen).float()
            wanted = (
                made.q_net(tensor)
                if kind == "DQN"
                else made.policy.get_distribution(tensor).distribution.logits
            ).numpy()[0]
        shift = 0.0 if kind == "DQN" else scores[0] - wanted[0]  # logits are normalised
        assert scores - shift == pytest.approx(wanted, abs=1e-4)
        state, players, *_ = game.next_state(state, players, [move.action])
