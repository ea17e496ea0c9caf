"""What people see, say and do in a live world: no more than their agents perceive, and only as themselves."""

import json

import pytest

pytest.importorskip("starlette", reason="the browser viewer needs gridarium[web]")
pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")

from starlette.testclient import TestClient

from gridarium.live import (
    AgentBody,
    AgentBrain,
    AreaTile,
    CollectionTarget,
    EnvObject,
    HumanAgentBrain,
    LogActions,
    Message,
    Wall,
)
from gridarium.live.worlds import live_worlds
from gridarium.view.live_server import protocol
from gridarium.view.live_server.access import Links, Role, Seat
from gridarium.view.live_server.app import application
from gridarium.view.live_server.labels import label_for
from gridarium.view.live_server.pictures import Media, View, drawn
from gridarium.view.live_server.session import LiveSession, PageCursor, seats_of
from tests.view.live.small_world import KEYS, MODELS, checked, seats, small_world


class Person:
    """Somebody at a page, without a socket."""

    def __init__(self, session: LiveSession, token: str) -> None:
        self.session, self.seat, self.cursor = session, session.links.find(token), PageCursor()
        session.join(self.seat)
        session.show(self.seat)
        self.objects: dict = {}
        self.said: dict[int, list[str]] = {}
        self.last: dict = {}
        self.look()

    def look(self) -> list[dict]:
        news = self.session.news(self.seat, self.cursor)
        read = [checked(each if isinstance(each, str) else json.dumps(each)) for each in news]
        for each in read:
            self.last[each["type"]] = each
            if each["type"] == "hello":
                self.objects, self.said = {}, {}
            if each["type"] == "picture":
                for gone in each["gone"]:
                    del self.objects[gone]
                self.objects |= {one["id"]: one for one in each["changed"]}
                self.do("seen")
            if each["type"] == "messages":
                self.said.setdefault(each["room"], []).extend(one["text"] for one in each["messages"])
        return read

    def do(self, kind: str, **entries) -> list[dict]:
        message = protocol.read(json.dumps({"type": kind, **entries}))
        return self.session.handle(self.seat, self.cursor, message)

    def leave(self) -> None:
        self.session.leave(self.seat)


@pytest.fixture
def session() -> LiveSession:
    return LiveSession(small_world(), seats())


@pytest.fixture
def ann(session: LiveSession) -> Person:
    return Person(session, "secret-ann")


@pytest.fixture
def bob(session: LiveSession) -> Person:
    return Person(session, "secret-bob")


@pytest.fixture
def boss(session: LiveSession) -> Person:
    return Person(session, "secret-experimenter")


