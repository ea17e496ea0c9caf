import http.server
import itertools
import json
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.ghost import CustomGridEnv, TaskPlanner
from gridarium.ghost.planner import read_places
from gridarium.ghost.planning.llm import LLMClient
from gridarium.ghost.planning.routes import round_trip, trip_length


@pytest.fixture
def env():
    made = CustomGridEnv(None)
    made.reset(seed=0)
    return made


@pytest.fixture
def planner(env):
    return TaskPlanner(env, use_llm=False)


def test_tours_and_ways(planner):
    assert planner.solve_tsp((0, 2), [(2, 2), (0, 4), (3, 1)]) == [(2, 2), (0, 4), (3, 1)]
    assert planner.get_path((0, 2), (3, 1)) == [0, 1, 1, 1]
    assert planner.get_path((1, 1), (1, 1)) == []
    values = planner.value_iteration((3, 1))
    assert values[3, 0] == values[2, 1] == pytest.approx(89)
    assert planner.get_optimal_action((2, 1), values) == 1
    assert planner.value_iteration([3, 1])[2, 1] == pytest.approx(89)


def test_places_that_are_none(planner, env):
    with pytest.raises(ValueError, match="outside the grid of 4 x 5"):
        planner.get_path((0, 0), (4, 0))
    with pytest.raises(ValueError, match="outside"):
        planner.value_iteration((0, 9))
    env.walls_horizontal[0, 0] = True
    with pytest.warns(UserWarning, match=r"no way leads from \(0, 2\) to \(0, 0\)"):
        assert planner.solve_tsp((0, 2), [(0, 0), (3, 1)]) == [(3, 1)]
    assert planner.get_path((0, 2), (0, 0)) == []


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=7, unique=True))
def test_short_tours_are_the_shortest(places):
    lengths = [[abs(a - c) + abs(b - d) for c, d in places] for a, b in places]
    found = round_trip(lengths)
    orders = list(itertools.permutations(range(1, len(places))))
    assert found == list(min(orders, key=lambda order: trip_length(lengths, order)))


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=14, max_size=20, unique=True))
def test_long_tours_visit_everybody_and_no_swap_helps(places):
    lengths = [[abs(a - c) + abs(b - d) for c, d in places] for a, b in places]
    found = round_trip(lengths)
    assert sorted(found) == list(range(1, len(places)))
    for i, j in itertools.combinations(range(len(found) + 1), 2):
        turned = found[:i] + found[i:j][::-1] + found[j:]
        assert trip_length(lengths, turned) >= trip_length(lengths, found) - 1e-9


@pytest.mark.parametrize(
    ("answer", "places"),
    [
        ("[[2, 2], [0, 4]]", [(2, 2), (0, 4)]),
        ("```json\n[[2, 2]]\n```", [(2, 2)]),
        ("<think>perhaps [[9, 9]]?</think>[[1, 2]]", [(1, 2)]),
        ("<think>hm</think> The cells are [[1, 2], [3, 4]]. Good luck", [(1, 2), (3, 4)]),
        ("so [[9, 9]] or</think>[[1, 2]]", [(1, 2)]),
        ("<think>[[1, 2]]", [(1, 2)]),
        ("<think>I wonder", []),
        ("[]", []),
        ("no idea", []),
        ('[["a", 2]]', []),
        ("[[1, 2, 3]]", []),
        ("[[1, 2", []),
    ],
)
def test_answers_are_read(answer, places):
    assert read_places(answer) == places


class Model(http.server.BaseHTTPRequestHandler):
    answer = {"choices": [{"message": {"content": "[[2, 2], [7, 7], [0, 4]]"}}]}
    asked = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Model.asked.append((self.path, self.headers.get("Authorization"), body))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(self.answer).encode())

    def log_message(self, *args):
        pass


@pytest.fixture
def address():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/"
        server.shutdown()
        thread.join()


def test_a_model_is_asked(env, address):
    planner = TaskPlanner(env, llm="tiny", address=address, api_key="secret")
    with pytest.warns(UserWarning, match=r"outside the grid, and left out: \(7, 7\)"):
        places, answer = planner.identify_targets("Visit the music, then the dog")
    assert (places, answer) == ([(2, 2), (0, 4)], "[[2, 2], [7, 7], [0, 4]]")
    path, key, body = Model.asked[-1]
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer secret", "tiny")
    assert body["messages"][1] == {"role": "user", "content": "Visit the music, then the dog"}
    assert "Rockmusik" in body["messages"][0]["content"]


def test_an_answer_that_is_none_is_told(env, address, monkeypatch):
    monkeypatch.setattr(Model, "answer", {"error": "busy"})
    planner = TaskPlanner(env, address=address)
    places, answer = planner.identify_targets("go")
    assert places == [] and "unexpected form" in answer
    nobody = TaskPlanner(env, address="http://127.0.0.1:9/v1")
    assert nobody.identify_targets("go")[0] == []


def test_without_a_model_all_else_works(env, monkeypatch):
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    with pytest.warns(UserWarning, match="set GROQ_API_KEY"):
        planner = TaskPlanner(env)
    assert planner.llm_client is None
    assert planner.identify_targets("go") == ([], "LLMClient not initialized.")


def test_the_clients_arguments_are_checked():
    with pytest.raises(ValueError, match="groq, openai, gemini, ollama"):
        LLMClient(api_choice="oracle")
    with pytest.raises(ValueError, match="http://"):
        LLMClient(address="file:///etc/passwd")
