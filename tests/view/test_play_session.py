"""A game, without any window."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium import Spec, World
from gridarium.agents import Planner, random_action, shortest_plan
from gridarium.engine import Run
from gridarium.view.play.session import WAITING, PlaySession
from gridarium.world import Action, Exit, Floor, Wall
from tests.env.worlds import crumbling

KEYDOOR = World("KeyDoor-5x5", compiled=False)
OBSTACLES = World("DynamicObstacles-5x5", compiled=False)
TWO = World("TwoAgents-DoorKey-8x8", compiled=False)
TURNS = World("TwoAgents-Helper-8x8", compiled=False)


def waiting_world(**options):
    return World(
        Spec.build(
            name="Waiting", shape=(5, 5), objects=[Floor, Wall, Exit], actions=["UP", "DOWN", "LEFT", "RIGHT", "WAIT"],
            reset="empty", transitions=["move_agent"], rewards=["living_reward"], terminations=["reach_exit"],
            observation="full_grid", **options,
        ),
        compiled=False,
    )  # fmt: skip


def play_any(session, choices):
    """Choose for whoever is waited for; gives the state's bytes after each tick, the first one included."""
    past = [session.game.state.tobytes()]
    for number in choices:
        if not session.awaited:
            break
        agent = session.awaited[0]
        own = np.flatnonzero(session.game.world.spec.action_masks[agent])
        session.choose(agent, int(own[number % len(own)]))
        if session.game.steps == len(past):
            past.append(session.game.state.tobytes())
    return past