class TestSight:
    def test_a_player_is_sent_what_the_agent_perceives_and_nothing_else(
        self, ann: Person, boss: Person
    ) -> None:
        assert {*ann.objects} == {"ann", "Door", "mat", "box"}
        assert {*boss.objects} == {"ann", "bob", "robot", "Door", "mat", "box", "wall", "jewel_<b>"}

    def test_it_is_as_new_as_what_the_experimenter_sees(self, session, ann: Person, boss: Person) -> None:
        ann.do("keys", keys=["d"])
        session.tick()
        ann.look(), boss.look()
        assert (ann.objects["ann"]["x"], boss.objects["ann"]["x"]) == (2, 2)
        assert "wall" in ann.objects, "which came into sight"

    def test_only_what_has_changed_is_sent(self, session, boss: Person) -> None:
        session.handle(
            session.links.find("secret-ann"), PageCursor(), protocol.read('{"type": "keys", "keys": ["d"]}')
        )
        session.tick()
        (picture,) = [each for each in boss.look() if each["type"] == "picture"]
        assert [each["id"] for each in picture["changed"]] == ["ann"] and picture["gone"] == []

    def test_who_is_slow_gets_the_newest_picture_and_all_that_has_changed(self, session, ann: Person) -> None:
        for key in "ddw":
            ann.do("keys", keys=[key])
            session.tick()
        pictures = [each for each in ann.look() if each["type"] == "picture"]
        assert [each["tick"] for each in pictures] == [3]
        fresh = Person(session, "secret-ann")
        assert ann.objects == fresh.objects and ann.objects["ann"]["x"] == 3

    def test_a_page_that_draws_nothing_gets_nothing_more_and_then_the_newest(
        self, session, ann: Person
    ) -> None:
        seat, cursor = session.links.find("secret-bob"), PageCursor()
        session.join(seat)
        session.show(seat)
        ticks = []
        for tick in range(1, 21):
            ann.do("say", room=0, text=str(tick))
            session.tick()
            ticks += [
                json.loads(each)["tick"] for each in session.news(seat, cursor) if isinstance(each, str)
            ]
        assert ticks == [1, 2, 3, 4]
        session.handle(seat, cursor, protocol.Seen(type="seen"))
        news = session.news(seat, cursor)
        assert [json.loads(each)["tick"] for each in news if isinstance(each, str)] == [20]
        assert len([each for each in news if isinstance(each, dict) and each["type"] == "messages"]) >= 1

    def test_agents_have_different_labels_and_all_their_teams(
        self, session, ann: Person, boss: Person
    ) -> None:
        assert {key: each["agent"]["label"] for key, each in boss.objects.items() if "agent" in each} == {
            "ann": "A", "bob": "B", "robot": "R",
        }  # fmt: skip
        assert boss.objects["bob"]["agent"]["teams"] == ["rescue", "heavy"]
        session.world.add_agent(AgentBrain(), AgentBody((1, 3), "Rex", possible_actions=[]))
        session.tick()
        ann.look(), boss.look()
        for person in (ann, boss):
            assert person.objects["rex"]["agent"]["label"] == "Re"

    def test_labels_are_initials_with_numbers_where_these_are_free(self) -> None:
        taken: list[str] = []
        for name in ("Human 1", "Robot 1", "Helper 1", "human_1", "HUMAN 1", "agent_0", "agent_12", "7", "<b>", "🤖", "🤖"):  # fmt: skip
            taken.append(label_for(name, taken))
        assert taken == ["H1", "R1", "He1", "Hu1", "Hum1", "A0", "A12", "7", "B", "1", "2"]

    def test_what_is_out_of_sight_is_gone(self, session, ann: Person) -> None:
        session.world.registered_agents["ann"].location = (9, 3)
        session.tick()
        ann.look()
        assert {*ann.objects} == {"ann", "bob", "robot"}

    def test_a_brain_that_filters_its_observations_does_so_once_a_tick_and_its_person_sees_no_more(
        self,
    ) -> None:
        class Shy(HumanAgentBrain):
            calls = 0

            def filter_observations(self, state):
                self.calls += 1
                state.remove_with_property({"name": "box"})
                return state

        shy = Shy()
        session = LiveSession(small_world(ann=shy), seats())
        ann, calls = Person(session, "secret-ann"), shy.calls
        for _ in range(5):
            session.tick()
            ann.look()
        assert "box" not in ann.objects and "Door" in ann.objects and shy.calls == calls + 5

    def test_invisible_targets_are_not_drawn(self) -> None:
        view = View(Media(None))
        view.update({"a": {"obj_id": "a", "location": (0, 0), "is_invisible": True}}, 0)
        assert view.objects == {}

    def test_colors_pictures_and_numbers_that_are_none_do_no_harm(self, tmp_path) -> None:
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "cat.png").write_bytes(b"png")
        (tmp_path / "secret.png").write_bytes(b"png")
        (tmp_path / "in" / "page.html").write_text("<script>")
        media = Media(tmp_path / "in")
        visual = {"colour": "url(//evil.example)", "size": float("nan"), "shape": "round", "opacity": 0.5}
        made = drawn(
            {"obj_id": "a", "location": (0, 1), "visualization": visual, "img_name": "cat.png"}, media
        )
        assert (
            made["color"] == "#808080" and made["size"] == 1 and made["shape"] == 0 and made["opacity"] == 0.5
        )
        assert made["image"] == "media/cat.png"
        shaped = {"obj_id": "a", "location": (0, 1), "visualization": {"shape": "cat.png"}}
        assert drawn(shaped, media)["image"] == "media/cat.png"
        for name in (
            "../secret.png",
            "page.html",
            "/etc/passwd",
            "http://evil.example/a.png",
            "none.png",
            "a\0.png",
            3,
        ):
            assert media.address(name) is None

    def test_properties_are_short_texts(self) -> None:
        more = drawn(
            {"obj_id": "a", "location": (0, 1), "reach": float("inf"), "text": "x" * 9999, "on": True},
            Media(None),
        )["more"]
        assert more["reach"] == "inf" and len(more["text"]) == 200 and more["on"] == "yes"

    def test_progress_of_goals_is_shown(self, session, ann: Person) -> None:
        session.tick()
        ann.look()
        assert ann.last["status"]["goals"] == [{"name": "Limited time", "progress": 0.01, "done": False}]

    def test_a_removed_agent_is_seen_by_nobody_and_its_person_sees_nothing(self, session, ann, boss) -> None:
        session.world.remove_from_grid("ann")
        session.tick()
        ann.look(), boss.look()
        assert ann.objects == {} and "ann" not in boss.objects
        assert ann.do("keys", keys=["d"])[0]["type"] == "error"
        assert ann.do("click", x=1, y=1)[0]["type"] == "notice"


