"""The tutorial: a helper explains, and a person plays with keys."""

from gridarium.live.objects import Door
from gridarium.live.worlds import tutorial
from gridarium.live.worlds.tutorial import LESSONS
from tests.live.worlds.playing import made, texts


def test_the_helper_explains_and_leaves_the_person_time():
    world = made(tutorial(tick_duration=0))
    for _ in range(190):
        world.step()
    assert not world.is_done
    assert world.simulation_goal[0].progress(world) == 0.5
    assert any("arrow keys" in text for text in texts(world))


def test_the_person_has_time_to_open_the_door():
    world = made(tutorial(tick_duration=0))
    world.run(max_ticks=70)
    (door,) = (obj for obj in world.environment_objects.values() if isinstance(obj, Door))
    assert not door.is_open
    assert "press r to open it" in texts(world)[-1]


def test_a_person_brings_the_other_box_with_keys():
    world = made(tutorial(tick_duration=0))
    keys = ["d"] * 5 + ["w", "r"] + ["w"] * 4 + ["a", "q"]
    keys += ["s"] * 2 + ["d"] + ["s"] * 2 + ["a"] * 6 + ["w", "e"]
    for key in keys:
        world.step()
        world.put_user_input("you", [key])
    assert world.run(max_ticks=20) < 20
    assert world.is_done
    said = texts(world)
    assert "One box is on the shelf, one is left." in said
    assert [text for text in said if "press" in text] == [LESSONS[2], LESSONS[3]]
