"""A running world as messages: it obeys, says what is new, and refuses what makes no sense without harm."""

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.engine import World
from gridarium.view.server import protocol
from gridarium.view.server.browser_keys import keys_for
from gridarium.view.server.frame_stream import MOST_BEHIND, Cursor
from gridarium.view.server.policies import ME
from gridarium.view.server.protocol import read
from gridarium.view.server.session import Session
from gridarium.view.web.messages import RequestError
from gridarium.world import Action
from tests.view.pawns import coins, pawns


@pytest.fixture(scope="module")
def world() -> World:
    return World("KeyDoor-5x5", compiled=False)


@pytest.fixture(scope="module")
def pair() -> World:
    return World("TwoAgents-Helper-8x8", compiled=False)


@pytest.fixture(scope="module")
def at_once() -> World:
    """Two agents who act at the same time."""
    return World("TwoAgents-Empty-8x8", compiled=False)


@pytest.fixture
def session(world: World) -> Session:
    return Session(world, seed=1)


class Page:
    """A viewer that keeps what it is told, as the page does."""

    def __init__(self, session: Session) -> None:
        self.session, self.cursor = session, Cursor()
        self.hello = session.hello()
        self.scene, self.symbols, self.returns = {}, [], []
        self.kinds = []
        self.look()

    def look(self) -> "Page":
        for message in json.loads(json.dumps(self.session.news(self.cursor), allow_nan=False)):
            self.kinds.append(message["type"])
            if message["type"] == "status":
                self.status = message
                continue
            if message["type"] == "choice":
                self.choice = message
                continue
            if message["type"] == "sync":
                self.symbols, self.scene = message["symbols"], message["frame"]
                history = message["history"]
                self.first = history["first"]
                self.returns = [history["returns"]]
                for rewards in history["rewards"]:
                    self.returns.append([a + b for a, b in zip(self.returns[-1], rewards, strict=True)])
                self.seq = message["seq"]
                continue
            assert message["seq"] == self.seq + 1
            self.seq += 1
            self.symbols = self.symbols + message["symbols"]
            frame = dict(message["frame"])
            cells = frame.pop("cells", [])
            self.scene = self.scene | frame
            self.scene["grid"] = list(self.scene["grid"])
            for place, symbol in cells:
                self.scene["grid"][place] = symbol
            self.returns.append(self.scene["returns"])
        return self

    def say(self, **message) -> list:
        return self.session.handle(read(json.dumps(message)))


def told(replies) -> str:
    (reply,) = replies
    assert reply["type"] == "error"
    return reply["text"]


def same(page: Page, other: Page) -> bool:
    return page.scene == other.scene and page.status == other.status and page.symbols == other.symbols