class TestCatalogue:
    """Worlds of the catalogue with people in them."""

    @pytest.fixture(scope="class")
    @classmethod
    def cook(cls):
        return Person(LiveSession(live_worlds["kitchen"]().get_world(compiled=False), [Seat(Role.EXPERIMENTER, token="e"), Seat(Role.PLAYER, "agent_0", "c")]), "c")  # fmt: skip

    def test_objects_have_the_pictures_of_their_kinds(self, cook: Person) -> None:
        pictures = {each["image"] for each in cook.objects.values() if "image" in each}
        assert "core/Pot.EMPTY.NONE.svg" in pictures
        media = cook.session.media
        assert all(media.core_picture(name.removeprefix("core/")).startswith("<svg") for name in pictures)
        for name in ("Pot.svg", "Pot.EMPTY.BLACK.svg", "Pot.FULL.NONE.svg", "os.system.NONE.svg", "..", ""):
            assert media.core_picture(name) is None

    def test_the_task_the_score_and_the_time_that_is_left_are_told(self) -> None:
        world = live_worlds["kitchen"](people=0).get_world(compiled=False)
        session = LiveSession(world, [Seat(Role.EXPERIMENTER, token="e")])
        boss = Person(session, "e")
        assert "fill pots with three onions" in boss.last["hello"]["task"]
        assert boss.last["hello"]["time_limit"] == 400 and boss.last["hello"]["words"]["ACTUATE"] == "Use"
        while not any(boss.last["status"]["earned"].values()):
            session.tick()
            boss.look()
        assert boss.last["status"]["earned"] == {"agent_0": 20.0, "agent_1": 20.0}
        session.control(protocol.ResetRun(type="reset"))
        boss.look()
        assert boss.last["status"]["earned"] == {}

    def test_clicks_are_steps_and_agents_show_where_they_face_and_what_they_hold(self, cook: Person) -> None:
        x = cook.objects["agent_0"]["x"]
        for _ in range(2):  # to the dispenser of onions
            cook.do("keys", keys=["w"])
            cook.session.tick()
        assert "failed" not in {each["type"] for each in cook.look()}, "it has turned"
        assert cook.objects["agent_0"]["agent"]["turns"] == 0 and cook.objects["agent_0"]["y"] == 1
        cook.do("click", x=x - 1, y=1)
        cook.session.tick()
        cook.look()
        assert cook.objects["agent_0"]["agent"]["turns"] == 3
        cook.do("keys", keys=[" "])
        cook.session.tick()
        cook.look()
        cook.do("keys", keys=["q"])
        cook.session.tick()
        cook.look()
        assert cook.last["failed"]["text"] == "Use: that has no effect here"
        (onion,) = cook.objects["agent_0"]["agent"]["carrying"]
        assert onion["name"] == "Onion" and onion["image"].startswith("core/Onion.")


