"""Messages reach those they are sent to, rooms are read by their members only, and memory is bounded."""

import json

import numpy as np
import pytest

from gridarium.live.messages import DeliveryFailure, Message, MessageManager

AGENTS = ["ann", "bob", "cyd", "dan"]
TEAMS = {"red": ["ann", "bob"], "blue": ["cyd", "dan"], "talkers": ["ann", "cyd"]}


@pytest.fixture
def manager() -> MessageManager:
    return MessageManager(AGENTS, TEAMS)


def receivers(copies) -> list[str]:
    return [copy.to_id for copy in copies if not isinstance(copy, DeliveryFailure)]


def failures(copies) -> list[DeliveryFailure]:
    return [copy for copy in copies if isinstance(copy, DeliveryFailure)]


def texts(manager: MessageManager, agent: str | None, room: int) -> list:
    return [json.loads(text)["content"] for text in manager.fetch_messages(agent)[room]]


class TestMessage:
    def test_it_says_what_who_and_to_whom(self) -> None:
        message = Message({"at": [1, 2]}, from_id="ann", to_id="bob")
        assert (message.content, message.from_id, message.to_id) == ({"at": [1, 2]}, "ann", "bob")
        assert json.loads(message.to_json())["content"] == {"at": [1, 2]}
        assert str(message) == '{"at": [1, 2]}' and str(Message("hello", "ann")) == "hello"

    @pytest.mark.parametrize(
        ("content", "place"),
        [
            (object(), "content is a object"),
            ([1, {"a": {2}}], r"content\[1\]\['a'\] is a set"),
            ({1: 2}, "texts, not 1"),
            (np.int64(3), "content is a int64"),
        ],
    )
    def test_its_content_is_plain_data(self, content, place: str) -> None:
        with pytest.raises(TypeError, match=place):
            Message(content, "ann")

    def test_its_content_has_a_limited_depth(self) -> None:
        nested: list = []
        nested.append(nested)
        with pytest.raises(TypeError, match="at most 20"):
            Message(nested, "ann")

    @pytest.mark.parametrize(("from_id", "to_id"), [(1, None), ("ann", 2), ("ann", ["bob", 3])])
    def test_ids_are_texts(self, from_id, to_id) -> None:
        with pytest.raises(TypeError, match="_id is"):
            Message("hello", from_id, to_id)