class TestTime:
    def test_at_first_there_is_the_beginning_of_the_seed(self, session: Session, world: World) -> None:
        page = Page(session)
        assert page.kinds == ["status", "sync"]
        assert tuple(page.scene["agents"][0][:2]) == world.reset(1).agent.position.yx
        assert page.scene["tick"] == 0 and page.returns == [[0.0]]
        assert page.status["seed"] == 1 and not page.status["playing"]

    def test_play_and_pause_say_whether_time_goes_on(self, session: Session) -> None:
        page = Page(session)
        assert not session.running
        assert page.say(type="play") == [] and session.running and page.look().status["playing"]
        assert page.say(type="pause") == [] and not session.running and not page.look().status["playing"]

    def test_a_tick_is_one_frame(self, session: Session) -> None:
        page = Page(session)
        page.say(type="play")
        for tick in (1, 2, 3):
            assert session.tick() == []
            assert page.look().scene["tick"] == tick
        assert page.kinds[2:] == ["status", "frame", "frame", "frame"]

    def test_step_is_one_tick_and_pauses(self, session: Session) -> None:
        page = Page(session)
        page.say(type="play")
        page.say(type="step")
        assert page.look().scene["tick"] == 1 and not session.running

    def test_speed_is_ticks_a_second(self, session: Session) -> None:
        page = Page(session)
        page.say(type="speed", value=20)
        assert session.delay == 1 / 20 and page.look().status["speed"] == 20

    def test_back_takes_back_one_tick_after_the_other(self, session: Session) -> None:
        page = Page(session)
        seen = [(page.scene, list(page.returns))]
        for _ in range(5):
            page.say(type="step")
            seen.append((page.look().scene, list(page.returns)))
        for scene, returns in reversed(seen[:-1]):
            assert page.say(type="back") == []
            assert page.look().scene == scene
            assert page.returns == [pytest.approx(row) for row in returns]
        assert "nothing to take back" in told(page.say(type="back"))

    def test_after_going_back_the_same_actions_lead_to_the_same_states(self, session: Session) -> None:
        page = Page(session)
        page.say(type="policy", agent=0, name="me")
        for name in ("TURN_LEFT", "MOVE_FORWARD"):
            page.say(type="act", action=name)
        scene = page.look().scene
        page.say(type="back")
        page.say(type="act", action="MOVE_FORWARD")
        assert page.look().scene == scene

    def test_the_next_episode_begins_by_itself_with_the_next_seed(self, world: World) -> None:
        session = Session(world, seed=1, playing=True)
        page = Page(session)
        while not session.game.over:
            session.tick()
        assert session.running and session.delay > 1
        session.tick()
        assert page.look().status["seed"] == 2 and page.scene["tick"] == 0 and page.returns == [[0.0]]

    def test_unless_it_is_not_to(self, world: World) -> None:
        session = Session(world, seed=1, playing=True)
        page = Page(session)
        page.say(type="again", value=False)
        while not session.game.over:
            session.tick()
        session.tick()
        assert not session.running and page.look().status["seed"] == 1
        page.say(type="play")
        assert page.look().scene["tick"] == 0 and page.status["seed"] == 2

    def test_reset_begins_a_seed_or_the_same_once_more(self, session: Session, world: World) -> None:
        page = Page(session)
        page.say(type="reset", seed=9)
        first = page.look().scene
        assert page.status["seed"] == 9
        page.say(type="step")
        page.say(type="reset")
        assert page.look().scene == first and page.status["seed"] == 9