class TestDeeds:
    def test_keys_have_the_actions_of_the_key_action_map(self, session, ann: Person) -> None:
        assert ann.last["hello"]["keys"]["w"] == "MoveNorth"
        assert ann.do("keys", keys=["w", "ArrowUp", "d"]) == []
        session.tick()
        ann.look()
        assert (ann.objects["ann"]["x"], ann.objects["ann"]["y"]) == (2, 1)

    def failed(self, ann: Person) -> list[str]:
        return [each["text"] for each in ann.look() if each["type"] == "failed"]

    @pytest.mark.parametrize(
        ("keys", "why"),
        [
            ("w", "Move north: something is in the way"),
            ("sq", "Drop: nothing is carried"),
            ("aa", "Move west: that is outside the world"),
            ("dddg", "Grab: there is nothing near for that"),
        ],
    )
    def test_a_player_is_told_once_why_the_action_of_a_key_has_failed(
        self, session, ann: Person, bob: Person, keys: str, why: str
    ) -> None:
        session.world.add_object(Wall((1, 0), "ledge"))
        session.world.remove_from_grid("box")
        for key in keys:
            assert self.failed(ann) == []
            ann.do("keys", keys=[key])
            session.tick()
        assert self.failed(ann) == [why] and self.failed(ann) == []
        session.tick()
        assert self.failed(ann) == self.failed(bob) == [], "it idles"

    def test_while_an_action_takes_its_time_no_old_result_is_told(self, session, ann: Person) -> None:
        for action, arguments in (
            ("GrabObject", {"object_id": "jewel_<b>", "grab_range": 1}),
            ("MoveEast", {"action_duration": 3}),
        ):
            session.world.brains["ann"].request(action, arguments)
            session.tick()
            told = self.failed(ann)
        assert told == []

    def test_other_keys_are_refused(self, ann: Person) -> None:
        assert "'x' has no action" in ann.do("keys", keys=["x"])[0]["text"]

    def test_of_many_keys_the_last_ones_are_kept(self, session, ann: Person) -> None:
        for _ in range(100):
            ann.do("keys", keys=["w"] * protocol.MOST_KEYS)
        ann.do("keys", keys=["d"])
        session.tick()
        ann.look()
        assert ann.objects["ann"]["x"] == 2

    def test_a_click_beside_one_is_a_step(self, session, ann: Person) -> None:
        assert ann.do("click", x=2, y=1) == []
        session.tick()
        ann.look()
        assert ann.objects["ann"]["x"] == 2

    def test_a_click_on_something_does_the_only_thing_that_is_possible(self, session, ann: Person) -> None:
        assert ann.do("click", x=1, y=2) == []
        session.tick()
        ann.look()
        assert [load["id"] for load in ann.objects["ann"]["agent"]["carrying"]] == [
            "box"
        ] and "box" not in ann.objects

    def test_neither_a_click_nor_a_menu_removes_an_agent_a_wall_or_what_is_on_the_floor(self) -> None:
        session = LiveSession(small_world(may_remove=True), seats())
        ann = Person(session, "secret-ann")
        for other in ("ann", "bob", "robot"):
            session.world.registered_agents[other].location = (3, 1)
        session.world.add_object(AreaTile((3, 1), "tile"))
        session.world.add_object(CollectionTarget((3, 1), [], "zone", "target"))
        session.tick()
        ann.look()
        there = {*session.world.registered_agents, *session.world.environment_objects}
        for x, y in ((3, 1), (4, 0), (2, 0)):
            ann.do("click", x=x, y=y)
            session.tick()
            (menu,) = ann.do("menu", x=x, y=y)
            assert not any("Remove" in option["text"] for option in menu["options"])
        assert {*session.world.registered_agents, *session.world.environment_objects} == there

    def test_what_may_be_removed_is_removed_from_a_menu_only(self) -> None:
        session = LiveSession(small_world(may_remove=True), seats())
        ann = Person(session, "secret-ann")
        session.world.environment_objects["box"].is_movable = False
        session.tick()
        (menu,) = ann.do("click", x=1, y=2)
        assert [option["text"] for option in menu["options"]] == ["Remove: box"]
        ann.do("choose", menu=menu["menu"], option=0)
        session.tick()
        assert "box" not in session.world.environment_objects

    def test_where_nothing_is_possible_that_is_said(self, ann: Person) -> None:
        assert ann.do("click", x=11, y=5)[0]["type"] == "notice"

    def test_a_menu_has_what_is_possible_and_the_choice_is_done(self, session, ann: Person) -> None:
        (menu,) = ann.do("menu", x=1, y=2)
        MODELS["menu"].model_validate(menu)
        assert [option["text"] for option in menu["options"]] == ["Grab: box"]
        assert ann.do("choose", menu=menu["menu"], option=0) == []
        session.tick()
        (menu,) = ann.do("menu", x=1, y=1)
        assert [option["text"] for option in menu["options"]] == ["Drop", "Drop: box"]
        ann.do("choose", menu=menu["menu"], option=1)
        session.tick()
        ann.look()
        assert ann.objects["ann"]["agent"]["carrying"] == [] and "box" in ann.objects

    def test_doors_are_opened_from_menus(self, session, ann: Person) -> None:
        session.world.registered_agents["ann"].location = (2, 1)
        session.tick()
        (menu,) = ann.do("menu", x=2, y=0)
        assert [option["text"] for option in menu["options"]] == ["Open door: Door"]
        ann.do("choose", menu=menu["menu"], option=0)
        session.tick()
        ann.look()
        assert ann.objects["Door"]["more"]["is_open"] == "yes"

    def test_what_is_not_perceived_is_not_in_a_menu(self, session, ann: Person) -> None:
        (menu,) = ann.do("menu", x=5, y=5)
        assert menu["options"] == []

    def test_only_the_newest_menu_can_be_chosen_from(self, ann: Person, bob: Person) -> None:
        (first,) = ann.do("menu", x=1, y=2)
        (second,) = ann.do("menu", x=2, y=1)
        for menu, option in ((first["menu"], 0), (second["menu"], 7), (second["menu"] + 1, 0)):
            assert "does not hold" in ann.do("choose", menu=menu, option=option)[0]["text"]
        assert "does not hold" in bob.do("choose", menu=second["menu"], option=0)[0]["text"], "another's"

    def test_brains_may_have_menus_of_their_own_whose_messages_come_from_who_asks(self) -> None:
        class Servant(AgentBrain):
            def decide_on_action(self, state):
                return None, {}

            def create_context_menu_for_other(self, agent_id_who_clicked, clicked_object_id, click_location):
                return [{"OptionText": "Come <b>here</b>", "Message": Message("come", "bob", self.agent_id)}]

        session = LiveSession(small_world(robot=Servant()), seats())
        session.world.registered_agents["robot"].location = (1, 0)
        ann = Person(session, "secret-ann")
        (menu,) = ann.do("menu", x=1, y=0)
        assert [option["text"] for option in menu["options"]] == ["Come <b>here</b>"]
        ann.do("choose", menu=menu["menu"], option=0)
        session.tick()
        (got,) = session.world.brains["robot"].received_messages
        assert (got.from_id, got.content) == ("ann", "come")

    def test_who_leaves_is_idle_and_finds_everything_as_it_was(
        self, session, ann: Person, bob: Person
    ) -> None:
        ann.do("click", x=1, y=2)
        session.tick()
        ann.look()
        carried = ann.objects["ann"]["agent"]["carrying"]
        ann.do("keys", keys=["d"])
        ann.do("menu", x=2, y=1)
        ann.do("choose", menu=ann.cursor.menu, option=0)
        ann.leave()
        for _ in range(3):
            session.tick()
        back = Person(session, "secret-ann")
        assert (back.objects["ann"]["x"], back.objects["ann"]["y"]) == (1, 1)
        assert back.objects["ann"]["agent"]["carrying"] == carried and carried
        back.do("keys", keys=["d"])
        session.tick()
        back.look()
        assert back.objects["ann"]["x"] == 2

    def test_who_closes_one_of_two_pages_goes_on(self, session, ann: Person) -> None:
        other = Person(session, "secret-ann")
        ann.do("keys", keys=["d"])
        other.leave()
        session.tick()
        ann.look()
        assert ann.objects["ann"]["x"] == 2