class TestReceivers:
    @pytest.mark.parametrize(
        ("to_id", "expected"),
        [
            (None, ["ann", "cyd", "dan"]),  # all others
            ("cyd", ["cyd"]),
            ("bob", ["bob"]),  # oneself
            ("red", ["ann", "bob"]),  # a team, with its sender
            (["dan", "ann"], ["ann", "dan"]),
            (["red", "ann", "ann"], ["ann", "bob"]),  # named several times, it comes once
            ([], []),
        ],
    )
    def test_a_message_reaches_whom_it_names(self, manager: MessageManager, to_id, expected) -> None:
        copies = manager.expand(Message("hello", "bob", to_id))
        assert receivers(copies) == expected and not failures(copies)
        assert all(copy.from_id == "bob" and copy.content == "hello" for copy in copies)

    @pytest.mark.parametrize(
        ("to_id", "meant"),
        [("Ann", "ann"), ("ANN", "ann"), ("bod", "bob"), ("tlakers", None), ("redd", "red"), ("eve", None)],
    )
    def test_the_sender_is_told_whom_it_may_have_meant(
        self, manager: MessageManager, to_id: str, meant: str | None
    ) -> None:
        (failure,) = manager.expand(Message("hello", "bob", to_id))
        hint = f"; did you mean {meant!r}?" if meant else "."
        assert failure.from_id == "world"
        assert failure.content == f"A message was not delivered: there is no agent or team {to_id!r}{hint}"

    @pytest.mark.parametrize("to_id", ["eve", "", "['ann', 'cyd']", "__import__('os').getcwd()", "Global"])
    def test_an_unknown_receiver_is_told_to_the_sender_and_nothing_is_evaluated(
        self, manager: MessageManager, to_id: str
    ) -> None:
        (failure,) = manager.expand(Message("hello", "bob", to_id), tick=4)
        assert isinstance(failure, DeliveryFailure) and failure.to_id == "bob" and failure.name == to_id
        assert failure.undelivered.content == "hello" and "no agent or team" in str(failure)
        assert all(not sent for sent in manager.fetch_messages().values())

    def test_only_members_send_to_a_team(self, manager: MessageManager) -> None:
        copies = manager.expand(Message("hello", "bob", ["blue", "ann"]))
        assert receivers(copies) == ["ann"]
        assert "only members of the team 'blue'" in str(failures(copies)[0])

    def test_a_name_of_an_agent_and_a_team_is_both_but_comes_once(self) -> None:
        manager = MessageManager(AGENTS, {"ann": ["ann", "bob"]})
        assert receivers(manager.expand(Message("hello", "bob", "ann"))) == ["ann", "bob"]

    def test_somebody_who_is_no_agent_gets_no_failure_but_may_speak(self, manager: MessageManager) -> None:
        assert manager.expand(Message("hello", "god", "eve")) == []
        assert receivers(manager.expand(Message("hello", "god", "ann"))) == ["ann"]
        assert receivers(manager.expand(Message("hello", "god"))) == AGENTS

    def test_receivers_cannot_change_each_others_content(self, manager: MessageManager) -> None:
        first, *others = manager.expand(Message({"seen": []}, "bob"))
        first.content["seen"].append("a block")
        assert all(other.content == {"seen": []} for other in others)
        assert texts(manager, "bob", 0) == [{"seen": []}]

    def test_subclasses_and_their_attributes_are_kept(self, manager: MessageManager) -> None:
        class Plan(Message):
            steps = 0

        plan = Plan("this way", "bob")
        plan.steps = 3
        assert all(isinstance(copy, Plan) and copy.steps == 3 for copy in manager.expand(plan))

    def test_only_messages_are_sent(self, manager: MessageManager) -> None:
        with pytest.raises(TypeError, match="instances of Message, not 'hello'"):
            manager.expand("hello")  # type: ignore[arg-type]

    def test_the_same_messages_get_the_same_ids(self) -> None:
        ids = []
        for _ in range(2):
            manager = MessageManager(AGENTS, TEAMS)
            ids.append([manager.expand(Message(str(i), "ann"))[0].message_id for i in range(3)])
        assert ids[0] == ids[1] and len({*ids[0]}) == 3

    def test_agents_and_teams_that_come_later_are_reached(self) -> None:
        agents, teams = ["ann"], {"red": ["ann"]}
        manager = MessageManager(agents, teams)
        agents.append("bob")
        teams["green"] = ["ann", "bob"]
        assert receivers(manager.expand(Message("hello", "ann", "green"))) == ["ann", "bob"]
        assert {"name": "green", "type": "team"} in manager.fetch_chatrooms("bob").values()


