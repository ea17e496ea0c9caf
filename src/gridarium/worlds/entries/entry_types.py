"""The parts of a description, with their short forms."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from gridarium.world import Orientation
from gridarium.world.action_arguments import MOST_INDICES, SINGULAR, Argument
from gridarium.world.vocabulary import MOST_THINGS
from gridarium.world.vocabulary import Field as DeclaredField
from gridarium.worlds.entries.plain_data import thaw
from gridarium.worlds.entries.problems import DescriptionError, Path, Problem, suggest

Name = Annotated[str, Field(min_length=1, max_length=200)]
ModuleName = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$", max_length=200)]
Word = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=100)]
Byte = Annotated[int, Field(ge=0, le=255)]
Place = tuple[int, int]
Heading = Literal["FORWARD", "BACKWARD", "LEFT", "RIGHT"]

MOST_SIDE = 1024
"""The largest height and width of a world."""
MOST_ITEMS = 1 << 20
"""The maximum number of items of an observed array."""
BOUNDS: dict[str, tuple[int | float, int | float]] = {
    "bool": (0, 1),
    "uint8": (0, 255),
    "int": (-(1 << 63), (1 << 63) - 1),
    "float": (-math.inf, math.inf),
}
"""The lowest and the highest number of the types of observed arrays."""
TAKEN_NAMES = (
    "grid",
    "item",
    "agent_id_grid",
    "walls",
    "fields",
    "image",
    "planes",
    "sensors",
    "action_mask",
)
"""Names of arrays that observations may have in any case."""
MOST_SEEN = 2 * MOST_SIDE
"""The largest height and width of an observed area: all of the largest world, from any of its corners."""


class Part(BaseModel):
    """A part of a description: strict types, no unknown keys, immutable."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)

    def plain(self) -> Any:
        """The part as plain data, in its short form where possible; defaults are omitted."""
        given = {name: getattr(self, name) for name in type(self).model_fields if self._differs(name)}
        return thaw(given)

    def _differs(self, name: str) -> bool:
        default = type(self).model_fields[name].get_default(call_default_factory=True)
        value = getattr(self, name)
        return type(value) is not type(default) or bool(value != default)


def _short(key: str, kind: type = str) -> Callable[[Any], Any]:
    def expand(data: Any) -> Any:
        return {key: data} if type(data) is kind else data

    return expand


class Entry(Part):
    """A rule or an object by name, with parameters; just the name if there are none.

    Example:
        reach_exit
        {name: reach_exit, reward_on: 5.0}
        {name: my_module:my_rule, reward_on: 5.0}
    """

    model_config = ConfigDict(extra="allow")
    name: Name

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if isinstance(data, str):
            return {"name": data}
        if isinstance(data, Mapping):
            own = cls.model_fields
            return {key: part if key in own else _nested(part, (key,)) for key, part in data.items()}
        return data

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters: numbers, bools, strings, entries and tuples of these."""
        return dict(self.__pydantic_extra__ or {})

    def plain(self) -> Any:
        """The name, or a mapping with the name and the parameters."""
        return {"name": self.name, **thaw(self.parameters)} if self.parameters else self.name


def _nested(part: Any, path: Path) -> Any:
    if isinstance(part, tuple):
        return tuple(_nested(item, (*path, i)) for i, item in enumerate(part))
    if not isinstance(part, Mapping):
        return part
    try:
        return Entry.model_validate(part)
    except ValidationError as error:
        raise DescriptionError(problems_in(error, path)) from error


class ColorEntry(Part):
    """A color by name; with `rgb`, a new one. Just the name for an existing one."""

    name: Name
    rgb: tuple[Byte, Byte, Byte] | None = None
    mark: Annotated[str, Field(min_length=1, max_length=1)] = "?"

    def plain(self) -> Any:
        """The name, or a mapping."""
        given = super().plain()
        return self.name if len(given) == 1 else given


Over = Literal["cells", "rows", "columns", "agents", "things"] | Annotated[int, Field(ge=1, le=MOST_INDICES)]


def _named_ranges(data: Any) -> Any:
    """`over: cells` is short for `over: {at: cells}`."""
    if isinstance(data, str):
        return {SINGULAR.get(data, "number"): data}
    return {"number": data} if isinstance(data, int) and not isinstance(data, bool) else data


class ActionEntry(Part):
    """An action by name; with `declare: true`, a new one. Just the name for an existing one.

    `over` declares a new one that takes arguments: their names and ranges, or just a range. A range is `cells`, `rows`,
    `columns`, `agents`, `things`, or a number n, for 0 to n - 1. `duration` is the number of ticks that the action takes, or
    the name of the argument that says it. `meaning` says what the action does in this world, where that is special.

    Example:
        {name: DROP, over: columns}
        {name: PLACE, over: {piece: 91, at: cells}}
        {name: ACTUATE, duration: 3}
    """

    name: Name
    declare: bool = False
    over: Annotated[
        dict[Word, Over], BeforeValidator(_named_ranges, json_schema_input_type=Over | dict[Word, Over])
    ] = Field(default_factory=dict)
    duration: Annotated[int, Field(ge=1)] | Word = 1
    meaning: str = ""

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments in order."""
        return tuple(Argument(name, over) for name, over in self.over.items())

    def plain(self) -> Any:
        """The name, or a mapping."""
        given = super().plain()
        if len(self.over) == 1 and _named_ranges(next(iter(self.over.values()))) == self.over:
            given["over"] = next(iter(self.over.values()))
        return self.name if set(given) == {"name"} else given