class TestEnds:
    """However a run ends, what its loggers have kept is written."""

    @staticmethod
    def stopped(session: LiveSession) -> None:
        session.control(protocol.Stop(type="stop"))

    @staticmethod
    def failed(session: LiveSession) -> None:
        session.world.brains["robot"].decide_on_action = lambda state: 1 / 0
        session.tick()
        assert session.state == "failed"

    @staticmethod
    def begun_again(session: LiveSession) -> None:
        session.control(protocol.ResetRun(type="reset"))

    @staticmethod
    def closed(session: LiveSession) -> None:
        session.close()

    @staticmethod
    def no_server_any_more(session: LiveSession) -> None:
        with TestClient(application(session)):
            pass

    @pytest.mark.parametrize("end", [stopped, failed, begun_again, closed, no_server_any_more])
    def test_all_rows_are_written(self, tmp_path, end) -> None:
        log = LogActions(save_path=tmp_path)
        session = LiveSession(small_world(loggers=[log]), seats())
        for _ in range(5):
            session.tick()
        path = log.path
        assert path is not None and not path.exists()
        end(session)
        ticks = {line.split(";")[1] for line in path.read_text().splitlines()[1:]}
        assert {*"01234"} <= ticks <= {*"012345"}

    def test_who_fails_is_named_and_only_experimenters_are_told_why(self) -> None:
        for does in ("skip", "remove"):
            session = LiveSession(small_world(on_brain_error=does), seats())
            ann, boss = Person(session, "secret-ann"), Person(session, "secret-experimenter")
            assert ann.last["status"]["failing"] == []
            session.tick()
            session.world.brains["robot"].decide_on_action = lambda state: 1 / 0
            for _ in range(3):
                session.tick()
            ann.look(), boss.look()
            assert session.state == "paused" and session.world.current_nr_ticks == 4
            (told,), (known,) = ann.last["status"]["failing"], boss.last["status"]["failing"]
            assert told == {"agent": "robot", "tick": 1, "removed": does == "remove", "why": ""}
            assert known == told | {"why": "ZeroDivisionError: division by zero"}
            session.control(protocol.ResetRun(type="reset"))
            ann.look()
            assert ann.last["status"]["failing"] == []

    def test_a_closed_session_keeps_its_run_once_and_each_run_before_a_reset(self) -> None:
        kept: list[int] = []
        session = LiveSession(small_world(), seats(), keep=lambda world: kept.append(world.current_nr_ticks))
        session.tick()
        session.control(protocol.ResetRun(type="reset"))
        session.tick(), session.tick()
        session.close(), session.close()
        assert kept == [1, 2]