CHOICES = st.lists(st.integers(0, 100), max_size=12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("world", [KEYDOOR, OBSTACLES, TWO, TURNS], ids=lambda w: w.name)
@given(choices=CHOICES, seed=st.integers(0, 5))
def test_taking_back_gives_identical_bytes(world, choices, seed):
    session = PlaySession(world, seed=seed, people=world.spec.agents)
    past = play_any(session, choices)
    if any(c != WAITING for c in session.chosen):
        assert session.undo()
        assert session.game.state.tobytes() == past[-1]
    while len(past) > 1:
        assert session.undo()
        past.pop()
        assert session.game.state.tobytes() == past[-1]
        assert session.game.steps == len(past) - 1
        assert not session.game.over
    assert not session.undo()
    assert session.message == "There is nothing to take back."


@pytest.mark.sampled(2)
@pytest.mark.parametrize("world", [OBSTACLES, TWO], ids=lambda w: w.name)
@given(choices=CHOICES, back=st.integers(1, 12))
def test_what_was_taken_back_can_be_done_again_with_the_same_randomness(world, choices, back):
    session = PlaySession(world, seed=3, people=world.spec.agents)
    past = play_any(session, choices)
    done = [m.actions for m in list(session.game.history)[1:]]
    returns = session.game.now.returns.copy()
    while session.game.steps and back:
        session.undo()
        back -= 1
    for actions in done[session.game.steps :]:
        for agent, action in enumerate(actions):
            if agent in session.game.acting:
                session.choose(agent, action)
    assert session.game.state.tobytes() == past[-1]
    assert np.array_equal(session.game.now.returns, returns)


@given(choices=CHOICES, seed=st.integers(0, 3))
def test_the_game_is_a_run_that_replays(choices, seed):
    session = PlaySession(KEYDOOR, seed=seed)
    play_any(session, choices)
    run = session.game.run()
    assert run.steps == session.game.steps
    assert run.verify(KEYDOOR)
    *_, last = run.replay(KEYDOOR)
    assert last.state().identical(session.game.state)


def test_it_plays_as_the_world_does():
    session = PlaySession(KEYDOOR, seed=1)
    state, total = KEYDOOR.reset(1), 0.0
    for action in (Action.TURN_LEFT, Action.MOVE_FORWARD, Action.ACTUATE):
        assert session.choose(0, action)
        state, reward, _ = KEYDOOR.step(state, action)
        total += reward
    assert session.game.state.identical(state)
    assert session.game.now.returns.tolist() == [total]
    assert session.game.now.results.tolist() == [state.agent.result]


def test_restart_and_next_seed():
    session = PlaySession(KEYDOOR, seed=4)
    first = session.game.state
    session.choose(0, 4)
    session.restart()
    assert session.game.state.identical(first) and session.game.steps == 0
    session.next_seed()
    assert session.game.seed == 5
    assert session.game.state.identical(KEYDOOR.reset(5))


def test_after_the_end_one_can_take_back_or_begin_again():
    session = PlaySession(World("Empty-4x4", compiled=False))
    for action in shortest_plan(session.game.world, session.game.state):
        session.choose(0, action)
    steps = session.game.steps
    assert session.game.now.terminated and not session.game.now.truncated
    assert not session.choose(0, 0)
    assert "over" in session.message and session.game.steps == steps
    session.undo()
    assert not session.game.over and session.choose(0, 4)


def test_a_time_limit_is_an_end_too():
    session = PlaySession(waiting_world(time_limit=2))
    session.choose(0, 0)
    session.choose(0, 0)
    assert session.game.over and session.game.now.truncated and not session.game.now.terminated


def test_the_world_moves_when_everybody_has_chosen():
    session = PlaySession(TWO, people=2)
    assert session.awaited == [0, 1]
    session.choose(1, 0)
    assert session.game.steps == 0 and session.awaited == [0]
    session.choose(1, 1)  # may think again
    session.choose(0, 2)
    assert session.game.steps == 1 and session.game.now.actions == (2, 1)
    session.choose(0, 0)
    assert session.undo() and session.game.steps == 1 and session.awaited == [0, 1]


def test_where_agents_take_turns_only_one_is_waited_for():
    session = PlaySession(TURNS, people=2)
    assert session.awaited == [0]
    assert not session.choose(1, 0)
    assert session.message == "It is helper's turn, not traveller's."
    session.choose(0, 0)
    assert session.awaited == [1]


@pytest.mark.parametrize("world", [TWO, TURNS], ids=lambda w: w.name)
def test_the_others_follow_a_policy(world):
    def always_right(actions):
        return actions[1]

    session = PlaySession(world, people=1, policy=always_right)
    assert session.choose(0, 0)
    assert session.awaited == [0]  # the other one has moved already
    assert session.game.now.actions[1] == 1
    moved = session.game.steps
    assert session.undo()
    assert session.game.steps == 0 and moved == (2 if world is TURNS else 1)


def test_a_random_partner_does_the_same_after_taking_back():
    session = PlaySession(TWO, people=1, policy=random_action)
    for _ in range(4):
        session.choose(0, 0)
    after = session.game.state.tobytes()
    session.undo()
    session.undo()
    session.choose(0, 0)
    session.choose(0, 0)
    assert session.game.state.tobytes() == after


class TestLive:
    def test_time_passes_and_who_has_not_chosen_waits(self):
        session = PlaySession(waiting_world(), live=True)
        session.tick()
        assert session.game.now.actions == (4,) and session.game.steps == 1
        session.choose(0, Action.RIGHT)
        assert session.game.steps == 1
        session.tick()
        assert session.game.now.actions == (3,)
        session.tick()
        assert session.game.now.actions == (4,)
        session.undo()  # the tick that was decided, with the one after it
        assert session.game.steps == 1

    def test_in_a_pause_nothing_happens(self):
        session = PlaySession(waiting_world(), live=True)
        session.toggle_pause()
        session.tick()
        assert not session.choose(0, 0)
        assert session.game.steps == 0
        session.toggle_pause()
        session.tick()
        assert session.game.steps == 1

    def test_one_can_watch_a_policy(self):
        session = PlaySession(World("Empty-4x4", compiled=False), people=0, policy=Planner, live=True)
        for _ in range(20):
            session.tick()
        assert session.game.over and session.game.now.terminated
        steps = session.game.steps
        session.undo()
        assert session.game.steps == steps - 1

    def test_a_person_can_lean_on_a_policy(self):
        session = PlaySession(
            World("Empty-4x4", compiled=False), policy=lambda actions: actions[4], live=True
        )
        session.tick()
        session.choose(0, 5)
        session.tick()
        assert [m.actions for m in list(session.game.history)[1:]] == [(4,), (5,)]

    def test_without_time_there_is_no_pause(self):
        session = PlaySession(KEYDOOR)
        session.toggle_pause()
        session.tick()
        assert not session.paused and session.game.steps == 0


def test_a_rule_that_fails_is_told_and_nothing_has_happened():
    session = PlaySession(crumbling(compiled=False))
    left = session.game.world.actions.index(Action.TURN_LEFT)
    session.choose(0, left)
    session.choose(0, left)
    before = session.game.state.tobytes()
    session.choose(0, left)
    assert "ZeroDivisionError: the world has crumbled" in session.message
    assert session.game.steps == 2 and session.game.state.tobytes() == before
    assert session.choose(0, session.game.world.actions.index(Action.TURN_RIGHT))
    assert session.game.steps == 3 and session.message == ""


def test_a_game_is_saved_as_a_run_a_page_or_a_film(tmp_path):
    session = PlaySession(KEYDOOR, seed=2)
    for _ in range(3):
        session.choose(0, Action.TURN_LEFT)
    session.save(tmp_path / "game.run")
    assert Run.load(tmp_path / "game.run").steps == 3
    session.save(tmp_path / "game.html")
    assert "<html" in (tmp_path / "game.html").read_text()
    image = pytest.importorskip("PIL.Image")
    session.save(tmp_path / "game.gif", tile=8)
    with image.open(tmp_path / "game.gif") as picture:
        assert picture.n_frames == 4 and picture.size == (40, 40)
    with pytest.raises(ValueError, match=r"ends in \.run, \.html, \.gif"):
        session.save(tmp_path / "game.txt")


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="0 to 1 people can play KeyDoor-5x5, not 2"):
        PlaySession(KEYDOOR, people=2)
    with pytest.raises(ValueError, match="a policy is needed for the 1 agents"):
        PlaySession(TWO, people=1)
    with pytest.raises(ValueError, match="without people nothing happens"):
        PlaySession(KEYDOOR, people=0, policy=Planner)
    with pytest.raises(ValueError, match="no action WAIT"):
        PlaySession(KEYDOOR, live=True)
    session = PlaySession(TURNS, people=2)
    with pytest.raises(ValueError, match="people play agents 0 to 1, not 2"):
        session.choose(2, 0)
    with pytest.raises(ValueError, match="agent 1 has no action ACTUATE; it has"):
        session.choose(1, 4)


def test_people_play_any_agents():
    def always_right(actions):
        return actions[1]

    session = PlaySession(TURNS, people=[1], policy=always_right)
    assert session.people == (1,) and session.awaited == [1] and session.game.steps == 1
    thinking = []
    session.before_policies = lambda: thinking.append(session.game.acting)
    assert session.choose(1, 0) and session.game.steps == 3
    assert thinking == [[0]]
    with pytest.raises(ValueError, match="people play agent 1, not 0"):
        session.choose(0, 0)
    with pytest.raises(ValueError, match="agents 0 to 1, people cannot play"):
        PlaySession(TURNS, people=[2], policy=always_right)