class FieldEntry(Part):
    """A declared field of the world, each agent or each cell; reset to its default in every episode.

    With a `shape`, it is an array of numbers, of the world or of each agent. One that is `internal`, such as bits that rules work
    with, is not shown to people. With `words`, people are shown these instead of the numbers 0, 1 and so on.

    Example:
        {name: destination, type: int, words: [red, green, yellow, blue]}
    """

    name: Word
    type: Literal["bool", "int", "float"] = "float"
    default: bool | int | float = 0
    shape: tuple[Annotated[int, Field(ge=1)], ...] = ()
    internal: bool = False
    words: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = ()

    @model_validator(mode="after")
    def _fits(self) -> FieldEntry:
        self.declared()
        return self

    def declared(self) -> DeclaredField:
        """The field for a vocabulary.

        Raises:
            ValueError: an entry is invalid.
        """
        return DeclaredField(self.name, self.type, self.default, self.shape, self.internal, self.words)


Fields = tuple[Annotated[FieldEntry, BeforeValidator(_short("name"))], ...]


class FieldEntries(Part):
    """Declared fields of the world, of each agent, of each cell and of each thing."""

    world: Fields = ()
    agent: Fields = ()
    cell: Fields = ()
    thing: Fields = ()


Length = Annotated[int, Field(ge=1, le=MOST_ITEMS)] | Literal["height", "width", "agents", "things"]


class ObservationEntry(Part):
    """An array of an agent's observation, filled by an array rule.

    A length of the shape is a number, or `height`, `width`, `agents` or `things` (their capacity) for that of the world. Types are
    `bool` (0 and 1, as uint8), `uint8`, `int` (int64) and `float` (float64); `low` and `high` are the bounds in the space of
    observations.

    Example:
        {name: hand, shape: [4, 21], type: bool, fill: my_hand}
        {name: heights, shape: [height, width], type: uint8, high: 9, fill: 'terrain:heights'}
    """

    name: Word
    shape: Annotated[tuple[Length, ...], Field(min_length=1)]
    type: Literal["bool", "uint8", "int", "float"] = "float"
    low: int | float | None = None
    high: int | float | None = None
    fill: Entry

    @model_validator(mode="after")
    def _fits(self) -> ObservationEntry:
        if self.name in TAKEN_NAMES:
            raise ValueError(f"{self.name!r} is the name of an array of a representation")
        least, most = BOUNDS[self.type]
        low, high = self.bounds
        if self.type == "bool" and (self.low, self.high) != (None, None):
            raise ValueError("an array of type bool has no bounds of its own")
        if self.type != "float" and any(isinstance(n, float) for n in (self.low, self.high)):
            raise ValueError(f"the bounds of {self.type} are whole numbers")
        if not least <= low < high <= most:
            raise ValueError(
                f"the bounds of {self.type} are from {least} to {most}, the lower first; got {low}, {high}"
            )
        return self

    @property
    def bounds(self) -> tuple[int | float, int | float]:
        """The lowest and the highest number of an item."""
        low, high = BOUNDS[self.type]
        return low if self.low is None else self.low, high if self.high is None else self.high


