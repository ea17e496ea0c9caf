"""A small live world with two people and an agent, and somebody who looks at it through a socket."""

import json
from typing import Any

from gridarium.live import (
    AgentBody,
    AgentBrain,
    AreaTile,
    Door,
    EnvObject,
    GridWorld,
    HumanAgentBrain,
    LimitedTimeGoal,
    Message,
    SenseCapability,
    SquareBlock,
    Wall,
)
from gridarium.view.live_server import protocol
from gridarium.view.live_server.access import Role, Seat

KEYS = {"w": "MoveNorth", "ArrowUp": "MoveNorth", "d": "MoveEast", "s": "MoveSouth", "a": "MoveWest", "g": "GrabObject", "q": "DropObject"}  # fmt: skip
MOVES = ["MoveNorth", "MoveEast", "MoveSouth", "MoveWest"]
ACTIONS = [*MOVES, "GrabObject", "DropObject", "OpenDoorAction", "CloseDoorAction"]


class Talker(AgentBrain):
    """Stands still, and says something to its team in the third tick."""

    def decide_on_action(self, state):
        if state["World"]["nr_ticks"] == 2:
            self.send_message(Message("here I am", self.agent_id, "rescue"))
        return None, {}


def small_world(
    *,
    ann: HumanAgentBrain | None = None,
    robot: AgentBrain | None = None,
    may_remove: bool = False,
    **options,
) -> GridWorld:
    """A world of 12 x 6: Ann at (1, 1) sees three cells far, Bob is at (10, 4), where she does not see him."""
    actions = [*ACTIONS, "RemoveObject"] if may_remove else ACTIONS
    near = SenseCapability({None: 3})
    people = {"possible_actions": actions, "key_action_map": KEYS, "is_human_agent": True}
    return GridWorld(
        (12, 6),
        [
            Wall((4, 0), "wall"),
            Door((2, 0), name="Door"),
            AreaTile((1, 3), "mat"),
            SquareBlock((1, 2), "box", is_movable=True),
            EnvObject((5, 5), "jewel <b>", class_callable=EnvObject, is_movable=True, weight=3, visualize_shape=2),
        ],
        [
            (ann or HumanAgentBrain(), AgentBody((1, 1), "Ann", sense_capability=near, class_callable=HumanAgentBrain, team=["rescue"], **people)),
            (HumanAgentBrain(), AgentBody((10, 4), "Bob", sense_capability=near, class_callable=HumanAgentBrain, team=["rescue", "heavy"], **people)),
            (robot or Talker(), AgentBody((8, 1), "Robot", sense_capability=near, class_callable=Talker, possible_actions=MOVES, team=["rescue"], visualize_when_busy=True)),
        ],
        simulation_goal=LimitedTimeGoal(100),
        tick_duration=0.05,
        world_id="small",
        compiled=False,
        **options,
    )  # fmt: skip


def seats() -> list[Seat]:
    """Links with secrets that tests can read."""
    return [
        Seat(Role.EXPERIMENTER, None, "secret-experimenter"),
        Seat(Role.WATCHER, None, "secret-watcher"),
        Seat(Role.PLAYER, "ann", "secret-ann"),
        Seat(Role.PLAYER, "bob", "secret-bob"),
        Seat(Role.WATCHER, "robot", "secret-robot"),
    ]


MODELS = {model.model_fields["type"].annotation.__args__[0]: model for model in protocol.SENT}


def checked(text: str) -> dict[str, Any]:
    """A message of the server, which is one of those that the protocol has."""
    message = json.loads(text)
    MODELS[message["type"]].model_validate_json(text)
    return message


class Page:
    """A page, as far as its socket is concerned: what it has been sent, and the objects that it would draw."""

    def __init__(self, socket, *, draws: bool = True) -> None:
        self.socket, self.draws = socket, draws
        self.objects: dict[str, Any] = {}
        self.heard: list[dict[str, Any]] = []

    def say(self, **message) -> "Page":
        self.socket.send_text(json.dumps(message))
        return self

    def hear(self, kind: str, until=lambda message: True) -> dict[str, Any]:
        """The next message of a kind for which something holds."""
        while True:
            message = checked(self.socket.receive_text())
            self.heard.append(message)
            if message["type"] == "picture":
                for gone in message["gone"]:
                    del self.objects[gone]
                self.objects |= {each["id"]: each for each in message["changed"]}
                if self.draws:
                    self.say(type="seen")
            if message["type"] == kind and until(message):
                return message

    def tick(self) -> dict[str, Any]:
        return self.hear("picture")