class TestRights:
    @pytest.mark.parametrize("kind", ["start", "pause", "step", "stop", "reset"])
    @pytest.mark.parametrize("who", ["secret-ann", "secret-watcher", "secret-robot"])
    def test_only_experimenters_steer_time(self, session, who: str, kind: str) -> None:
        person = Person(session, who)
        assert "only experimenters" in person.do(kind)[0]["text"]
        assert session.world.current_nr_ticks == 0 and session.state == "paused"

    def test_nor_does_anybody_else_set_the_speed(self, session, ann: Person) -> None:
        assert (
            ann.do("speed", tick_duration=1.0)[0]["type"] == "error" and session.world.tick_duration == 0.05
        )

    @pytest.mark.parametrize("who", ["secret-experimenter", "secret-watcher", "secret-robot"])
    def test_only_players_act(self, session, who: str) -> None:
        person = Person(session, who)
        for kind, entries in (
            ("keys", {"keys": ["d"]}), ("click", {"x": 1, "y": 2}), ("menu", {"x": 1, "y": 2}), ("choose", {"menu": 0, "option": 0}),
        ):  # fmt: skip
            assert person.do(kind, **entries)[0]["text"] == "only players do that"

    @pytest.mark.parametrize("who", ["secret-watcher", "secret-robot"])
    def test_watchers_do_not_write(self, session, who: str) -> None:
        assert Person(session, who).do("say", room=0, text="hello")[0]["text"] == "watchers do not write"

    def test_links_are_told_to_experimenters_only(self, session, ann: Person, boss: Person) -> None:
        assert (
            "people" not in ann.last
            and "secret-bob" not in str(ann.last)
            and ann.last["hello"]["command"] == ""
        )
        links = boss.last["people"]["links"]
        assert [(link["role"], link["agent"], link["pages"]) for link in links] == [
            ("experimenter", None, 1), ("watcher", None, 0), ("player", "ann", 1), ("player", "bob", 0), ("watcher", "robot", 0),
        ]  # fmt: skip

    def test_links_are_made_for_everybody_and_cannot_be_guessed(self) -> None:
        made = seats_of(small_world())
        assert [(seat.role, seat.agent_id) for seat in made] == [
            (seat.role, seat.agent_id) for seat in seats()
        ]
        tokens = {seat.token for seat in [*made, *seats_of(small_world())]}
        assert len(tokens) == 10 and all(len(token) >= 32 for token in tokens)

    def test_who_comes_while_the_world_runs_has_a_link_that_experimenters_are_told(self) -> None:
        announced: list[Seat] = []
        session = LiveSession(small_world(), seats()[:3], announce=announced.append)
        boss = Person(session, "secret-experimenter")

        def come(name: str, brain: AgentBrain, **options) -> None:
            session.world.add_agent(brain, AgentBody((5, len(name) - 1), name, **options))
            session.tick()

        come("Cleo", HumanAgentBrain(), is_human_agent=True, key_action_map=KEYS)
        come("Rex", AgentBrain(), possible_actions=[])
        assert [(seat.role, seat.agent_id) for seat in announced] == [
            (Role.PLAYER, "cleo"),
            (Role.WATCHER, "rex"),
        ]
        boss.look()
        paths = [link["path"] for link in boss.last["people"]["links"]]
        assert paths == [*(seat.path for seat in seats()[:3]), *(seat.path for seat in announced)]
        cleo = Person(session, announced[0].token)
        cleo.do("keys", keys=["d"])
        session.tick()
        cleo.look()
        assert cleo.objects["cleo"]["x"] == 6
        session.control(protocol.ResetRun(type="reset"))
        come("Cleo", HumanAgentBrain(), is_human_agent=True)
        assert len(announced) == 2

    def test_a_link_is_found_as_a_whole_only(self) -> None:
        links = Links([Seat(Role.EXPERIMENTER, token="abc"), Seat(Role.PLAYER, "ann", "def")])
        assert links.find("def").agent_id == "ann"
        assert [links.find(wrong) for wrong in ("", "de", "deff", "DEF", "d\ud800", "abcdef")] == [None] * 6


