"""Getters of episodes of several agents, against tables, and one by one."""

import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, MultiAgentEpisode
from tests.episodes.model import Model
from tests.episodes.multi_agent.plays import AGENTS, MISSING, PLAYS, Play, plain

KINDS = ("observations", "infos", "actions", "rewards", "outputs")
INTS = st.integers(-8, 8)
ENDS = st.none() | INTS
SLICES = st.builds(slice, ENDS, ENDS, st.sampled_from([None, 1, 2, -1, -2]))
INDICES = st.none() | INTS | st.lists(INTS, max_size=4) | SLICES
FILLS = st.sampled_from([None, 0, 7])


def get(episode, kind, *args, **options):
    if kind == "outputs":
        return episode.get_extra_model_outputs("value", *args, **options)
    return getattr(episode, f"get_{kind}")(*args, **options)


def wanted_of(model, indices, negative, fill):
    """What the rows of one agent give, with a mark where there is nothing; IndexError as for a buffer."""
    if isinstance(indices, int):
        return model.one(indices, negative, fill)
    if isinstance(indices, list):
        return [model.one(i, negative, fill) for i in indices]
    if indices is None:
        return model.items[model.lookback :]
    return model.slice(indices.start, indices.stop, indices.step or 1, negative, fill)


def expected(play, kind, indices, lookback, negative, fill, agents):
    found = {}
    for agent in agents:
        wanted = wanted_of(Model(play.rows(kind, agent), lookback), indices, negative, fill)
        if isinstance(indices, int):
            wanted = fill if wanted is MISSING else wanted
            if wanted is not None:
                found[agent] = wanted
        elif fill is None:
            found[agent] = [item for item in wanted if item is not MISSING]
        else:
            found[agent] = [fill if item is MISSING else item for item in wanted]
    return {agent: items for agent, items in found.items() if items != []}


def same(found, wanted):
    assert {agent: plain_items(items) for agent, items in found.items()} == wanted