class TestPolicies:
    def test_those_that_make_sense_are_offered(self, world: World, pair: World) -> None:
        own = {"mine.py:go": lambda actions: actions[0]}
        assert Session(world, own).hello()["policies"] == [["me", "random", "scripted", "mine.py:go"]]
        assert len(Session(pair).hello()["policies"]) == 2

    def test_one_of_ones_own_decides(self, world: World) -> None:
        session = Session(world, {"spin": lambda: Action.TURN_LEFT}, seed=1)
        page = Page(session)
        page.say(type="policy", agent=0, name="spin")
        page.say(type="step")
        assert page.look().scene["actions"] == [world.actions.index(Action.TURN_LEFT)]

    def test_the_planner_reaches_the_exit(self) -> None:
        session = Session(World("Empty-4x4", compiled=False), seed=1, playing=True)
        page = Page(session)
        page.say(type="policy", agent=0, name="scripted")
        for _ in range(12):
            if not session.game.over:
                session.tick()
        assert page.look().scene["terminated"] == [True]

    def test_me_waits_for_keys(self, session: Session, world: World) -> None:
        page = Page(session)
        page.say(type="play")
        page.say(type="policy", agent=0, name="me")
        assert not session.running and page.look().status["me"] == 0 and not page.status["playing"]
        assert "time goes on with each of its actions" in told(page.say(type="step"))
        assert page.say(type="act", action="TURN_LEFT") == []
        assert page.look().scene["tick"] == 1

    def test_keys_are_those_of_what_the_agent_can_do(self, pair: World) -> None:
        keys = Session(pair).hello()["keys"]
        assert keys[0]["MOVE_FORWARD"] == ["ArrowUp", "w"] and "ACTUATE" in keys[0]
        assert keys[0]["ACTUATE"] == [" ", "e"]
        assert set(keys[1]) == {"TURN_LEFT", "TURN_RIGHT", "MOVE_FORWARD"}

    @pytest.mark.parametrize("name", ["FourByThree", "KeyDoor-9x9", "TwoAgents-Empty-8x8"])
    def test_no_key_means_two_things(self, name: str) -> None:
        actions = [*World(name, compiled=False).actions, Action.declare("JUMP"), Action.declare("DUCK")]
        keys = keys_for(actions)
        pressed = [key for own in keys.values() for key in own]
        assert all(keys.values()) and len(pressed) == len(set(pressed))

    def test_me_is_one_agent_and_the_others_go_on_as_they_were(self, at_once: World) -> None:
        page = Page(Session(at_once, {"spin": lambda: Action.TURN_LEFT}, seed=1))
        page.say(type="policy", agent=0, name="spin")
        page.say(type="policy", agent=1, name="me")
        assert page.say(type="act", action="MOVE_FORWARD") == []
        left, forward = (at_once.actions.index(a) for a in (Action.TURN_LEFT, Action.MOVE_FORWARD))
        assert page.look().scene["actions"] == [left, forward]
        (notice,) = page.say(type="policy", agent=0, name="me")
        assert notice["type"] == "notice" and "agent 1 acts at random again" in notice["text"]
        assert page.look().status["policies"] == ["me", "random"]
        assert page.say(type="policy", agent=0, name="me") == []

    def test_an_action_is_refused_when_it_cannot_be(self, pair: World) -> None:
        page = Page(Session(pair, seed=1))
        assert "choose the policy 'me'" in told(page.say(type="act", action="ACTUATE"))
        page.say(type="policy", agent=1, name="me")
        assert "agent 1 has no action ACTUATE; it has" in told(page.say(type="act", action="ACTUATE"))
        assert "no action 'DANCE'; there are" in told(page.say(type="act", action="DANCE"))
        assert page.look().scene["tick"] == 0

    def test_what_is_not_there_is_refused(self, session: Session) -> None:
        page = Page(session)
        assert "no policy 'genius'; there are me, random" in told(
            page.say(type="policy", agent=0, name="genius")
        )
        assert "agents 0 to 0, no agent 1" in told(page.say(type="policy", agent=1, name="random"))

    def test_a_policy_that_raises_stops_time_and_is_reported(self, world: World) -> None:
        def broken():
            raise ZeroDivisionError("oh dear")

        session = Session(world, {"broken": broken}, seed=1, playing=True)
        page = Page(session)
        page.say(type="policy", agent=0, name="broken")
        assert told(session.tick()) == "ZeroDivisionError: oh dear"
        assert not session.running and page.look().scene["tick"] == 0
        page.say(type="policy", agent=0, name="random")
        page.say(type="step")
        assert page.look().scene["tick"] == 1

    def test_after_the_end_me_has_to_begin_again(self) -> None:
        world = World("Empty-4x4", compiled=False)
        session = Session(world, seed=1, playing=True)
        page = Page(session)
        page.say(type="policy", agent=0, name="scripted")
        while not session.game.over:
            session.tick()
        page.say(type="policy", agent=0, name="me")
        assert "begin again first" in told(page.say(type="act", action="TURN_LEFT"))


class TestStates:
    def test_a_state_can_be_asked_for_and_put_back(self, session: Session) -> None:
        page = Page(session)
        (answer,) = page.say(type="state")
        before = page.look().scene
        page.say(type="step")
        assert page.say(type="set_state", state=answer["state"]) == []
        assert page.look().scene["agents"] == before["agents"] and page.scene["tick"] == before["tick"]

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"cells": []}, "at least one row"),
            ({"agents": []}, "at least one agent"),
            ({"agents": [{"position": [99, 0], "orientation": "RIGHT"}]}, "is outside the grid"),
            ({"world": {"tick": -5}}, "clock"),
            ({"world": {"turn": 7}}, "turn"),
            ({"objects": [{"kind": "Dragon"}]}, "Dragon"),
            ({"cells": [[0]], "agents": [{"position": [0, 0], "orientation": "RIGHT"}]}, "shape"),
        ],
    )
    def test_one_that_cannot_be_is_refused(self, session: Session, change, said) -> None:
        page = Page(session)
        (answer,) = page.say(type="state")
        assert said in told(
            page.say(type="set_state", state=json.loads(json.dumps(answer["state"])) | change)
        )
        assert page.say(type="state") == [answer]


