"""The description of a world: immutable plain data with validated types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationError, model_validator

from gridarium.world.actions import NAMES
from gridarium.world.vocabulary import Board
from gridarium.worlds.entries.entry_types import (
    MOST_SIDE,
    ActionEntry,
    Actions,
    AgentEntry,
    Colors,
    Entry,
    FieldEntries,
    MapEntry,
    ModuleName,
    Name,
    ObservationEntry,
    Part,
    Representation,
    RepresentationEntry,
    Things,
    problems_in,
)
from gridarium.worlds.entries.plain_data import freeze
from gridarium.worlds.entries.problems import Collector, DescriptionError, Path
from gridarium.worlds.files import gridverse, text_maps, yaml_io
from gridarium.worlds.missions import check_mission

Label = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=100)]
Side = Annotated[int, Field(ge=1, le=MOST_SIDE)]
MAX_AGENTS = 255
MOST_OBSERVATIONS = 16
DEFAULT_ACTIONS = tuple(ActionEntry(name=name) for name in NAMES[:8])
DEFAULT_OBSERVATION = Entry.model_validate({"name": "partially_occluded", "area": ((-6, 0), (-3, 3))})


def _as_agents(data: Any) -> Any:
    if isinstance(data, int) and not isinstance(data, bool):
        if not 1 <= data <= MAX_AGENTS:
            raise ValueError(f"1 to {MAX_AGENTS} agents are possible")
        return ({},) * data
    return data


class Description(Part):
    """A world as plain data. Create one with `load`, `loads` or `Description.from_dict`.

    Attributes: see the descriptions of the fields; `gridarium.worlds.json_schema()` lists them for editors.
    """

    name: Label = Field(default="unnamed", description="The world's name, such as KeyDoor-9x9.")
    version: Annotated[int, Field(ge=0)] = Field(default=0, description="Increased when results change.")
    aliases: tuple[Label, ...] = Field(default=(), description="Other names, such as gym-gridverse's.")
    description: str = Field(default="", description="A human-readable summary of the world.")
    mission: str = Field(
        default="",
        description="The agent's task, in words; {target} is replaced by the target object, {name} by the world's field of that name.",
    )
    source: str = Field(default="", description="The origin of the world: a paper or a system.")
    differences: str = Field(default="", description="How the world differs from its source.")
    shape: tuple[Side, Side] | None = Field(
        default=None,
        description="Height and width; a map determines them itself, and a world of agents without a body needs none.",
    )
    board: Board = Field(
        default="cells",
        description="What pictures show under the objects: floor, or the board of a game. "
        "kuhn_poker, leduc_poker, hands and payoffs show the fields of these games, which have no grid.",
    )
    modules: tuple[ModuleName, ...] = Field(
        default=(), description="Python modules whose rules and kinds are named without `module:`."
    )
    edges: bool = Field(default=False, description="Whether walls can stand between cells.")
    objects: tuple[Name, ...] = Field(min_length=1, description="The kinds of objects, including Floor.")
    colors: Colors = Field(default=(), description="The colors; NONE is always included.")
    fields: FieldEntries = Field(default=FieldEntries(), description="Declared numbers.")
    things: Things | None = Field(default=None, description="Objects with an identity, which agents carry.")
    actions: Actions = Field(default=DEFAULT_ACTIONS, min_length=1, description="The actions, in order.")
    agents: Annotated[tuple[AgentEntry, ...], BeforeValidator(_as_agents)] = Field(
        default=(AgentEntry(),),
        min_length=1,
        max_length=MAX_AGENTS,
        description="The number of agents, or a list of them.",
    )
    turn_order: Literal["all", "cycle", "rotating", "chosen"] = Field(
        default="all",
        description="The agents that act in a tick: all; one after another, unless a rule sets state.turn (cycle); all, the "
        "first one rotating; those in state.acting, which rules edit (chosen).",
    )
    conflicts: Literal["order", "random", "nobody"] = Field(
        default="order",
        description="The agent that gets a contested cell: the first in order, a random one, or none.",
    )
    reset: Entry | None = Field(
        default=None, description="The rule that fills the world; alternatively, give a map."
    )
    map: MapEntry | None = Field(default=None, description="A picture of the world, instead of a reset rule.")
    maps: tuple[MapEntry, ...] = Field(
        default=(), description="Pictures of the same size; each episode uses one of them, drawn at random."
    )
    map_number: Annotated[int, Field(ge=0)] | None = Field(
        default=None, description="The index of the map for all episodes, counted from 0."
    )
    after_reset: tuple[Entry, ...] = Field(
        default=(),
        description="Reset rules that change, in order, what the reset rule or map, placed things and starts have set up.",
    )
    transitions: tuple[Entry, ...] = Field(min_length=1, description="The transition rules, in order.")
    legal: tuple[Entry, ...] = Field(
        default=(), description="The legal rules; an action is legal if all of them allow it."
    )
    illegal: Literal["ignore", "attempt", "refuse", "lose"] = Field(
        default="ignore",
        description="What an illegal action does: nothing, and the turn stays (ignore); what the transition rules make of it "
        "(attempt); an error (refuse); the agent is out (lose).",
    )
    rewards: tuple[Entry, ...] = Field(default=(), description="The reward rules; the reward is their sum.")
    rewards_to: Literal["each", "team"] = Field(
        default="each", description="Whether each agent gets its own reward, or all get the sum."
    )
    terminations: tuple[Entry, ...] = Field(
        default=(), description="The episode ends when any of these rules holds."
    )
    episode_ends: Literal["any_agent", "all_agents"] = Field(
        default="any_agent",
        description="Whether the episode ends when a rule holds for any agent, or for all agents.",
    )
    outcome: Entry | None = Field(
        default=None,
        description="The outcome rule: what came of an episode for each agent; by default its return.",
    )
    time_limit: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="The maximum number of ticks of an episode."
    )
    observation: Entry = Field(default=DEFAULT_OBSERVATION, description="The observation rule.")
    observers: Literal["all", "acting"] = Field(
        default="all",
        description="The agents whose observations a step of a batch returns: all, or the one that acts next.",
    )
    sensors: tuple[Entry, ...] = Field(
        default=(), description="The sensors of agents, besides their observations."
    )
    observations: tuple[ObservationEntry, ...] = Field(
        default=(),
        max_length=MOST_OBSERVATIONS,
        description="Arrays of observations that array rules fill, besides those of the representation.",
    )
    representation: Representation = Field(
        default=RepresentationEntry(), description="How observations become arrays."
    )

    _document: yaml_io.Document = PrivateAttr(default=yaml_io.Document(None))
    _only_here: dict[str, str] = PrivateAttr(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, document: yaml_io.Document | None = None) -> Description:
        """Create a description from plain data, as returned by `to_dict`.

        Args:
            data: keys as in a world's file, or in one of gym-gridverse's.
            document: the source of the data, so that errors can give line numbers.

        Raises:
            DescriptionError: the data is invalid; lists all problems.
        """
        origin = document or yaml_io.Document(None)
        try:
            plain = _plain(data)
            if gridverse.is_gridverse(plain):
                required = [key for key, field in cls.model_fields.items() if field.is_required()]
                translated = gridverse.translate(replace(origin, data=plain), required)
                origin, plain = replace(translated, data=origin.data), _plain(translated.data)
            made = cls._validated(plain)
        except DescriptionError as error:
            raise origin.with_lines(error) from error.__cause__
        made._document = origin
        return made

    @classmethod
    def _validated(cls, plain: dict[str, Any]) -> Description:
        try:
            return cls.model_validate(plain)
        except ValidationError as error:
            raise DescriptionError(problems_in(error, whole=cls)) from error

    def with_changes(self, data: Mapping[str, Any], only_here: Mapping[str, str]) -> Description:
        """Create another description with the same origin.

        Args:
            data: as for `from_dict`.
            only_here: further names that have a meaning in this program only (see `keep_from_files`).

        Raises:
            DescriptionError: the data is invalid; lists all problems.
        """
        origin = yaml_io.Document(None, self.origin.source, trusted=self.origin.trusted)
        made = self.from_dict(data, document=origin)
        made.keep_from_files({**self._only_here, **only_here})
        return made

    def trusted(self) -> Description:
        """Create a copy that may import modules, also where it is changed."""
        made = self.model_copy()
        made._document = replace(self.origin, trusted=True)
        return made

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data, from which `from_dict` restores an equal description; defaults are omitted."""
        plain: dict[str, Any] = self.plain()
        return plain

    def to_yaml(self) -> str:
        """The description as the text of a world's file.

        Raises:
            DescriptionError: it contains functions or classes that a file cannot name; the message says which, and what
                to do about it.
        """
        data, problems = self.to_dict(), Collector()
        for path, text in _texts_in(data, ()):
            if text in self._only_here:
                problems.add(path, f"{text} cannot be written to a file: {self._only_here[text]}")
        problems.raise_if_any()
        return yaml_io.dump(data)

    def keep_from_files(self, names: Mapping[str, str]) -> None:
        """Mark names that only have a meaning in this program, with the reason; they cannot be written to files."""
        self._only_here = dict(names)

    def plain(self) -> dict[str, Any]:
        """See `to_dict`."""
        given: dict[str, Any] = super().plain()
        if "agents" in given and not any(given["agents"]):
            given["agents"] = len(given["agents"])
        return given

    @property
    def extent(self) -> tuple[int, int]:
        """Height and width, from `shape` or the map's picture; a single cell for a world without either."""
        if self.shape is not None:
            return self.shape
        if not self.pictures:
            return 1, 1
        path, first = self.pictures[0]
        return text_maps.extent(first.picture, self.edges, path)

    @property
    def pictures(self) -> tuple[tuple[Path, MapEntry], ...]:
        """The maps, each with its path in the description."""
        if self.map is not None:
            return ((("map",), self.map),)
        return tuple((("maps", i), entry) for i, entry in enumerate(self.maps))

    @property
    def origin(self) -> yaml_io.Document:
        """The source of the description; its data is None if it was not read from a file or text."""
        return self._document

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Description) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.name, self.version, self.objects))

    @model_validator(mode="before")
    @classmethod
    def _with_defaults_for_players(cls, data: Any) -> Any:
        """Where no agent has a body, the world begins blank and is observed as a whole, unless given otherwise."""
        agents = data.get("agents") if isinstance(data, Mapping) else None
        if not isinstance(agents, tuple) or not agents:
            return data
        if not all(isinstance(agent, Mapping) and agent.get("body") is False for agent in agents):
            return data
        blank = {} if any(data.get(key) for key in ("reset", "map", "maps")) else {"reset": {"name": "blank"}}
        return {"observation": {"name": "full_grid"}, **data, **blank}

    @model_validator(mode="after")
    def _consistent(self) -> Description:
        problems = Collector()
        self._check_layout(problems)
        self._check_names(problems)
        self._check_agents(problems)
        problems.raise_if_any()
        return self

    def _check_layout(self, problems: Collector) -> None:
        given = [key for key in ("reset", "map", "maps") if getattr(self, key)]
        if len(given) != 1:
            both = f"{' and '.join(given)} are given" if given else "none is given"
            place = given[1:2]
            problems.add((*place,), f"a world has a 'reset' rule, a 'map' or 'maps'; {both}")
        elif self.reset is not None and self.shape is None and any(agent.body for agent in self.agents):
            problems.add((), "'shape' is missing: the height and width of the world")
        for path, entry in self.pictures if len(given) == 1 else ():
            with problems:
                drawn = text_maps.extent(entry.picture, self.edges, path)
                if self.shape not in (None, drawn):
                    height, width = drawn
                    problems.add(("shape",), f"the map's picture is {height} x {width}; leave 'shape' out")
                elif drawn != self.extent:
                    sizes = "{} x {}, the first one {} x {}".format(*drawn, *self.extent)
                    problems.add((*path, "picture"), f"all maps have one size; this one is {sizes}")
        if self.map_number is not None and self.map_number >= len(self.maps):
            there = f"0 to {len(self.maps) - 1}" if self.maps else "no 'maps' to choose from"
            problems.add(("map_number",), f"there is no map {self.map_number}; there are {there}")

    def _check_names(self, problems: Collector) -> None:
        try:
            check_mission(self.mission, [field.name for field in self.fields.world])
        except ValueError as error:
            problems.add(("mission",), str(error))
        _unique(problems, ("objects",), [o.rpartition(":")[2] for o in self.objects])
        for key in ("colors", "actions", "agents", "observations"):
            _unique(problems, (key,), [part.name for part in getattr(self, key)], "name")
        for part in ("world", "agent", "cell", "thing"):
            _unique(problems, ("fields", part), [field.name for field in getattr(self.fields, part)], "name")
        for i, color in enumerate(self.colors):
            if color.rgb is None and color.mark != "?":
                problems.add(("colors", i), "a new color needs 'rgb' as well")

    def _check_agents(self, problems: Collector) -> None:
        names = [action.name for action in self.actions]
        for i, agent in enumerate(self.agents):
            for j, action in enumerate(agent.actions or ()):
                if action not in names:
                    listed = ", ".join(names)
                    problems.add(
                        ("agents", i, "actions", j), f"{action!r} is not among the world's actions: {listed}"
                    )
            if agent.actions == ():
                problems.add(("agents", i, "actions"), "an agent needs at least one action")
            if not agent.body and (agent.start or agent.orientation) is not None:
                problems.add(("agents", i), "an agent without a body has no 'start' and no 'orientation'")
            elif agent.start is not None and not problems.found:
                height, width = self.extent
                if not (0 <= agent.start[0] < height and 0 <= agent.start[1] < width):
                    problems.add(("agents", i, "start"), f"outside the grid of {height} x {width}")


def _plain(data: Any) -> dict[str, Any]:
    """A copy of plain data, with tuples for lists."""
    problems = Collector()
    copied = freeze(data, problems)
    if not isinstance(copied, dict):
        problems.add((), f"a description must be a mapping, not a {type(data).__name__}")
    problems.raise_if_any()
    return copied  # type: ignore[no-any-return]


def _texts_in(data: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """All strings in plain data, with their paths."""
    if isinstance(data, str):
        yield path, data
    elif isinstance(data, Mapping | list):
        for key, part in data.items() if isinstance(data, Mapping) else enumerate(data):
            yield from _texts_in(part, (*path, key))


def _unique(problems: Collector, path: tuple[str, ...], names: list[Any], key: str = "") -> None:
    for i, name in enumerate(names):
        if name is not None and name in names[:i]:
            problems.add((*path, i, *([key] if key else [])), f"{name} is listed twice")