def plain_items(items):
    if isinstance(items, np.ndarray):
        return items.tolist()
    return [plain(item) for item in items] if isinstance(items, list) else plain(items)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("numpy", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@given(choices=PLAYS, indices=INDICES, history=st.integers(0, 9), negative=st.booleans(), fill=FILLS)
def test_getters_by_the_environments_steps_give_what_the_table_says(
    kind, numpy, choices, indices, history, negative, fill
):
    play = Play(choices)
    history = min(history, len(play.steps))
    episode = play.episode().slice(slice(history, None), len_lookback_buffer=history)
    episode = episode.to_numpy() if numpy else episode
    options = {"neg_index_as_lookback": negative, "fill": fill}
    if kind == "outputs" and not any(play.table[kind].values()):
        return
    if kind == "outputs" and not any(e.extra_model_outputs for e in episode.agent_episodes.values()):
        return
    try:
        wanted = expected(play, kind, indices, history, negative, fill, episode.agent_episodes)
    except IndexError:
        with pytest.raises(IndexError):
            get(episode, kind, indices, **options)
        return
    same(get(episode, kind, indices, **options), wanted)


@pytest.mark.parametrize("kind", KINDS)
@given(choices=PLAYS, indices=INDICES, fill=FILLS)
def test_a_list_of_steps_holds_what_the_columns_hold(kind, choices, indices, fill):
    play = Play(choices)
    episode = play.episode()
    if isinstance(indices, int) or (kind == "outputs" and not any(play.table[kind].values())):
        return
    rows = get(episode, kind, indices, fill=fill, return_list=True)
    for agent in play.seen():
        model = Model(play.rows(kind, agent), 0)
        wanted = wanted_of(model, indices, False, MISSING if fill is None else fill)
        wanted = [fill if item is MISSING and fill is not None else item for item in wanted]
        assert [plain(row.get(agent, MISSING)) for row in rows] == wanted


@pytest.mark.sampled(3)
@pytest.mark.parametrize("numpy", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@given(choices=PLAYS, indices=INDICES, negative=st.booleans(), fill=FILLS)
def test_getters_by_the_agents_own_steps_give_what_the_table_says(
    kind, numpy, choices, indices, negative, fill
):
    play = Play(choices)
    episode = play.episode()
    episode = episode.to_numpy() if numpy else episode
    for agent in play.seen():
        items = play.items(kind, agent)
        if indices is None:
            items = items[: len(episode.agent_episodes[agent]) + (kind in ("observations", "infos"))]
        if kind == "outputs" and not items:
            continue
        options = {"env_steps": False, "neg_index_as_lookback": negative, "fill": fill}
        try:
            wanted = wanted_of(Model(items, 0), indices, negative, fill)
        except IndexError:
            with pytest.raises(IndexError):
                get(episode, kind, indices, agent, **options)
            continue
        found = get(episode, kind, indices, agent, **options)
        assert plain_items(found.get(agent, [])) == wanted


SPACES = {
    "observation_space": {a: Box(-1.0, 1.0, (2,), np.float32) for a in AGENTS},
    "action_space": dict.fromkeys(AGENTS, Discrete(3)),
}


def waiting_episode():
    """Agent a acts at the first step and waits; agent b makes two steps."""
    episode = MultiAgentEpisode(**SPACES)
    episode.add_env_reset(observations={"a": np.zeros(2, np.float32), "b": np.ones(2, np.float32)})
    one = np.full(2, 0.5, np.float32)
    outputs = {"a": {"logits": np.arange(2.0)}, "b": {"logits": np.arange(2.0) + 2}}
    episode.add_env_step({"b": one}, {"a": 2, "b": 1}, {"a": 1.0, "b": 2.0}, extra_model_outputs=outputs)
    outputs = {"b": {"logits": np.arange(2.0) + 4}}
    episode.add_env_step({"b": -one}, {"b": 0}, {"a": 0.5, "b": 3.0}, extra_model_outputs=outputs)
    return episode


@pytest.mark.parametrize("numpy", [False, True])
def test_one_hot_actions_with_filled_gaps(numpy):
    episode = waiting_episode()
    episode = episode.to_numpy() if numpy else episode
    found = episode.get_actions(slice(0, 3), fill=0.0, one_hot_discrete=True)
    assert np.array(found["a"]).tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert np.array(found["b"]).tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]


def test_filled_observations_have_the_form_of_the_agents_space():
    found = waiting_episode().to_numpy().get_observations(fill=0.0)
    assert {agent: array.shape for agent, array in found.items()} == {"a": (3, 2), "b": (3, 2)}
    assert found["a"].dtype == np.float32


@pytest.mark.parametrize("numpy", [False, True])
def test_hanging_arrays_come_as_they_are(numpy):
    episode = waiting_episode()
    episode = episode.to_numpy() if numpy else episode
    found = episode.get_extra_model_outputs("logits", slice(-2, None), env_steps=False)
    assert np.array(found["a"]).tolist() == [[0, 1]]
    assert np.array(found["b"]).tolist() == [[2, 3], [4, 5]]


@pytest.mark.parametrize("indices", [None, 0, [0, 1], slice(0, 2)])
@pytest.mark.parametrize("env_steps", [True, False])
def test_model_outputs_of_all_keys(indices, env_steps):
    episode = waiting_episode()
    of_key = episode.get_extra_model_outputs("logits", indices, env_steps=env_steps, fill=0)
    of_all = episode.get_extra_model_outputs(indices=indices, env_steps=env_steps, fill=0)
    assert of_all.keys() == of_key.keys()
    for agent, outputs in of_all.items():
        assert list(outputs) == ["logits"]
        assert str(outputs["logits"]) == str(of_key[agent])


def test_model_outputs_of_all_keys_step_by_step():
    rows = waiting_episode().get_extra_model_outputs(return_list=True)
    assert [{agent: list(outputs) for agent, outputs in row.items()} for row in rows] == [
        {"a": ["logits"], "b": ["logits"]},
        {"b": ["logits"]},
    ]


@pytest.mark.parametrize("agents", ["b", ["b"], ("b", "nobody"), {"b"}])
def test_some_agents_only(agents):
    assert waiting_episode().get_rewards(agent_ids=agents) == {"b": [2.0, 3.0]}


def test_what_getters_refuse():
    episode = waiting_episode()
    with pytest.raises(IndexError, match="index 5 out of range: there are 3"):
        episode.get_observations(5)
    with pytest.raises(IndexError, match="index 2 out of range"):
        episode.get_actions([0, 2])
    with pytest.raises(KeyError, match="no extra model output 'value'"):
        episode.get_extra_model_outputs("value")
    with pytest.raises(EpisodeError, match="not for a single index"):
        episode.get_actions(0, return_list=True)
    with pytest.raises(EpisodeError, match="not with env_steps=False"):
        episode.get_actions(env_steps=False, return_list=True)
    with pytest.raises(EpisodeError, match="indices are an int"):
        episode.get_actions("all")


def test_indices_may_be_numpys():
    episode = waiting_episode()
    assert episode.get_actions(np.int64(0)) == episode.get_actions(0)
    wanted = episode.get_rewards([0, 0], env_steps=False)
    assert episode.get_rewards(np.array([0, 0]), env_steps=False) == wanted


def test_setters_count_the_agents_own_steps():
    episode = waiting_episode()
    episode.set_rewards(new_data={"b": [5.0, 6.0]}, at_indices=slice(0, 2))
    episode.set_actions(new_data={"b": 2}, at_indices=-1)
    episode.set_observations(new_data={"a": np.ones(2, np.float32)}, at_indices=0)
    episode.set_extra_model_outputs(key="logits", new_data={"b": np.zeros(2)}, at_indices=0)
    assert episode.get_rewards(agent_ids="b") == {"b": [5.0, 6.0]}
    assert episode.get_actions(agent_ids="b") == {"b": [1, 2]}
    assert episode.get_observations(0)["a"].tolist() == [1, 1]
    assert episode.get_extra_model_outputs("logits", 0)["b"].tolist() == [0, 0]
    with pytest.raises(KeyError, match="no agent 'z'"):
        episode.set_rewards(new_data={"b": [0.0], "z": [1.0]}, at_indices=[0])
    assert episode.get_rewards(0, "b") == {"b": 5.0}


@pytest.mark.parametrize("fill", [None, 0.0])
def test_without_model_outputs_there_is_an_empty_dict_for_each_step(fill):
    lists = {
        "observations": [{"a": 0}, {"a": 1}, {"a": 2}],
        "actions": [{"a": 0}, {"a": 1}],
        "rewards": [{"a": 1.0}, {"a": 1.0}],
    }
    episode = MultiAgentEpisode(**lists, len_lookback_buffer=0)
    get = episode.get_extra_model_outputs
    assert get(return_list=True, fill=fill) == [{}, {}]
    assert get(indices=[0, 9], return_list=True, fill=fill) == [{}, {}]
    assert get(fill=fill) == get(indices=1, fill=fill) == get(indices=-2, env_steps=False, fill=fill) == {}


@pytest.mark.parametrize("options", [{}, {"env_steps": False}])
@pytest.mark.parametrize("index", [2, -3, [0, 2]])
def test_model_outputs_outside_of_the_steps_are_an_error_even_without_any(index, options):
    episode = MultiAgentEpisode(
        observations=[{"a": 0}, {"a": 1}, {"a": 2}],
        actions=[{"a": 0}, {"a": 1}],
        rewards=[{"a": 1.0}, {"a": 1.0}],
        len_lookback_buffer=0,
    )
    with pytest.raises(IndexError, match="out of range"):
        episode.get_extra_model_outputs(indices=index, **options)
    assert episode.get_extra_model_outputs(indices=index, fill=0.0, **options) == {}