class TestNews:
    def test_nothing_new_is_nothing(self, session: Session) -> None:
        page = Page(session)
        assert session.news(page.cursor) == []

    def test_all_viewers_see_the_same(self, session: Session) -> None:
        pages = [Page(session) for _ in range(3)]
        for i in range(30):
            session.handle(read('{"type": "step"}'))
            pages[i % 2].look()
        late = Page(session)
        assert all(same(page.look(), late) for page in pages)
        assert late.returns == [pytest.approx(row) for row in pages[0].returns]

    def test_who_is_far_behind_gets_the_present(self, session: Session) -> None:
        page = Page(session)
        for _ in range(MOST_BEHIND + 1):
            session.handle(read('{"type": "step"}'))
        page.kinds.clear()
        assert page.look().kinds == ["status", "sync"]
        assert same(page, Page(session))

    @pytest.mark.exhaustive
    @given(
        st.lists(
            st.sampled_from(
                [
                    {"type": "step"},
                    {"type": "back"},
                    {"type": "reset"},
                    {"type": "reset", "seed": 3},
                    {"type": "policy", "agent": 0, "name": "me"},
                    {"type": "policy", "agent": 0, "name": "random"},
                    {"type": "act", "action": "MOVE_FORWARD"},
                    {"type": "act", "action": "PICK_N_DROP"},
                    {"type": "look"},
                ]
            ),
            max_size=25,
        )
    )
    def test_whatever_happens_a_viewer_that_looks_on_sees_what_a_new_one_does(
        self, world: World, said
    ) -> None:
        page = Page(Session(world, seed=1))
        for message in said:
            page.look() if message["type"] == "look" else page.say(**message)
        fresh = Page(page.session)
        assert same(page.look(), fresh)
        assert page.returns == [pytest.approx(row) for row in fresh.returns]

    def test_one_can_look_while_a_policy_thinks(self, world: World) -> None:
        thinking, done = threading.Event(), threading.Event()

        def slow():
            thinking.set()
            assert done.wait(60)
            return 0

        session = Session(world, {"slow": slow}, seed=1)
        page = Page(session)
        page.say(type="policy", agent=0, name="slow")
        ticking = threading.Thread(target=session.tick)
        ticking.start()
        assert thinking.wait(60)
        assert same(page.look(), Page(session)) and page.scene["tick"] == 0
        assert page.say(type="pause") == []
        done.set()
        ticking.join()
        assert page.look().scene["tick"] == 1


class TestReading:
    @pytest.mark.parametrize(
        "text",
        [
            "", "{", "null", "[]", "7", '"play"', "{}", '{"type": "dance"}', '{"type": 3}', '{"type": "play", "x": 1}',
            '{"type": "speed"}', '{"type": "speed", "value": "4"}', '{"type": "speed", "value": 0}',
            '{"type": "speed", "value": NaN}', '{"type": "speed", "value": 1e9}', '{"type": "reset", "seed": -1}',
            '{"type": "reset", "seed": 1.5}', '{"type": "reset", "seed": 99999999999999999999}',
            '{"type": "policy", "agent": -1, "name": "me"}', '{"type": "policy", "agent": true, "name": "me"}',
            '{"type": "act"}', '{"type": "again", "value": 1}', b"\xff\xfe", "[" * 100_000,
        ],
    )  # fmt: skip
    def test_what_is_no_message_is_refused_in_words(self, text) -> None:
        with pytest.raises(RequestError, match="not understood"):
            read(text)

    def test_what_is_too_long_is_refused(self) -> None:
        with pytest.raises(RequestError, match="at most 1048576 bytes"):
            read(" " * (protocol.LARGEST + 1))

    @given(st.one_of(st.text(), st.binary()))
    def test_nothing_breaks_it(self, text) -> None:
        with pytest.raises(RequestError):
            read(text)

    def test_messages_are_read(self) -> None:
        assert read('{"type": "speed", "value": 4}') == protocol.Speed(type="speed", value=4.0)
        assert read('{"type": "reset", "seed": 7}') == protocol.Reset(type="reset", seed=7)


@pytest.fixture(scope="module")
def moves() -> World:
    return pawns()


def choice_of(page: Page) -> dict:
    return page.look().choice


