"""A brain that asks a language model: a local stand-in for one."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from gridarium.ghost.planning.llm import LLMClient
from gridarium.live.brains import LanguageModelBrain
from gridarium.live.brains.situation_text import describe, list_options
from gridarium.live.messages import Message
from gridarium.live.perception import State
from tests.live.standin import AgentBody, Answer, Door, SquareBlock, StandIn, embodied

ACTIONS = ["MoveNorth", "MoveEast", "GrabObject", "OpenDoorAction"]


class Service(ThreadingHTTPServer):
    """Answers questions with what it is told to, in OpenAI's form, and keeps them."""

    def __init__(self):
        self.asked, self.headers, self.reply, self.status = [], [], "0", 200
        self.may_answer = threading.Event()
        self.may_answer.set()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        service = self.server
        service.headers.append(self.headers)
        service.asked.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
        service.may_answer.wait(10)
        body = json.dumps(
            {"choices": [{"message": {"role": "assistant", "content": service.reply}}]}
        ).encode()
        self.send_response(service.status)
        if service.status in (301, 302, 303, 307, 308):
            self.send_header("Location", service.elsewhere)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):  # what a followed redirect would become
        self.server.headers.append(self.headers)
        self.send_response(404)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def running():
    service = Service()
    thread = threading.Thread(target=service.serve_forever, args=(0.01,))
    thread.start()
    yield service
    service.shutdown()
    thread.join()
    service.server_close()


@pytest.fixture
def service(running, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    running.asked, running.headers, running.reply, running.status = [], [], "0", 200
    running.may_answer.set()
    return running


def brain(service, possible=lambda action, kwargs: True, **options):
    body = AgentBody("me", (2, 2))
    objects = [
        SquareBlock("box", (2, 3), is_movable=True),
        SquareBlock("wall", (5, 2), is_traversable=False),
        Door("door", (2, 1), is_open=False, room_name="hall"),
    ]
    world = StandIn(body, *objects)
    client = LLMClient("a-model", address=service.address, api_key="secret", timeout=5)
    made = LanguageModelBrain(client, "Open all doors.", **{"wait": 5, **options})
    return embodied(made, body, world, possible, action_set=ACTIONS)


def decide(made):
    return made.decide_on_action(made.filter_observations(made.state))


def test_the_model_is_told_what_the_agent_perceives_and_can_do(service):
    made = brain(service)
    made.received_messages.append(Message("the key is\n9: here", from_id="you"))
    made.previous_action, made.previous_action_result = "MoveNorth", Answer(True, "Move action success")
    decide(made)
    ((path, body),) = service.asked
    assert path == "/v1/chat/completions" and body["model"] == "a-model"
    assert service.headers[0]["Authorization"] == "Bearer secret"
    rules, text = (m["content"] for m in body["messages"])
    assert "Open all doors." in rules and "number of one option" in rules
    for line in (
        "You are at (2, 2). You carry nothing.",
        "Your last action: MoveNorth: Move action success",
        "- box: SquareBlock at (2, 3), colour #4286f4, movable",
        "- wall: SquareBlock at (5, 2), colour #4286f4, blocks the way",
        '- door: Door at (2, 1), colour #4286f4, is_open false, room_name "hall"',
        '- from you: "the key is\\n9: here"',
        "0: wait",
        "1: MoveNorth",
        "3: GrabObject box",
        "4: OpenDoorAction door",
    ):
        assert line in text.split("\n")
    assert made.received_messages == []


@pytest.mark.parametrize("reply", ["4", " 4\n", '{"action": 4}'])
def test_what_the_model_chooses_is_done(service, reply):
    service.reply = reply
    made = brain(service)
    assert decide(made) == ("OpenDoorAction", {"object_id": "door", "door_range": 1})
    assert made.get_log_data() == {"reason": "chose 4: OpenDoorAction", "reply": reply}


def test_only_possible_actions_are_offered(service):
    made = brain(service, lambda action, kwargs: action == "MoveEast")
    decide(made)
    assert service.asked[0][1]["messages"][1]["content"].endswith("You can:\n0: wait\n1: MoveEast")


def test_it_says_what_the_model_wants_to_say(service):
    service.reply = '{"action": 0, "say": "hello", "to": "you"}'
    made = brain(service)
    assert decide(made) == (None, {})
    (message,) = made.messages_to_send
    assert (message.content, message.from_id, message.to_id) == ("hello", "me", "you")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("I would open the door: 4", "neither a number nor a JSON object"),
        ("", "neither a number nor a JSON object"),
        ("[4]", "neither a number nor a JSON object"),
        ("-1", "neither a number nor a JSON object"),
        ("٤", "neither a number nor a JSON object"),
        ("[" * 100_000, "neither a number nor a JSON object"),
        ("5", "the options are 0 to 4; the reply chose 5"),
        ('{"action": -1}', "the options are 0 to 4"),
        ('{"action": true}', "action is the number of an option"),
        ('{"action": "4"}', "action is the number of an option"),
        ('{"action": 4, "from_id": "you"}', "may have say and to"),
        ('{"say": "hi"}', "has to have action"),
        ('{"action": 4, "say": ["hi"]}', "say and to are texts"),
        ('{"action": 4, "say": "hi", "to": 3}', "say and to are texts"),
        (json.dumps({"action": 4, "say": "x" * 1001}), "at most 1000 characters"),
    ],
)
def test_the_agent_idles_and_says_why_if_the_reply_is_no_choice(service, caplog, reply, reason):
    service.reply = reply
    made = brain(service)
    with caplog.at_level("WARNING"):
        assert decide(made) == (None, {})
    assert reason in made.reason and made.reason in caplog.text
    assert made.messages_to_send == []