class PlacedEntry(Entry):
    """A thing that lies somewhere at the beginning: an object, and the row and column of its cell.

    `fields` are the values of declared fields of things with which it begins, where they are not the defaults.

    Example:
        {name: Door, status: CLOSED, color: RED, at: [4, 2]}
    """

    at: Place
    fields: dict[Word, bool | int | float] = Field(default_factory=dict)

    @property
    def object(self) -> Entry:
        """The object alone."""
        return Entry.model_validate({"name": self.name, **self.parameters})

    def plain(self) -> Any:
        """A mapping with the object, its place and its fields."""
        fields = {"fields": dict(self.fields)} if self.fields else {}
        return {"name": self.name, **thaw(self.parameters), "at": list(self.at), **fields}


class ThingsEntry(Part):
    """Things: objects with an identity, any number in a cell, which agents carry. Just a number for the capacity.

    `capacity` is how many there can be, `carried` how many an agent can carry. `kinds` are those that maps put into the
    world as things. `placed` are things that every episode begins with: the first has the number 0, if no map and no reset
    rule adds things.

    Example:
        {capacity: 12, kinds: [Block], carried: 3}
        {capacity: 2, placed: [{name: Block, color: RED, at: [1, 5]}]}
    """

    capacity: Annotated[int, Field(ge=1, le=MOST_THINGS)]
    kinds: tuple[Name, ...] = ()
    carried: Annotated[int, Field(ge=1, le=MOST_THINGS)] = 1
    placed: tuple[PlacedEntry, ...] = ()

    @model_validator(mode="after")
    def _fits(self) -> ThingsEntry:
        if len(self.placed) > self.capacity:
            raise ValueError(f"{len(self.placed)} things are placed, but there is room for {self.capacity}")
        return self

    def plain(self) -> Any:
        """The capacity, or a mapping."""
        given = super().plain()
        return self.capacity if set(given) == {"capacity"} else given


class AgentEntry(Part):
    """An agent: its name, its start (default: as set by the reset rule), its actions (default: all).

    With `body: false` it is a player without a body: it has no position, is not drawn, and meets nobody. `fields` are the
    values of declared fields of agents with which it begins, where they are not the defaults.
    """

    name: Word | None = None
    start: Place | None = None
    orientation: Heading | None = None
    actions: tuple[Name, ...] | None = None
    body: bool = True
    fields: dict[Word, bool | int | float] = Field(default_factory=dict)


class Drawn(Part):
    """The meaning of a character of a picture: an object (`name`, ...), an agent (`agent`, `orientation`), or one on the other."""

    name: Name | None = None
    status: str | None = None
    color: str | None = None
    content: Entry | None = None
    agent: Annotated[int, Field(ge=0)] | None = None
    orientation: Heading = "FORWARD"

    def plain(self) -> Any:
        """The name, or a mapping."""
        given = super().plain()
        return self.name if set(given) == {"name"} else given


Legend = dict[
    Annotated[str, Field(min_length=1, max_length=1)], Annotated[Drawn, BeforeValidator(_short("name"))]
]


