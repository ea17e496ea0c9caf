"""`check_agent` is content with good policies and says what is wrong with others."""

import pytest

from gridarium.agents import Planner, random_action
from gridarium.engine import World
from gridarium.testing import NotConforming, check_agent
from tests.testing import broken

WORLD = World(broken.room(), compiled=False)


@pytest.mark.parametrize(
    "policy", [broken.onwards, broken.Spinning, broken.Spinning(), random_action, Planner]
)
def test_good_policies_pass(policy):
    episodes = check_agent(policy, WORLD, episodes=2, limit=12)
    assert [episode.seed for episode in episodes] == [0, 1]


@pytest.mark.parametrize(
    ("policy", "words"),
    [(broken.nosy, "asks for diary"), (broken.vandal, "modified its inputs in Room at tick 0"),
     (broken.scribbler, "modified its inputs"), (broken.erratic, "in two ways, which differ first at tick"),
     (broken.bold, "chose 99 in Room at tick 0, agent 0"), (broken.foreign, "chose Action.ACTUATE")],
)  # fmt: skip
def test_what_is_wrong_is_said(policy, words):
    with pytest.raises(NotConforming, match=words):
        check_agent(policy, WORLD, episodes=2, limit=30)


def test_several_agents_each_get_a_policy():
    check_agent(broken.Spinning, World("TwoAgents-Empty-8x8", compiled=False), episodes=1, limit=5)