class TestChat:
    def test_what_is_said_in_a_room_is_heard_there_with_the_next_tick(self, session, ann, bob, boss) -> None:
        assert ann.do("say", room=1, text="come") == [] and ann.do("say", room=0, text="hello all") == []
        session.tick()
        for person in (ann, bob, boss):
            person.look()
            assert person.said == {0: ["hello all"], 1: ["come"]}
        assert [m.content for m in session.world.brains["robot"].received_messages] == ["come", "hello all"]

    def test_one_writes_as_oneself(self, session, ann: Person, bob: Person) -> None:
        ann.do("say", room=0, text="hello")
        session.tick()
        bob.look()
        assert bob.last["messages"]["messages"][0]["sender"] == "ann"

    def test_a_private_message_is_read_by_the_two_and_by_experimenters(self, session, ann, bob, boss) -> None:
        robot, watcher = Person(session, "secret-robot"), Person(session, "secret-watcher")
        ann.do("say", to="bob", text="a secret")
        session.tick()
        for person in (ann, bob, boss, robot, watcher):
            person.look()
        assert [*bob.said.values()] == [["a secret"]] and [*boss.said.values()] == [["a secret"]]
        assert robot.said == {} and [*watcher.said.values()] == [["a secret"]]
        room = next(room for room in bob.last["rooms"]["rooms"] if room["kind"] == "private")
        assert room["name"] == "ann" and room["unread"] == 1
        bob.do("say", room=room["room"], text="an answer")
        session.tick()
        ann.look()
        assert ann.said[room["room"]] == ["a secret", "an answer"]

    @pytest.mark.parametrize(
        ("entries", "why"),
        [
            ({"room": 2}, "you have no room 2"),  # the team "heavy"
            ({"room": 99}, "you have no room 99"),
            ({"to": "nobody"}, "you know of no agent 'nobody'"),
            ({"to": "heavy"}, "you know of no agent 'heavy'"),
            ({"to": "['bob', 'robot']"}, "you know of no agent"),
            ({"to": "__import__('os').getcwd()"}, "you know of no agent"),
            ({}, "one of the two"),
            ({"room": 0, "to": "bob"}, "one of the two"),
        ],
    )
    def test_one_writes_to_rooms_and_agents_that_one_knows(self, session, ann, entries, why) -> None:
        assert why in ann.do("say", text="hello", **entries)[0]["text"]

    def test_whom_one_has_not_met_one_does_not_know(self) -> None:
        world = small_world()
        for body in world.registered_agents.values():
            body.teams[:] = [f"{body.obj_id}_team"]
        world.teams.clear()
        world.teams.update({f"{key}_team": [key] for key in world.registered_agents})
        session = LiveSession(world, seats())
        ann, bob = Person(session, "secret-ann"), Person(session, "secret-bob")
        assert (
            ann.last["rooms"]["people"] == []
            and "you know of no agent" in ann.do("say", to="bob", text="x")[0]["text"]
        )
        bob.do("say", room=0, text="hello")
        session.tick()
        ann.look()
        assert ann.last["rooms"]["people"] == ["bob"] and ann.do("say", to="bob", text="x") == []

    def test_an_experimenter_reads_everything_and_writes_to_all_and_to_one(
        self, session, ann, bob, boss
    ) -> None:
        boss.do("say", room=0, text="welcome")
        boss.do("say", to="ann", text="only you")
        assert "only members of a team" in boss.do("say", room=1, text="x")[0]["text"]
        ann.do("say", to="bob", text="psst")
        session.tick()
        ann.look(), bob.look(), boss.look()
        assert ann.said[0] == ["welcome"] and "only you" in str(ann.said) and "only you" not in str(bob.said)
        private = next(r for r in boss.last["rooms"]["rooms"] if r["name"] == "ann, bob")
        refused = boss.do("say", room=private["room"], text="x")
        assert [checked(json.dumps(each)) for each in refused] == refused
        assert "private" in refused[0]["text"] and refused[0]["said"] == "x"

    def test_rooms_say_in_advance_why_one_cannot_write_there(self, session, ann, boss) -> None:
        ann.do("say", to="bob", text="psst")
        boss.do("say", to="ann", text="only you")
        session.tick()
        for who in (ann, boss, Person(session, "secret-watcher")):
            who.look()
            for room in who.last["rooms"]["rooms"]:
                refused = who.do("say", room=room["room"], text="x")
                assert [room["read_only"]] * len(refused) == [each["text"] for each in refused]
                assert bool(room["read_only"]) == bool(refused)
        assert {room["read_only"] == "" for room in ann.last["rooms"]["rooms"]} == {True}
        assert [room["read_only"] == "" for room in boss.last["rooms"]["rooms"]] == [
            True,
            False,
            False,
            False,
            True,
        ]

    def test_unread_messages_are_counted_until_they_are_read_and_own_ones_are_not(
        self, session, ann, bob
    ) -> None:
        for text in ("one", "two"):
            ann.do("say", room=1, text=text)
        session.tick()
        ann.look(), bob.look()
        unread = lambda person: {r["room"]: r["unread"] for r in person.last["rooms"]["rooms"]}  # noqa: E731
        assert unread(bob)[1] == 2 and unread(ann)[1] == 0
        bob.do("read", room=1, index=0)
        bob.look()
        assert unread(bob)[1] == 1
        assert bob.do("read", room=1, index=10**9) == []
        again = Person(session, "secret-bob")
        assert unread(again)[1] == 0, "on all pages, also after it was closed"
        assert "you have no room" in ann.do("read", room=2, index=0)[0]["text"]

    def test_too_much_at_once_is_refused(self, session, ann: Person) -> None:
        replies = [ann.do("say", room=0, text=str(i)) for i in range(101)]
        assert not any(replies[:100]) and "too many" in replies[100][0]["text"]
        session.tick()
        assert ann.do("say", room=0, text="again") == []

    def test_a_page_that_comes_late_gets_the_last_messages_of_each_room(self, session, ann: Person) -> None:
        for _ in range(3):
            for i in range(100):
                ann.do("say", room=0, text=str(i))
            session.tick()
        late = Person(session, "secret-bob")
        assert late.said[0] == [str(i) for i in range(100)] * 2


