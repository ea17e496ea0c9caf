import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.ghost import CustomGridEnv
from gridarium.ghost.planning.tasks import cell_words, read_task


@pytest.fixture(scope="module")
def env():
    made = CustomGridEnv(None)
    made.reset(seed=0)
    return made


@pytest.mark.parametrize(
    ("task", "places"),
    [
        ("(2, 2), (0,4) and [3, 1]", [(2, 2), (0, 4), (3, 1)]),
        ("the piano, then the dog with rock music, then Ziel", [(2, 2), (0, 4), (3, 1)]),
        (
            "Besuche die Klaviermusik, dann den Hund mit Rockmusik, danach das Feld Ziel",
            [(2, 2), (0, 4), (3, 1)],
        ),
        ("both flowers. The flower.", [(3, 3), (1, 3)]),
        ("a green dog; Stopp; back to the start", [(0, 0), (3, 4), (0, 2)]),
        ("", []),
    ],
)
def test_places_are_named_by_coordinates_or_by_what_is_there(env, task, places):
    found = read_task(task, env)
    assert found.places == places and found.notes == []


def test_of_several_cells_the_nearest_is_taken_and_that_is_told(env):
    found = read_task("a dog", env)
    assert found.places == [(0, 4)]
    assert found.notes == ["'a dog' fits 2 cells; the nearest is (0, 4)"]


def test_what_is_not_understood_is_told(env):
    found = read_task("a cat, a red dog, (4, 0)", env)
    assert found.places == []
    assert found.notes == [
        "nothing known in 'a cat'",
        "no cell fits 'a red dog'",
        "(4, 0) is outside the grid of 4 x 5 cells",
    ]


@given(st.text(max_size=60))
def test_any_text_is_read(env, task):
    found = read_task(task, env)
    assert all(env.paths.contains(place) for place in found.places)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=6))
def test_written_coordinates_are_read_back(env, places):
    assert read_task(" then ".join(map(str, places)), env).places == places


def test_cells_in_words(env):
    assert cell_words(env.grid[0, 4]) == "white, dog, two notes"
    assert cell_words(env.grid[3, 1]) == 'white, "Ziel"'
