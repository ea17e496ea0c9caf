"""SimpleAvoidAgent and TronRender of ColosseumRL."""

from __future__ import annotations

import numpy as np
import pytest

from gridarium.arena import Match, open_player
from gridarium.games.colosseum.tron import TronGridEnvironment
from gridarium.games.colosseum.tron_agents import SimpleAvoidAgent
from gridarium.games.colosseum.tron_render import TronRender, plasma


class Tron(TronGridEnvironment):
    compiled = False


def seen(board, head, heading, window=-1):
    size = len(board)
    heads = head[0] * size + head[1] if window < 0 else 99
    return {"board": np.array(board), "heads": np.array([heads]), "directions": np.array([heading])}


@pytest.mark.parametrize(
    ("head", "heading", "expected"),
    [
        ((1, 1), 1, {"forward"}),
        ((1, 2), 1, {"left"}),  # the edge ahead, a trail on the right
        ((0, 1), 0, {"right", "left"}),
        ((2, 0), 2, {"left"}),
    ],
)
def test_it_drives_on_where_it_can_and_turns_to_a_free_side(head, heading, expected) -> None:
    board = [[0, 1, 0], [0, 1, 0], [1, 0, 2]]
    agent, game = SimpleAvoidAgent(noise=0.0, seed=0), Tron("9;2")
    found = {agent(game, seen(board, head, heading)) for _ in range(20)}
    assert found == expected


def test_it_sees_through_an_observation_window() -> None:
    board = [[-1, -1, -1], [0, 1, 2], [0, 0, 0]]  # the head in the middle of the edge, the other to the east
    found = {SimpleAvoidAgent(0.0, seed)(Tron("9;2;1"), seen(board, (1, 1), 1, 1)) for seed in range(5)}
    assert found == {"right"}


def test_noise_is_a_share_of_random_actions() -> None:
    free = [[0] * 3 for _ in range(3)]
    agent = SimpleAvoidAgent(noise=0.6, seed=1)
    game = Tron("9;2")
    found = [agent(game, seen(free, (1, 1), 0)) for _ in range(600)]
    assert 0.5 < found.count("forward") / 600 < 0.7  # 0.4 + 0.6 / 3
    with pytest.raises(ValueError, match="noise"):
        SimpleAvoidAgent(noise=2.0)


def test_it_plays_matches_and_outlives_random_drivers() -> None:
    wins = 0
    for seed in range(10):
        players = [open_player("gridarium.games.colosseum.tron_agents:avoid"), open_player("random")]
        result = Match(Tron("9;2"), players, config="9;2", seed=seed).run()
        assert [seat.status for seat in result.seats] == ["DONE", "DONE"]
        wins += result.winners == [0]
    assert wins >= 8


def test_pictures_show_heads_brighter_than_trails_and_who_has_won() -> None:
    game = Tron("9;2")
    state, players = game.new_state()
    for _ in range(3):
        state, players, *_ = game.next_state(state, players, ["forward"] * 2)
    render = TronRender(9, 2, window_size=(120, 100), outside_border=5, winner_player=0)
    picture = render.render(state, "rgb_array")
    assert picture is not None and picture.shape == (100, 120, 3)
    head = state.world.agents[0].position
    at = [5 + int((k + 0.5) * 10) for k in (head.y, head.x)]
    assert picture[at[0], at[1]].tolist() == np.round(255 * render.colors[0]).astype(int).tolist()
    trail = picture[at[0] - 10 if head.y > 1 else at[0] + 10, at[1]]
    assert trail.sum() < picture[at[0], at[1]].sum()
    assert len({*map(tuple, picture[:3].reshape(-1, 3).tolist())}) == 1
    own = render.render_observation(game.state_to_observation(state, 0), "rgb_array")
    assert np.array_equal(own, picture)
    while players:
        state, players, *_ = game.next_state(state, players, ["forward", "right"][: len(players)])
    won, lost = (TronRender(9, 2, winner_player=p).render(state, "rgb_array")[0, 0] for p in (0, 1))
    assert (won[1] > won[0]) == (game.winners(state) == [0])
    assert (lost[1] > lost[0]) == (game.winners(state) == [1])
    with pytest.raises(ValueError, match="too few"):
        TronRender(50, 2, window_size=(60, 60))
    with pytest.raises(ValueError, match="mode is"):
        render.render(state, "ansi")  # type: ignore[arg-type]


def test_the_window_opens_where_there_is_pygame(monkeypatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render = TronRender(9, 2, window_size=(100, 100))
    assert render.render(Tron("9;2").new_state()[0]) is None
    render.close()
    render.close()


def test_colors_run_from_blue_to_yellow() -> None:
    first, last = plasma([0.0, 1.0])
    assert first[2] > 0.5 > first[0] and last[0] > 0.9 and last[2] < 0.2
