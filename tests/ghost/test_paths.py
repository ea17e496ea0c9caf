"""Shortest paths of the ghost world are those that the library finds in its states."""

import pytest

from gridarium.agents.chase import distances
from gridarium.ghost import CustomGridEnv
from gridarium.ghost.world.layout import names
from gridarium.world import Position


@pytest.mark.parametrize("layout", names())
def test_distances_are_those_of_the_librarys_search(layout):
    env = CustomGridEnv(None, layout=layout)
    env.reset(seed=0)
    env.walls_vertical[0, 0] ^= True
    paths, state = env.paths, env.state
    for target in range(0, env.rows * env.cols, 7):
        found = distances(state, Position(*divmod(target, env.cols)))
        assert paths.distances(target) == found.ravel().tolist()
        for here, far in enumerate(paths.distances(target)):
            action = paths.first_move(here, target)
            assert (action is None) == (far <= 0)
            assert action is None or paths.distances(target)[paths.next[here][action]] == far - 1
