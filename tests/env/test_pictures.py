"""What environments render is what `draw.rgb` draws, whatever they observe."""

import numpy as np
import pytest

from gridarium.draw import rgb
from gridarium.env import GridariumEnv


@pytest.mark.slow
@pytest.mark.parametrize(
    ("observe", "compiled"), [("observation", True), ("state", False), ("both", False)], ids=str
)
def test_rendered_pictures_show_the_state_and_what_is_seen(observe, compiled: bool) -> None:
    env = GridariumEnv("KeyDoor-5x5", render_mode="rgb_array", tile=9, observe=observe, compiled=compiled)
    env.reset(seed=4)
    kept = []
    for action in (4, 4, 0, 4, 0, 5, 5, 0):
        kept.append((env.render(), rgb(env.state, 9, view=env.world.observe(env.state))))
        env.step(action)
    assert all(np.array_equal(got, wanted) for got, wanted in kept)
    assert len({picture.tobytes() for picture, _ in kept}) > 3, "something has moved"


def test_an_assigned_state_is_rendered() -> None:
    env = GridariumEnv("KeyDoor-5x5", render_mode="rgb_array", tile=9, compiled=False)
    env.reset(seed=4)
    before, picture = env.state, env.render()
    env.step(4)
    assert not np.array_equal(env.render(), picture)
    env.state = before
    assert np.array_equal(env.render(), picture)
    assert np.array_equal(env.render(), picture), "looking changes nothing"