XSB = {
    "_": {"name": "Floor"},
    "$": {"name": "Crate", "status": "LOOSE"},
    "*": {"name": "Crate", "status": "STORED"},
    ".": {"name": "Goal"},
    "@": {"agent": 0},
    "+": {"agent": 0, "name": "Goal"},
}
"""What characters mean in levels of Sokoban, but for the wall (https://www.sokobano.de/wiki/index.php?title=Level_format)."""


class MapEntry(Part):
    """A picture of the world, a character for each cell. Agents that it does not show start at random positions.

    Of several maps, a legend also applies to the following maps, unless theirs override it. With `format: xsb` the picture is a
    level of Sokoban: its characters need no legend, floor is a space, - or _, and rows may end early.
    """

    format: Literal["xsb"] | None = None
    picture: str
    legend: Legend = Field(default_factory=dict)
    scattered: tuple[Entry, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        """A level of Sokoban as a picture and a legend like any other."""
        if (
            not isinstance(data, Mapping)
            or data.get("format") != "xsb"
            or not isinstance(data.get("picture"), str)
        ):
            return data
        rows = data["picture"].strip("\n").split("\n")
        width = max(len(row.rstrip()) for row in rows)
        level = "\n".join(row.rstrip().replace(" ", "_").replace("-", "_").ljust(width, "_") for row in rows)
        others = {key: part for key, part in data.items() if key != "format"}
        return {**others, "picture": level, "legend": {**XSB, **others.get("legend", {})}}


PLANES, SENSORS, OBSERVATIONS = "planes", "sensors", "observations"
WITHOUT_CELLS = (SENSORS, OBSERVATIONS)
"""The representations of agents that perceive only their sensors' measurements, or the world's own arrays."""


ARRAYS = {
    "grid": "kind, status and color of each cell",
    "item": "what the agent holds",
    "agent_id_grid": "1 where it is, 2 to 5 where others are, by their heading",
    "walls": "1 where a wall is to the right of a cell, 2 where one is below it, 3 where both are",
    "fields": "declared numbers of the world and of the agent, or its pose",
}
"""The contents of the arrays of the representation "default"; `fields` only where a world asks for them."""
REPRESENTATIONS = {
    "default": f"`grid` uint8[h, w, 3]: {ARRAYS['grid']}; `item` uint8[3]: {ARRAYS['item']}; "
    f"`agent_id_grid` uint8[h, w]: {ARRAYS['agent_id_grid']}",
    "no-overlap": "as `default`, with numbers that differ between the three channels",
    "compact": "as `default`, numbered without gaps",
    "symbolic": "`grid` uint8[h, w, channels] of zeros and ones, `item` likewise",
    "rgb": "`image` uint8[h * tile, w * tile, 3]: pixels, `tile` of them per side of a cell",
    PLANES: "`planes` uint8[h, w, agents]: 1 where pieces are, first the agent's own, then those of who comes after it, and so on; "
    "a piece's status is its player",
    SENSORS: "only the measurements of the world's sensors: `sensors` float64[sensors]",
    OBSERVATIONS: "only the arrays that the world declares under `observations`",
}
"""The names of representations, with the arrays they consist of."""
POSE = ("position", "orientation")
"""What representations can include, like declared fields, of every agent."""


class RepresentationEntry(Part):
    """The representation of observations as arrays.

    `tile` is the side of a cell in pixels, for `rgb`. `fields` are declared fields of the world and of the agent to
    include; `position` (y, x) and `orientation` are those of the agent in the world. `sensors` includes the
    measurements of the world's sensors; the name `sensors` stands for these alone, and `observations` for the arrays that the
    world declares itself.
    """

    name: Literal[
        "default", "no-overlap", "compact", "symbolic", "rgb", "planes", "sensors", "observations"
    ] = "default"
    tile: Annotated[int, Field(ge=1, le=128)] = 8
    fields: tuple[Word, ...] = ()
    sensors: bool = False

    @property
    def shows_sensors(self) -> bool:
        """Whether agents perceive the world's sensors."""
        return self.sensors or self.name == SENSORS

    def plain(self) -> Any:
        """The name, or a mapping."""
        more = {key: part for key, part in super().plain().items() if key != "name"}
        return {"name": self.name, **more} if more else self.name


Colors = tuple[Annotated[ColorEntry, BeforeValidator(_short("name"))], ...]
Actions = tuple[Annotated[ActionEntry, BeforeValidator(_short("name"))], ...]
Things = Annotated[ThingsEntry, BeforeValidator(_short("capacity", int))]
Representation = Annotated[RepresentationEntry, BeforeValidator(_short("name"))]
PARTS: dict[str | int, type[Part]] = {
    "colors": ColorEntry,
    "actions": ActionEntry,
    "fields": FieldEntries,
    "world": FieldEntry,
    "agent": FieldEntry,
    "cell": FieldEntry,
    "thing": FieldEntry,
    "things": ThingsEntry,
    "placed": PlacedEntry,
    "observations": ObservationEntry,
    "agents": AgentEntry,
    "map": MapEntry,
    "maps": MapEntry,
    "legend": Drawn,
    "representation": RepresentationEntry,
}
ORIENTATIONS = {o.name: o for o in Orientation}


def problems_in(error: ValidationError, path: Path = (), whole: type[BaseModel] = Entry) -> list[Problem]:
    """Convert pydantic's errors to problems with this library's messages."""
    problems: dict[Path, Problem] = {}
    for found in error.errors():
        for problem in _problems(dict(found), path, whole):
            if (
                found["type"] != "int_type" or problem.path not in problems
            ):  # a union's words are told instead
                problems[problem.path] = problem  # of a union's, the last
    return list(problems.values())


def _problems(found: dict[str, Any], prefix: Path, whole: type[BaseModel]) -> list[Problem]:
    place = tuple(p for p in found["loc"] if p not in _UNION_MEMBERS)
    context, kind = found.get("ctx", {}), found["type"]
    inner = context.get("error")
    if isinstance(inner, DescriptionError):
        return [Problem((*prefix, *place, *p.path), p.message) for p in inner.problems]
    if kind == "extra_forbidden":
        allowed = _model_at(place[:-1], whole).model_fields
        return [Problem((*prefix, *place), f"unknown key {place[-1]!r}; {suggest(place[-1], allowed)}")]
    if kind == "missing":
        what = f"entry {place[-1]}" if isinstance(place[-1], int) else repr(place[-1])
        return [Problem((*prefix, *place[:-1]), f"{what} is missing")]
    return [Problem((*prefix, *place), _words(kind, context, found))]


_UNION_MEMBERS = (
    "bool",
    "int",
    "float",
    "literal['cells','rows','columns','agents','things']",
    "literal['height','width','agents','things']",
    "constrained-int",
)


def _model_at(place: Path, whole: type[BaseModel]) -> type[BaseModel]:
    for part in place:
        whole = PARTS.get(part, whole)
    return whole


def _words(kind: str, context: dict[str, Any], found: dict[str, Any]) -> str:
    shown = repr(found["input"])
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    kinds = {
        "bool_type": "true or false is expected",
        "int_type": "a whole number is expected",
        "float_type": "a number is expected",
        "string_type": "a text is expected",
        "tuple_type": "a list is expected",
        "dict_type": "a mapping is expected",
        "model_type": "a name or a mapping is expected",
        "string_too_short": "a longer text is expected",
        "string_pattern_mismatch": "letters, digits and underscores are expected (names also take . and -)",
    }
    if kind in kinds:
        return f"{kinds[kind]}, not {shown}"
    if kind == "literal_error":
        return f"{shown} is not among: {context['expected'].replace(chr(39), '').replace(' or ', ', ')}"
    if kind in ("too_short", "too_long"):
        wanted = context.get("min_length" if kind == "too_short" else "max_length")
        return f"{'at least' if kind == 'too_short' else 'at most'} {wanted} needed, got {context['actual_length']}"
    text = str(found["msg"]).removeprefix("Value error, ").removeprefix("Input ")
    return text if isinstance(found["input"], Mapping) else f"{text}, got {shown}"