class TestRooms:
    def test_an_agent_has_the_room_for_all_and_those_of_its_teams(self, manager: MessageManager) -> None:
        assert manager.fetch_chatrooms("ann") == {
            0: {"name": "Global", "type": "global"},
            1: {"name": "red", "type": "team"},
            3: {"name": "talkers", "type": "team"},
        }
        assert len(manager.fetch_chatrooms()) == 4

    def test_private_rooms_are_made_with_the_first_message(self, manager: MessageManager) -> None:
        for sender, receiver in [("bob", "ann"), ("ann", "bob")]:
            manager.expand(Message(f"from {sender}", sender, receiver))
        assert manager.fetch_chatrooms("bob")[4] == {"name": "ann__bob", "type": "private"}
        assert texts(manager, "ann", 4) == ["from bob", "from ann"]

    def test_private_messages_stay_private(self, manager: MessageManager) -> None:
        manager.expand(Message("a secret", "ann", "bob"))
        manager.expand(Message("of the team", "cyd", "blue"))
        assert "a secret" not in str(manager.fetch_messages("cyd"))
        assert "of the team" not in str(manager.fetch_messages("ann"))
        assert "a secret" in str(manager.fetch_messages()) and "of the team" in str(manager.fetch_messages())

    def test_two_pairs_never_share_a_room(self) -> None:
        manager = MessageManager(["a", "a__b", "b__c", "c"], {})
        manager.expand(Message("first", "a", "b__c"))
        manager.expand(Message("second", "a__b", "c"))
        assert [room["name"] for room in manager.fetch_chatrooms().values()][1:] == ["a__b__c", "a__b__c"]
        assert "second" not in str(manager.fetch_messages("a"))

    def test_who_knows_some_messages_gets_the_others(self, manager: MessageManager) -> None:
        for text in ("one", "two", "three"):
            manager.expand(Message(text, "ann"))
        got = manager.fetch_messages("bob", {"0": 0})[0]
        assert [json.loads(text)["content"] for text in got] == ["two", "three"]
        assert [json.loads(text)["chat_mssg_count"] for text in got] == [1, 2]
        assert manager.fetch_messages("bob", {"0": 2})[0] == []
        assert len(manager.fetch_messages("bob", {"0": None})[0]) == 3

    def test_a_team_s_room_is_read_by_those_who_are_in_it_at_the_time(self) -> None:
        teams = {"red": ["ann", "bob"]}
        manager = MessageManager(AGENTS, teams)
        teams["red"].remove("bob")
        manager.expand(Message("now", "ann", "red"))
        assert [room["name"] for room in manager.fetch_chatrooms("bob").values()] == ["Global"]


class TestMemory:
    def test_of_all_rooms_together_the_newest_messages_are_kept(self) -> None:
        manager = MessageManager(AGENTS, TEAMS, most_kept=5)
        manager.expand(Message("to bob", "ann", "bob"))
        for i in range(6):
            manager.expand(Message(str(i), "ann"), tick=i)
        assert texts(manager, None, 0) == ["1", "2", "3", "4", "5"]
        assert texts(manager, None, 4) == []
        assert [m.chat_mssg_count for m in manager.chatrooms[0].after(3)] == [4, 5]

    def test_of_what_was_delivered_the_last_ticks_are_kept(self) -> None:
        manager = MessageManager(AGENTS, TEAMS, most_kept=5)
        for tick in range(9):
            manager.expand(Message("hello", "ann", ["bob", "cyd"]), tick)
        assert [*manager.preprocessed_messages] == [7, 8]
        assert [m.to_id for m in manager.preprocessed_messages[8]] == ["bob", "cyd"]
        for _ in range(4):
            manager.expand(Message("hello", "ann"), 9)
        assert [*manager.preprocessed_messages] == [9] and len(manager.preprocessed_messages[9]) == 12

    def test_at_least_one_message_is_kept(self) -> None:
        with pytest.raises(ValueError, match="at least 1"):
            MessageManager(AGENTS, TEAMS, most_kept=0)

    def test_what_was_said_is_saved_and_goes_on(self) -> None:
        manager = MessageManager(AGENTS, TEAMS, most_kept=3)
        for i, to_id in enumerate([None, "bob", "red", None]):
            manager.expand(Message({"number": i}, "ann", to_id), tick=i)
        saved = json.loads(json.dumps(manager.to_dict()))
        other = MessageManager(AGENTS, TEAMS, most_kept=3)
        other.expand(Message("forgotten", "ann"))
        other.load_dict(saved)
        assert other.fetch_messages() == manager.fetch_messages()
        for each in (manager, other):
            each.expand(Message("more", "bob", "ann"))
        assert other.fetch_messages() == manager.fetch_messages()
        assert "forgotten" not in str(other.fetch_messages())