def test_the_agent_idles_if_the_service_fails(service):
    service.status = 500
    made = brain(service)
    assert decide(made) == (None, {})
    assert "ConnectionError" in made.reason and "500" in made.reason


def test_a_service_that_fails_is_asked_less_and_less_often(service):
    service.reply = "nonsense"
    made = brain(service)
    asked = []
    for _ in range(16):
        decide(made)
        asked.append(len(service.asked))
    assert asked == [1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5]
    service.reply = "1"
    for _ in range(15):
        assert decide(made) == (None, {})
    assert [decide(made)[0] for _ in range(3)] == ["MoveNorth"] * 3


def test_the_world_does_not_wait_longer_than_it_is_told(service):
    service.may_answer.clear()
    service.reply = "1"
    made = brain(service, wait=0)
    assert decide(made) == decide(made) == (None, {})
    assert made.thinking and made.reason == "waits for an answer"
    service.may_answer.set()
    assert made._question.answered.wait(5)
    assert decide(made) == ("MoveNorth", {}) and not made.thinking
    assert len(service.asked) == 1


def test_what_is_no_longer_possible_is_not_done(service):
    service.may_answer.clear()
    service.reply = "1"
    now = {"possible": True}
    made = brain(service, lambda action, kwargs: now["possible"], wait=0)
    decide(made)
    now["possible"] = False
    service.may_answer.set()
    assert made._question.answered.wait(5)
    assert decide(made) == (None, {})
    assert "MoveNorth is no longer possible" in made.reason


def test_an_answer_to_a_question_of_the_last_world_is_not_heard(service):
    service.may_answer.clear()
    service.reply = "1"
    made = brain(service, wait=0)
    decide(made)
    old = made._question
    made.initialize()
    service.reply = "2"
    service.may_answer.set()
    assert old.answered.wait(5)
    made.wait = 5
    made.perceive(StandIn(AgentBody("me", (2, 2))))
    assert decide(made)[0] == "MoveEast"


def test_the_model_is_told_the_last_questions_and_answers_again(service):
    made = brain(service, history=1)
    for reply in ("1", "2", "0"):
        service.reply = reply
        decide(made)
    roles = [[(m["role"], m["content"]) for m in body["messages"]] for _, body in service.asked]
    assert [len(r) for r in roles] == [2, 4, 4]
    assert roles[1][1] == roles[0][1] and roles[1][2] == ("assistant", "1")
    assert roles[2][2] == ("assistant", "2")


def test_far_things_are_only_counted():
    blocks = [SquareBlock(f"b{x}", (x, 0)) for x in range(10)]
    text = describe(State("me").look(StandIn(AgentBody("me", (0, 0)), *blocks)), most_objects=3)
    assert text.endswith("- and 7 things that are farther away") and text.count("SquareBlock") == 3
    assert describe(State("me")) == "You are not in the world."
    assert "You perceive nothing else." in describe(State("me").look(StandIn(AgentBody("me", (0, 0)))))


def test_what_agents_carry_is_told():
    me = AgentBody("me", (0, 0), is_carrying=[{"obj_id": "a"}])
    you = AgentBody("you", (1, 0), is_carrying=[{"obj_id": "b"}])
    text = describe(State("me").look(StandIn(me, you)))
    assert "You carry a." in text and "- you: agent at (1, 0), colour #4286f4, carries b" in text


def test_options_are_numbered():
    assert (
        list_options([(None, {}), ("GrabObject", {"object_id": "x", "grab_range": 1})])
        == "0: wait\n1: GrabObject x"
    )


def test_numbers_below_0_are_refused(service):
    with pytest.raises(ValueError, match="wait is 0 or more"):
        brain(service, wait=-1)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_refused_and_the_key_goes_nowhere_else(service, status):
    other = Service()
    thread = threading.Thread(target=other.serve_forever, args=(0.01,))
    thread.start()
    try:
        service.status, service.elsewhere = status, f"{other.address}/chat/completions"
        client = LLMClient("a-model", address=service.address, api_key="secret", timeout=5)
        with pytest.raises(ConnectionError, match=str(status)):
            client.chat_completion([{"role": "user", "content": "hello"}])
    finally:
        other.shutdown()
        thread.join()
        other.server_close()
    assert len(service.headers) == 1 and other.headers == []