class TestChoosing:
    def test_a_move_is_two_clicks(self, moves: World) -> None:
        page = Page(Session(moves))
        assert choice_of(page) == {"type": "choice", "agent": None, "turn": "White's turn"}
        page.say(type="policy", agent=0, name="me")
        first = choice_of(page)
        assert first["agent"] == 0 and first["prompt"] == "Move: choose a start." and not first["begun"]
        assert first["cells"] == [24, 25, 26, 27, 28, 29] and first["hints"][2] == "MOVE((4, 2), …)"
        assert first["actions"] == ["MOVE"] and not first["listed"]
        assert page.say(type="click", y=4, x=2) == []
        second = choice_of(page)
        assert second["begun"] and second["picked"] == [26] and second["cells"] == [19, 20, 21]
        assert second["options"][0] == {"text": "MOVE((4, 2), (3, 1))", "label": "MOVE((4, 2), (3, 1))"}
        assert page.scene["tick"] == 0
        page.say(type="click", y=3, x=3)
        assert page.look().scene["tick"] == 1 and page.scene["waited"] == [1]
        assert moves.actions[page.scene["actions"][0]].name == "MOVE((4, 2), (3, 3))"

    def test_the_others_follow_when_it_is_their_turn(self, moves: World) -> None:
        session = Session(moves)
        page = Page(session)
        page.say(type="policy", agent=1, name="me")
        assert session.running and choice_of(page)["turn"] == "White's turn" and page.choice["agent"] is None
        assert session.tick() == [] and not session.running and choice_of(page)["agent"] == 1
        assert "it is white's turn" not in told(page.say(type="act", action="MOVE((0, 0), (1, 0))"))
        page.say(type="enter", text="1 0")
        page.say(type="enter", text="2 0")
        assert session.running and "nobody is asked" in told(page.say(type="click", y=1, x=1))
        assert "it is white's turn" in told(page.say(type="act", action="MOVE((4, 0), (3, 0))"))
        session.tick()
        assert page.look().scene["tick"] == 3
        page.say(type="back")  # to the person's last choice
        assert page.look().scene["tick"] == 1 and page.choice["agent"] == 1
        assert same(page, Page(session))

    def test_two_people_play_at_one_page(self, moves: World) -> None:
        page = Page(Session(moves))
        for agent in (0, 1):
            assert page.say(type="policy", agent=agent, name="me", beside=True) == []
        assert page.look().status["policies"] == ["me", "me"]
        for agent, text in enumerate(("MOVE(4 2 3 3)", "MOVE(1 0 2 0)")):
            assert choice_of(page)["agent"] == agent
            assert page.say(type="enter", text=text) == []
        assert page.look().scene["tick"] == 2 and page.choice["turn"] == "White's turn"

    @pytest.mark.parametrize(
        ("name", "action"),
        [("KuhnPoker-2p", "PASS"), ("LeducPoker", "CALL"), ("TwoAgents-Helper-8x8", "TURN_LEFT")],
    )
    def test_the_others_follow_whether_or_not_rules_say_what_is_legal(self, name: str, action: str) -> None:
        session = Session(World(name, compiled=False))
        page = Page(session)
        page.say(type="policy", agent=0, name="me")
        assert page.say(type="act", action=action) == [] and session.running
        assert "'s turn" in told(page.say(type="act", action=action))
        assert session.tick() == [] and page.look().scene["tick"] == 2 and not session.running

    def test_where_all_act_at_once_a_person_plays_one_agent(self, at_once: World) -> None:
        page = Page(Session(at_once))
        assert "a person plays one agent at a time" in told(
            page.say(type="policy", agent=0, name="me", beside=True)
        )

    def test_what_is_not_legal_is_refused_and_nothing_is_lost(self, moves: World) -> None:
        page = Page(Session(moves))
        assert "nobody is asked" in told(page.say(type="click", y=4, x=2))
        page.say(type="policy", agent=0, name="me")
        page.say(type="click", y=4, x=2)
        before = choice_of(page)
        for message in (
            {"type": "click", "y": 5, "x": 5}, {"type": "click", "y": 99999, "x": 0}, {"type": "enter", "text": ""},
            {"type": "enter", "text": "MOVE(4, 2, 9, 9)"}, {"type": "enter", "text": "__import__('os')"},
        ):  # fmt: skip
            assert told(page.say(**message))
        assert choice_of(page) == before and page.scene["tick"] == 0
        assert page.say(type="cancel") == [] and not choice_of(page)["begun"]
        assert page.say(type="cancel") == []
        assert "MOVE((0, 0), (0, 0)) is not allowed now" in told(
            page.say(type="act", action="MOVE((0, 0), (0, 0))")
        )
        assert "no action 'JUMP'; there are MOVE" in told(page.say(type="act", action="JUMP(1)"))

    @pytest.mark.parametrize(
        "text",
        [
            '{"type": "click", "y": -1, "x": 0}', '{"type": "click", "y": 1}', '{"type": "click", "y": "1", "x": 0}',
            '{"type": "enter", "text": 3}', f'{{"type": "enter", "text": "{"9" * 201}"}}', '{"type": "cancel", "x": 1}',
        ],
    )  # fmt: skip
    def test_what_is_no_choice_is_refused(self, text) -> None:
        with pytest.raises(RequestError, match="not understood"):
            read(text)

    def test_a_policy_that_fails_does_not_fail_again_and_again(self, moves: World) -> None:
        session = Session(moves, {"broken": lambda: 1 / 0})
        page = Page(session)
        page.say(type="policy", agent=0, name="broken")
        page.say(type="policy", agent=1, name="me", beside=True)
        assert session.running and "ZeroDivisionError" in told(session.tick()) and not session.running
        page.say(type="policy", agent=0, name="random")
        assert session.running and session.tick() == [] and page.look().scene["tick"] == 1

    def test_who_has_won_is_said(self) -> None:
        world = pawns(4)
        page = Page(Session(world))
        for agent in (0, 1):
            page.say(type="policy", agent=agent, name="me", beside=True)
        for text in ("2 0 1 1", "1 3 2 2", "1 1 0 0"):
            assert page.say(type="enter", text=f"MOVE {text}") == []
        assert page.look().scene["text"] == "White has won." and page.scene["returns"] == [1.0, -1.0]
        assert page.choice == {"type": "choice", "agent": None, "turn": ""}

    def test_what_the_page_needs_to_know(self, moves: World) -> None:
        hello = Session(moves).hello()
        assert (
            hello["asking"] == {"MOVE": "Move"} and hello["shared"] and hello["keys"] == [{"MOVE": ["m"]}] * 2
        )
        assert "mcts" in hello["policies"][0] and hello["header"]["agents"][0]["name"] == "White"
        keys = Session(coins()).hello()["keys"][0]
        assert keys == {
            "UP": ["ArrowUp", "w"],
            "WAIT": [".", "x"],
            "TAKE": ["t"],
            "HELP": ["h"],
            "PUT": ["u"],
        }

    def test_where_there_is_nothing_to_choose_from_nothing_is_said(self, world: World) -> None:
        page = Page(Session(world))
        page.say(type="policy", agent=0, name="me")
        assert "choice" not in page.look().kinds


def test_people_who_play_cards_see_their_own_only_until_the_game_is_over() -> None:
    session = Session(World("KuhnPoker-2p", compiled=False), seed=1)
    page = Page(session)

    def name_of(agent: int) -> str:
        return ("Jack", "Queen", "King")[session.game.state.agents[agent].card]

    assert page.scene["fields"][2]["card"] == name_of(1)
    (said,) = session.handle(protocol.ChoosePolicy(type="policy", agent=0, name=ME))
    page.look()
    assert session.game.seed == 2 and "New cards" in said["text"]
    assert page.scene["fields"][1]["card"] == name_of(0)
    assert page.scene["fields"][2] == {"card": "hidden"}
    (refused,) = session.handle(protocol.GetState(type="state"))
    assert "when the game is over" in refused["text"]
    while not session.game.over:
        if 0 in session.game.acting:
            session.handle(protocol.Act(type="act", action="PASS"))
        else:
            session.tick()
        page.look()
    assert page.scene["fields"][2]["card"] == name_of(1)
