"""What cannot be written is refused when it is added: it takes nothing else with it."""

import gymnasium as gym
import numpy as np
import pytest

from gridarium.episodes import EpisodeError, MultiAgentEpisode, SingleAgentEpisode

pytest.importorskip("pyarrow")
from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter

LONE = "\ud800"  # half of a pair: no UTF-8


class Odd(gym.Space):
    """A space of one's own, which no file can describe."""

    def contains(self, x):
        return True


def single(name="odd", items=(0, 1), **options):
    return SingleAgentEpisode(
        name, observations=list(items), actions=[0], rewards=[1.0], len_lookback_buffer=0, **options
    )


def several(name="odd", item=0, agent="a", **options):
    return MultiAgentEpisode(
        name, observations=[{agent: item}] * 2, actions=[{agent: 0}], rewards=[{agent: 1.0}], **options
    )


REFUSED = {
    "number as module": (single(module_id=3), "episode odd: a module's id: 3 cannot be written"),
    "number as id": (single(7), "an episode's id: 7 cannot be written"),
    "surrogate in an id": (single(LONE), "an episode's id: .*cannot be written as UTF-8"),
    "surrogate in an info": (single(infos=[{"a": [LONE]}, {}]), r"infos\['a'\]\[0\]: .* UTF-8"),
    "surrogate in a key": (single(infos=[{LONE: 1}, {}]), "infos, a key: .* UTF-8"),
    "surrogate in an agent": (several(agent=LONE), "UTF-8"),
    "number too long": (single(infos=[{"a": 10**5000}, {}]), "infos cannot be written as JSON"),
    "number as id of several": (several(7), "an episode's id: 7 cannot be written"),
    "number as module of several": (several(agent_module_ids={"a": 3}), "episode odd: a module's id: 3"),
    "long double": (several(item=np.longdouble(1)), "observations: .* cannot be stored"),
    "another byte order": (
        several(item=np.zeros(2, np.dtype(np.float32).newbyteorder())),
        "observations: numbers in another byte order .* cannot be stored; give them as",
    ),
    "zero at the end of a text": (several(item="a\0"), "observations: .*'a.x00' ends with a zero character"),
    "nothing in an array": (several(item=np.zeros((0, 3))), r"observations: .*float64\[0, 3\]"),
    "texts in an array": (several(item=np.array(["a", "b"])), "arrays of texts cannot be stored"),
    "surrogate in an observation": (several(item=LONE), "episode .* cannot be written: .*utf-8"),
    "surrogate in a path": (several(item={LONE: 1}), "the name of a column: .* UTF-8"),
    "space of one's own": (several(action_space={"a": Odd((), np.int64)}), "Odd"),
}


@pytest.mark.parametrize(("odd", "told"), REFUSED.values(), ids=REFUSED.keys())
def test_it_is_refused_and_all_else_is_written(tmp_path, odd, told):
    with EpisodeWriter(tmp_path) as writer:
        writer.add([single(f"before{i}") for i in range(3)])
        with pytest.raises(EpisodeError, match=told):
            writer.add([single("with it"), odd])
        writer.add(single("after"))
    data = EpisodeDataset(tmp_path)
    assert data.ids == ["before0", "before1", "before2", "after"] and len(data.header.streams) == 1
    assert [episode.get_return() for episode in data] == [1.0] * 4


@pytest.mark.parametrize("items", [[np.longdouble(1)] * 2, [np.zeros((0, 3))] * 2, [LONE, "b"]])
def test_the_first_one_leaves_no_form_behind(tmp_path, items):
    with EpisodeWriter(tmp_path) as writer:
        with pytest.raises(EpisodeError, match="stored|utf-8"):
            writer.add(single(items=items))
        writer.add(single("fits"))
    assert EpisodeDataset(tmp_path).ids == ["fits"]


def test_texts_of_all_scripts_are_written(tmp_path):
    with EpisodeWriter(tmp_path) as writer:
        writer.add(single("Größe 木 😀", ["ä", "木"], infos=[{"é": "😀"}, {}], module_id="ß"))
    (found,) = EpisodeDataset(tmp_path)
    assert (found.id_, found.module_id, found.get_infos(0)) == ("Größe 木 😀", "ß", {"é": "😀"})
    assert found.get_observations().tolist() == ["ä", "木"]


@pytest.mark.parametrize("odd", [[2**53 + 1, 1], [np.int64(1), np.int64(-(2**53) - 1)]])
def test_whole_numbers_that_a_column_of_floats_does_not_hold_are_refused(tmp_path, odd):
    with EpisodeWriter(tmp_path) as writer:
        writer.add(single("floats", (0.5, 2.0)))
        with pytest.raises(
            EpisodeError, match=r"episode odd: observations: the whole number -?900719925474099"
        ):
            writer.add(single(items=odd))
        writer.add(single("whole", (2**53, 1)))
    assert [e.get_observations().tolist() for e in EpisodeDataset(tmp_path)] == [[0.5, 2.0], [2.0**53, 1.0]]


def test_actions_are_kept_in_the_type_of_their_space(tmp_path):
    """As gymnasium's own spaces take them with a cast, and as vector environments record them."""
    space = gym.spaces.Box(-1.0, 1.0, (2,), np.float32)
    exact, near = np.full(2, 0.1, np.float32), np.full(2, 0.1)

    def acting(name, action, space=None):
        return SingleAgentEpisode(
            name,
            observations=[0, 1],
            actions=[action],
            rewards=[1.0],
            action_space=space,
            len_lookback_buffer=0,
        )

    with EpisodeWriter(tmp_path / "declared") as writer:
        writer.add([acting("exact", exact, space), acting("near", near, space), acting("same", near)])
        with pytest.raises(EpisodeError, match="actions: values of type float64 do not fit"):
            writer.add(acting("too large", np.full(2, 1e300), space))
        with pytest.raises(EpisodeError, match="actions at step 0, entry .0,.: 1.5 is outside"):
            writer.add(acting("outside", np.full(2, 1.5), space))
    for found in EpisodeDataset(tmp_path / "declared"):
        assert found.get_actions().dtype == np.float32 and np.array_equal(found.get_actions(0), exact)
    with EpisodeWriter(tmp_path / "undeclared") as writer:
        writer.add(acting("exact", exact))
        with pytest.raises(EpisodeError, match="actions: values of type float64 do not fit"):
            writer.add(acting("near", near))
