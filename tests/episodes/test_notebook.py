"""What notebooks show of episodes."""

import re

import numpy as np
import pytest

from gridarium.episodes import MultiAgentEpisode, SingleAgentEpisode
from tests.episodes.making import make


def cells(shown: str) -> list[list[str]]:
    """The rows of the table in it."""
    return [re.findall(r"<td>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", shown)[1:]]


@pytest.mark.parametrize("numpy", [False, True])
def test_an_episode_shows_its_last_steps(numpy):
    episode = make(12, outputs=True, done="terminated")
    if numpy:
        episode.to_numpy()
    shown = episode._repr_html_()
    assert "12 steps from 0 on, return 33, terminated" in shown and "The last 10 of 12 steps" in shown
    rows = cells(shown)
    assert [row[0] for row in rows] == [str(t) for t in range(2, 12)]
    assert [row[2] for row in rows] == [str(t % 3) for t in range(2, 12)]
    assert "<th>value</th>" in shown


def test_an_empty_episode_and_a_chunk_can_be_shown():
    assert cells(SingleAgentEpisode()._repr_html_()) == []
    chunk = make(5).cut(2)
    assert "0 steps from 5 on" in chunk._repr_html_() and cells(chunk._repr_html_()) == []


def test_nothing_in_an_episode_becomes_markup():
    episode = SingleAgentEpisode(id_="<b>")
    episode.add_env_reset("<script>")
    episode.add_env_step(np.zeros((9, 9), np.uint8), "<i>", 1.0)
    shown = episode._repr_html_()
    assert not re.search("<(script|i|b)>", shown) and "&lt;script&gt;" in shown
    episode.add_env_step("x" * 100, "stop", 1.0)
    assert "uint8[9, 9]" in episode._repr_html_()


def test_several_agents_are_shown_one_after_another():
    episode = MultiAgentEpisode()
    episode.add_env_reset(observations={"a": 0, "b": 1})
    episode.add_env_step({"a": 1, "b": 2}, {"a": 0, "b": 1}, {"a": 1.0, "b": 2.0})
    shown = episode._repr_html_()
    assert shown.count("<table>") == 2 and "return 2" in shown
