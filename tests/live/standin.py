"""A world that stands still, with what perception and brains ask of one."""

from types import SimpleNamespace

from gridarium.live.perception import PropertyDict, SenseCapability
from gridarium.world import Position, State, Wall


class EnvObject:
    inherits = ("EnvObject", "object")

    def __init__(self, name, location, /, **properties):
        self.given = {
            "obj_id": name,
            "name": name,
            "is_traversable": True,
            "is_movable": False,
            "class_inheritance": [type(self).__name__, *self.inherits],
            "visualization": {"colour": "#4286f4", "size": 1.0},
            **properties,
        }
        self.obj_id, self.location = name, location
        self._made = None

    @property
    def cached_properties(self):
        if self._made is None or self._made["location"] != self.location:
            self._made = PropertyDict({**self.given, "location": self.location})
        return self._made


class SquareBlock(EnvObject):
    pass


class RedBlock(SquareBlock):
    inherits = ("SquareBlock", "EnvObject", "object")


class Door(EnvObject):
    pass


class AgentBody(EnvObject):
    inherits = ("object",)

    def __init__(self, name, location, /, sense=None, teams=(), **properties):
        teams = list(teams) or [f"{name}_team"]
        given = {"isAgent": True, "team": teams[0], "teams": teams, "is_carrying": []}
        super().__init__(name, location, **{**given, **properties})
        self.given["class_inheritance"] = ["AgentBrain", "object"]
        self.sense_capability = sense or SenseCapability({None: float("inf")})


class StandIn:
    tick_duration, world_id = 0.5, "world_1"
    scene = None
    vis_settings = {"vis_bg_clr": "#C2C2C2", "vis_bg_img": None}

    def __init__(self, *objects, shape=(10, 10), compiled=False):
        self.core = SimpleNamespace(composed=SimpleNamespace(wants_compiled=compiled))
        self.shape, self.current_nr_ticks, self.version = shape, 0, 0
        self.environment_objects = {o.obj_id: o for o in objects if not isinstance(o, AgentBody)}
        self.registered_agents = {o.obj_id: o for o in objects if isinstance(o, AgentBody)}

    @property
    def teams(self):
        found = {}
        for name, body in self.registered_agents.items():
            for team in body.given["teams"]:
                found.setdefault(team, []).append(name)
        return found

    @property
    def core_state(self):
        width, height = self.shape
        state = State.blank((height, width))
        for thing in self.environment_objects.values():
            if thing.given.get("opaque"):
                x, y = thing.location
                state.grid[Position(y, x)] = Wall()
        return state

    def changed(self):
        self.version += 1

    def pass_time(self, ticks=1):
        self.current_nr_ticks += ticks
        self.version += 1


class Answer:
    def __init__(self, succeeded, result=""):
        self.succeeded, self.result = succeeded, result


def embodied(brain, body, world, possible=lambda action, kwargs: True, **given):
    """Give a brain a body in a world that stands still."""
    brain.setup(
        **{
            "agent_id": body.obj_id,
            "agent_name": body.obj_id,
            "action_set": ["MoveNorth", "MoveEast", "MoveSouth", "MoveWest"],
            "sense_capability": body.sense_capability,
            "agent_properties": dict(body.cached_properties),
            "rnd_seed": 1,
            "ask": lambda action, kwargs: Answer(possible(action, kwargs)),
            **given,
        }
    )
    brain.initialize()
    brain.perceive(world)
    return brain