class TestTime:
    def test_it_starts_pauses_steps_and_has_a_speed(self, session, boss: Person) -> None:
        assert not session.running
        boss.do("start")
        assert session.running and session.delay == 0.05
        boss.do("speed", tick_duration=0.5)
        assert session.delay == 0.5
        boss.do("step")
        boss.look()
        assert boss.last["picture"]["tick"] == 1 and boss.last["status"]["state"] == "paused"

    def test_a_run_ends_with_its_goals(self, session, boss: Person) -> None:
        boss.do("start")
        for _ in range(101):
            session.tick()
        boss.look()
        assert boss.last["status"]["state"] == "done" and not session.running
        assert "the run is over" in boss.do("start")[0]["text"].replace("this run", "the run")

    def test_what_was_stopped_goes_on_after_a_reset_only(self, session, boss: Person) -> None:
        boss.do("stop")
        assert session.state == "stopped" and boss.do("step")[0]["type"] == "error"
        boss.do("reset")
        assert session.state == "paused" and boss.do("step") == []

    def test_after_a_reset_everybody_begins_anew(self, session, ann: Person, boss: Person) -> None:
        ann.do("say", room=0, text="old")
        ann.do("keys", keys=["d"])
        boss.do("step")
        ann.look()
        boss.do("reset", seed=3)
        kinds = [each["type"] for each in ann.look()]
        assert kinds[:3] == ["hello", "status", "picture"] and ann.last["hello"]["run"] == 1
        assert ann.last["picture"]["tick"] == 0 and {*ann.objects} == {"ann", "Door", "mat", "box"}
        assert session.world.rnd_seed == 3 and "old" not in str(session.all_rooms())

    def test_an_error_in_the_world_stops_it_and_is_told_in_full_to_experimenters_only(self) -> None:
        class Broken(AgentBrain):
            def decide_on_action(self, state):
                raise ValueError("a secret of the implementation")

        session = LiveSession(small_world(robot=Broken()), seats(), playing=True)
        ann, boss = Person(session, "secret-ann"), Person(session, "secret-experimenter")
        session.tick()
        ann.look(), boss.look()
        assert "a secret of the implementation" in boss.last["error"]["text"]
        assert (
            "a secret" not in str(ann.last) and "has stopped because of an error" in ann.last["error"]["text"]
        )
        assert session.state == "failed" and not session.running

    def test_an_error_in_what_is_asked_is_no_end_of_the_page(self) -> None:
        class Grumpy(HumanAgentBrain):
            def create_context_menu_for_self(self, *asked):
                raise ValueError("a secret of the implementation")

        session = LiveSession(small_world(ann=Grumpy()), seats())
        ann = Person(session, "secret-ann")
        (refused,) = ann.do("menu", x=1, y=1)
        assert refused["type"] == "error" and "a secret" not in refused["text"]
        session.tick()
        assert not session.failure

    def test_a_world_that_cannot_begin_again_has_failed(self) -> None:
        class OnceOnly(AgentBrain):
            begun = False

            def initialize(self):
                if self.begun:
                    raise ValueError("once only")
                self.begun = True

        session = LiveSession(small_world(robot=OnceOnly()), seats(), playing=True)
        boss = Person(session, "secret-experimenter")
        assert boss.do("reset") == []
        assert session.state == "failed" and "once only" in session.failure

    def test_what_has_come_and_gone_is_as_at_first_after_a_reset(
        self, session, ann: Person, boss: Person
    ) -> None:
        for _ in range(20):
            session.world.add_object(EnvObject((7, 4), "pebble", is_traversable=True))
        session.world.remove_from_grid("ann")
        boss.do("step")
        ann.look()
        assert ann.objects == {}
        boss.do("reset")
        ann.look()
        assert {*ann.objects} == {"ann", "Door", "mat", "box"}

    def test_a_goal_whose_progress_fails_has_none(self, session, ann: Person) -> None:
        goal = session.world.simulation_goal[0]
        goal.get_progress = lambda world: 7
        session.tick()
        ann.look()
        assert ann.last["status"]["goals"][0]["progress"] is None


def test_an_experimenter_has_another_name_than_any_agent() -> None:
    world = small_world()
    session = LiveSession(world, seats())
    assert session._chat.speaker == "experimenter"
    world.registered_agents["experimenter"] = world.registered_agents["ann"]
    assert LiveSession(world, seats())._chat.speaker == "experimenter_1"
