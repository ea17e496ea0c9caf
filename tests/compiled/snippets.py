"""What a rule may use: small rules, one for each thing that Python offers, that compile or are refused.

`test_what_a_rule_may_use` runs all of them; docs/what-a-rule-may-use.md is written from them.
"""

import enum
import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.data_types.vectors import new_integers
from gridarium.world import (
    Action,
    Ball,
    Box,
    Color,
    Door,
    Exit,
    Floor,
    GridObject,
    Key,
    NoneGridObject,
    Orientation,
    Position,
    Wall,
    get_next_position,
)
from gridarium.world.things import Thing


@dataclass(frozen=True)
class Snippet:
    """A rule, what it shows, and why it is refused if it is."""

    section: str
    remark: str
    rule: Callable[..., Any]
    helpers: tuple[Any, ...] = ()
    refused: str = ""


SNIPPETS: list[Snippet] = []


def may(section: str, remark: str, *helpers: Any) -> Callable[[Any], Any]:
    """The rule below compiles, and gives the same as interpreted."""

    def add(rule: Any) -> Any:
        SNIPPETS.append(Snippet(section, remark, rule, helpers))
        return rule

    return add


def may_not(section: str, remark: str, reason: str, *helpers: Any) -> Callable[[Any], Any]:
    """The rule below runs interpreted only, for a reason."""

    def add(rule: Any) -> Any:
        SNIPPETS.append(Snippet(section, remark, rule, helpers, reason))
        return rule

    return add


WORLD = "Reading and changing the world"
CONTROL = "Control flow"
LOOPS = "Loops and sequences"
NUMBERS = "Numbers"
FUNCTIONS = "Functions, constants and classes"
ERRORS = "Errors"
LUCK = "Chance"
MEMORY = "Memory"


# Reading and changing the world

SOLID = Wall | Exit


@may(WORLD, "`isinstance` takes a kind, several, or kinds joined by `|`. Subclasses count.")
def kinds(state, action, next_state):
    thing = state.grid[state.agent.position]
    solid = isinstance(thing, Wall | Door) + isinstance(thing, SOLID)
    return isinstance(thing, Floor) + 2 * isinstance(thing, (Key, Ball)) + 4 * solid


@may(
    WORLD, "Kinds, also several, may be given to a function, and be the default of a parameter.", "are_there"
)
def kinds_for_a_function(state, action, next_state):
    return are_there(state.grid) + 2 * are_there(state.grid, Key | Ball) + 4 * are_there(state.grid, (Box,))


def are_there(grid, kinds=Door | Wall):
    return any(isinstance(grid[p], kinds) for p in grid.positions())


@may(
    WORLD,
    "Objects have `status`, `color`, `content` and the flags of their kind; statuses and colors compare.",
)
def look_ahead(state, action, next_state):
    if not state.grid.contains(state.agent.front()):
        return -1
    thing = state.grid[state.agent.front()]
    if isinstance(thing, Door) and thing.status == Door.Status.LOCKED and thing.color is Color.YELLOW:
        return 1
    return 2 if thing.holdable or thing.blocks_movement != thing.blocks_vision else 3


@may(
    WORLD,
    "Properties and constants of your own kinds, each object's own (an `AttributeError` for kinds that lack them).",
    "Lantern",
)
def glow(state, action, next_state):
    light = 0.0
    for p in state.grid.positions():
        if isinstance(state.grid[p], Lantern):
            light += state.grid[p].reach if state.grid[p].is_lit else 0.5
    return light


class Lantern(GridObject, register=False):
    class Status(enum.IntEnum):
        OUT = 0
        LIT = 1

    reach = 3

    @property
    def is_lit(self):
        return self.status is Lantern.Status.LIT


@may(
    WORLD,
    "`content` is what a box holds; anything else holds `NoneGridObject()`, like an agent's empty hands.",
)
def keys_in_boxes(state, action, next_state):
    contents = sum(isinstance(state.grid[p].content, Key) for p in state.grid.positions())
    return contents + 100 * (state.grid[state.agent.position].content == NoneGridObject())


@may(
    WORLD,
    "A cell is changed by putting an object into it. Objects are values: they are not changed, but replaced.",
)
def open_doors(state, action):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Door):
            state.grid[p] = Door(Door.Status.OPEN, state.grid[p].color)
        elif isinstance(state.grid[p], Box):
            state.grid[p] = state.grid[p].content


@may(
    WORLD,
    "A status, or a member of another `enum.IntEnum`, by its number (a `ValueError` where there is none).",
)
def doors_at_random(state, action, *, rng):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Door):
            state.grid[p] = Door(Door.Status(rng.integers(3)), state.grid[p].color)


@may(WORLD, "Agents are changed by assigning to them, also under a name of their own.")
def about_face(state, action):
    agent = state.agent
    agent.orientation = agent.orientation * Orientation.BACKWARD
    if isinstance(agent.grid_object, NoneGridObject):
        agent.grid_object = Key(Color.RED)
    elif state.grid.contains(agent.front()):
        agent.position = agent.front()


@may(WORLD, "Declared fields of the world, of agents and of cells are read and assigned like anything else.")
def tire(state, action):
    state.agent.energy -= 1
    state.heat += 0.5 * state.agent.energy
    state.grid.set_number("scent", state.agent.position, state.heat)


@may(WORLD, "Actions and orientations compare with `==`, `!=`, `is` and `in`.")
def chosen(state, action, next_state):
    if action is Action.TURN_LEFT or action in (Action.MOVE_LEFT, Action.ACTUATE):
        return 1
    return 2 if action != Action.WAIT and state.agent.orientation == Orientation.LEFT else 3


@may(WORLD, "Actions, orientations and colors by their names, also by those of actions of your own.")
def by_name(state, action, next_state):
    if action == Action["WAIT"] or state.agent.orientation == Orientation["LEFT"]:
        return 1
    return 2 if state.grid[state.agent.position].color == Color["YELLOW"] else 3


@may(WORLD, "States, grids and agents compare too, and anything but an array with `None`.")
def unchanged(state, action, next_state):
    same = state.agent == next_state.agent or state.grid == next_state.grid
    return same and state.agent.position != None and action is not None  # noqa: E711


@may(
    WORLD, "Positions add and subtract; `state.blocked(p)` and `state.can_step(p, q)` ask what is in the way."
)
def crowded(state, action, next_state):
    ahead = get_next_position(state.agent.position, state.agent.orientation, Action.MOVE_FORWARD)
    behind = state.agent.position + (state.agent.position - ahead)
    return state.blocked(ahead) + 2 * state.can_step(state.agent.position, behind)


@may(WORLD, "Outside the grid there is an `IndexError`, below zero as well.")
def too_far(state, action, next_state):
    return isinstance(state.grid[state.agent.position.y - 1, -1], Wall)


@may(WORLD, "`state.agents` are all agents; `state.seen_by(i)` is the state from the point of view of one.")
def alone(state, action, next_state):
    others = sum(agent.active for agent in state.agents)
    return others == 1 and len(state.agents) == 1 and state.seen_by(0).agent == state.agents[0]


@may_not(
    WORLD,
    "A field that is not declared cannot be assigned (interpreted, this raises).",
    "agent.hunger is not known",
)
def undeclared(state, action):
    state.agent.hunger = 3


@may_not(
    WORLD,
    "A misspelt attribute.",
    "GridObject has no attribute 'blocks_movment'; did you mean blocks_movement",
)
def misspelt(state, action, next_state):
    return state.grid[state.agent.position].blocks_movment


@may_not(WORLD, "A method of your own kind: write a function.", "GridObject has no attribute 'lit'")
def relight(state, action):
    if isinstance(state.grid[0, 0], Lantern):
        state.grid[0, 0] = state.grid[0, 0].lit()


@may_not(
    WORLD,
    "The truth of a color, or a color as a number: compare it with a color.",
    "colors and members of an enum can be compared with their like",
)
def colored(state, action, next_state):
    return 1 if state.grid[state.agent.position].color else 2


# Control flow


@may(
    CONTROL, "`if`, `elif`, `else`, `while`, `break`, `continue`, early `return`, and conditions on one line."
)
def climb(state, action, next_state):
    p = state.agent.position
    while p.y > 0:
        if state.grid[p].blocks_vision:
            break
        p = Position(p.y - 1, p.x)
        if p.x == 3:
            continue
    return 0 if p.y == 0 else p.y


@may(CONTROL, "Chained comparisons; `and`, `or`, `not`.")
def inside(state, action, next_state):
    p = state.agent.position
    return 0 < p.y < state.grid.height - 1 and not (p.x == 0 or p.x == state.grid.width - 1)


@may(CONTROL, "`match` on numbers.")
def direction(state, action, next_state):
    match action.value:
        case 0 | 1:
            return 1
        case 4:
            return 2
        case _:
            return 3


@may(CONTROL, "An assignment in the condition of an `if`.")
def named(state, action, next_state):
    if (distance := state.agent.position.y) > 2:
        return distance
    return -1


@may_not(
    CONTROL, "The same where it may not happen, or in a `while`.", r"an assignment \(:=\) that may not happen"
)
def perhaps_named(state, action, next_state):
    if state.agent.active and (distance := state.agent.position.y) > 2:
        return distance
    return -1


@may_not(
    CONTROL,
    "The same behind something that it may depend on, such as another draw.",
    "make it a statement of its own",
)
def drawn_first(state, action, next_state, *, rng):
    if rng.random() < (chance := rng.random()):
        return chance
    return -1


@may_not(
    CONTROL, "A variable that is not set on every path to where it is read.", "first may not be set here"
)
def perhaps_set(state, action, next_state):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Key):
            first = p.y
    return first


@may_not(CONTROL, "`try` and `with`: ask before you act.", "try/except cannot be compiled")
def attempt(state, action, next_state):
    try:
        return state.grid[9, 9].blocks_vision
    except IndexError:
        return False


# Loops and sequences


@may(LOOPS, "`for` over `range`, `enumerate`, `zip`, positions, areas, agents, orientations.")
def count_up(state, action, next_state):
    total = 0
    for i, y in enumerate(range(2, state.grid.height)):
        total += i * y
    for y, x in zip(range(3), range(4, 7), strict=False):
        total += y * x
    for p in state.grid.area.positions("border"):
        total += p.x
    for o in Orientation:
        if o == Orientation.RIGHT:
            continue
        total += o.quarter_turns
    return total


@may(LOOPS, "`any`, `all`, `sum`, `min`, `max` and `next` over a generator expression.")
def survey(state, action, next_state):
    walls = sum(isinstance(state.grid[p], Wall) for p in state.grid.positions())
    exits = any(isinstance(state.grid[p], Exit) for p in state.grid.positions())
    lowest = max(p.y for p in state.grid.positions() if state.grid[p].holdable or p.y == 0)
    first = next((p.x for p in state.grid.positions() if isinstance(state.grid[p], Key)), -1)
    return walls + exits + lowest + first


@may(
    LOOPS,
    "`start` of a sum; `default` and `key` of `min` and `max`, the key a function at the top of a file.",
    "from_the_middle",
)
def farthest(state, action, next_state):
    far = max((p for p in state.grid.positions()), key=from_the_middle)
    row = min((p.y for p in state.grid.positions() if isinstance(state.grid[p], Key)), default=-1)
    return sum((p.y for p in state.grid.positions()), 10) + far.x + row


def from_the_middle(p):
    return abs(p.y - 2) + abs(p.x - 2)


@may(LOOPS, "A kind as an argument, or None for all.")
def counted(state, action, next_state):
    return count_of(state.grid) + 100 * count_of(state.grid, Wall)


def count_of(grid, kind=None):
    return sum(kind is None or isinstance(grid[p], kind) for p in grid.positions())


@may(LOOPS, "`in` and `not in` a range of whole numbers.")
def is_inside(state, action, next_state):
    here = state.agent.position
    return 1.0 if here.y in range(1, state.grid.height - 1) and here.x not in range(0, 4, 2) else 0.0


@may(LOOPS, "`in` and `not in` a written-out set, list or tuple.")
def corner(state, action, next_state):
    p = state.agent.position
    return p.y in {0, 4} and p.x not in [1, 2, 3]


@may(LOOPS, "Tuples, and taking them apart; shapes and positions can be taken apart as well.")
def apart(state, action, next_state):
    height, width = state.grid.shape
    y, x = state.agent.position.yx
    nearest = (height - y, 0) if height - y < width - x else (width - x, 1)
    return nearest[0] + 10 * nearest[1]


@may(LOOPS, "`None` for nothing found.")
def last_key(state, action, next_state):
    found = None
    for p in state.grid.positions():
        if isinstance(state.grid[p], Key):
            found = p
    return found is not None and state.grid[found].color == Color.YELLOW


@may(
    LOOPS,
    "What may be `None` is compared by `==`, and computed with where it is not; `in` looks for it among whole numbers, places "
    "and things, not among floats.",
)
def lowest_other(state, action, next_state):
    lowest, depth = None, None
    for other in state.agents:
        if depth is None or other.position.y > depth:
            lowest, depth = other, other.position.y
    return 2 * depth if state.agent == lowest and depth in (1, 2, 3) else 0


@may(LOOPS, "A generator of your own.", "down_from")
def below(state, action, next_state):
    return sum(p.y for p in down_from(state.grid, state.agent.position))


def down_from(grid, p):
    for y in range(p.y + 1, grid.height):
        yield Position(y, p.x)


@may_not(LOOPS, "Building a list, dictionary or set.", "a list cannot be built in compiled code")
def collected(state, action, next_state):
    keys = [p for p in state.grid.positions() if isinstance(state.grid[p], Key)]
    return len(keys)


@may_not(
    LOOPS,
    "A dictionary, also one outside the rule: write a function with `if` or `match`.",
    "PRICES is a dict",
    "PRICES",
)
def priced(state, action, next_state):
    return PRICES[action.value]


PRICES = {0: 1.0, 1: 2.0}


@may_not(LOOPS, "A generator expression for anything else.", "outside any, all, sum, min, max, next")
def ordered(state, action, next_state):
    return max(enumerate(p.y for p in state.grid.positions()))[1]


@may_not(LOOPS, "A loop over a set, whose order is nobody's: write a tuple.", "a set has no order", "CORNERS")
def through_a_set(state, action, next_state):
    total = 0
    for n in CORNERS:
        total = total * 3 + n
    return total


CORNERS = frozenset((0, 4, 16))


# Numbers


@may(
    NUMBERS, "Python's own arithmetic: `//` and `%` round down, `/` gives a float, whole numbers stay whole."
)
def arithmetic(state, action, next_state):
    y, x = state.agent.position.yx
    return (y - 3) // 2 + (x - 7) % 5 + y / 4 + 2**x + (7 & ~y) + (1 << x >> 1)


@may(
    NUMBERS,
    "`abs`, `min`, `max`, `round`, `divmod`, `int`, `float`, `bool`, and of the `math` module roots, powers, logarithms, the functions of angles, `floor`, `ceil`, `isnan`, `gcd` and so on; [all of them](#operations-on-numbers).",
)
def functions_of_numbers(state, action, next_state):
    p = state.agent.position
    quotient, rest = divmod(p.y - 9, 4)
    return math.sqrt(abs(quotient)) + rest + round(p.x / 3) + float(p.x) + int(math.pi * min(p.y, p.x))


@may(NUMBERS, "Dividing by zero raises, as in Python.")
def by_zero(state, action, next_state):
    return 7 // (state.agent.position.y - 2) + 7 % (state.agent.position.x - 3)


@may_not(NUMBERS, "Rounding to a number of digits.", "round to a number of digits")
def two_digits(state, action, next_state):
    return round(state.agent.position.y / 7, 2)


@may_not(
    NUMBERS, "numpy's numbers, which compute otherwise.", r"np.uint8: numbers of compiled code are Python's"
)
def small(state, action, next_state):
    return np.uint8(200) + state.agent.position.y


@may_not(
    NUMBERS,
    "`math.hypot`, `math.dist` and `math.gamma`, whose last digits would differ: `math.sqrt(y * y + x * x)`.",
    "math.hypot is not known to give the same in compiled code",
)
def by_hypot(state, action, next_state):
    return math.hypot(state.agent.position.y, state.agent.position.x)


@may_not(NUMBERS, "Whole numbers have 64 bits: `2**70` does not fit.", "Int value is too large")
def large(state, action, next_state):
    return state.agent.position.y + 1180591620717411303424


# Functions, constants and classes


@may(
    FUNCTIONS,
    "Helper functions, their defaults and keyword-only parameters. They need no decorator.",
    "neighbours",
)
def cramped(state, action, next_state):
    return neighbours(state, state.agent.position) > neighbours(
        state, state.agent.position, kind=GridObject, most=2
    )


def neighbours(state, p, *, kind=Wall, most=4):
    found = 0
    for o in Orientation:
        q = p + Position.from_orientation(o)
        if state.grid.contains(q) and isinstance(state.grid[q], kind):
            found += 1
    return min(found, most)


@may(
    FUNCTIONS,
    "Constants of the module: numbers, words, colors, objects, positions, tuples of these. They are read once, when the "
    "rule is compiled.",
    "LIMIT",
    "BRIGHT",
)
def constants(state, action, next_state):
    color = state.grid[state.agent.position].color
    return LIMIT if color in BRIGHT else -LIMIT


LIMIT = 2.5
BRIGHT = (Color.RED, Color.YELLOW)


@may(
    FUNCTIONS,
    "Functions as parameters, `functools.partial` of them, and loops over a fixed tuple of them.",
    "TESTS",
)
def several(state, action, next_state):
    return any(test(state, action, next_state) for test in TESTS)


TESTS = (inside, functools.partial(unchanged))


@may(FUNCTIONS, "A lambda outside the rule.", "twice")
def doubled(state, action, next_state):
    return twice(state.agent.position.y)


twice = lambda n: 2 * n  # noqa: E731


@may(FUNCTIONS, "Words can be compared, for parameters such as `mode: str`.")
def by_word(state, action, next_state, *, mode="slow"):
    return 1 if mode == "fast" else 2


@may(FUNCTIONS, 'Numbers in text: `float("inf")`, with which many a search for the least begins.')
def nearest_edge(state, action, next_state):
    least = float("inf")
    for p in state.grid.positions():
        least = min(least, float(p.y + p.x))
    return least if least < float("inf") else -float("inf")


@may(
    FUNCTIONS,
    "Classes of your own, made with `@value` from `gridarium.compiled.data_types.value_class`: methods, properties, operators.",
    "Pair",
)
def pairs(state, action, next_state):
    pair = Pair(state.agent.position.y, 0.5) + Pair(1, 2)
    return pair.total if pair != Pair(3, 2.5) else 0.0


@value
class Pair:
    first: int
    second: float

    @property
    def total(self):
        return self.first * self.second

    def __add__(self, other):
        return Pair(self.first + other.first, self.second + other.second)


@may_not(
    FUNCTIONS,
    "Assigning a property of a class of your own: write a method.",
    "is a property, which is not assigned; write a method",
    "Purse",
)
def pays(state, action, next_state):
    purse = Purse(state.agent)
    purse.coins = 5


@value
class Purse:
    agent: Any

    @property
    def coins(self):
        return self.agent.energy

    @coins.setter
    def coins(self, new):
        self.agent.energy = new


@may_not(
    FUNCTIONS,
    "An object of a class of your own where the library takes a position or an area.",
    "Grid.subgrid takes no Window; write a Position, an Area or the like",
    "Window",
)
def crops(state, action, next_state):
    part = state.grid.subgrid(Window(0, 1, 0, 1))
    return float(part.height)


@value
class Window:
    ymin: int
    ymax: int
    xmin: int
    xmax: int

    @property
    def height(self):
        return self.ymax - self.ymin + 1

    @property
    def width(self):
        return self.xmax - self.xmin + 1


@may_not(
    FUNCTIONS,
    "A function that numba compiles for itself: leave its decorator off, since what rules call is compiled anyway.",
    "noise is compiled by numba itself, whose numbers overflow",
    "noise",
)
def noisy(state, action, next_state):
    return 1 if noise(next_state.agent.position) > 0 else 2


@numba.njit
def noise(p):
    return (p.y * 7919 + p.x * 104729) * 2654435761


@may_not(FUNCTIONS, "A function inside the rule.", "a function inside a function")
def nested(state, action, next_state):
    def far(p):
        return p.y > 2

    return far(state.agent.position)


@may_not(FUNCTIONS, "A lambda inside the rule.", "a lambda inside a function")
def inline(state, action, next_state):
    return min(state.agents, key=lambda agent: agent.position.y).position.x


@may_not(FUNCTIONS, "A function that calls itself: write a loop.", "it calls itself")
def recursive(state, action, next_state):
    return 0 if state.tick > 3 else recursive(state, action, next_state)


@may_not(FUNCTIONS, "`*` and `**` in calls and in parameters.", r"a call with \* or \*\*")
def starred(state, action, next_state):
    return state.blocked(Position(*state.agent.position.yx))


@may_not(
    FUNCTIONS,
    "Assigning to a variable outside the rule: declare a field of the world.",
    "global variables cannot be assigned",
)
def counting(state, action):
    global LIMIT  # noqa: PLW0603
    LIMIT = 3.0


@may_not(FUNCTIONS, "An import inside the rule.", "import belongs at the top of the file")
def late(state, action, next_state):
    import random

    return random.random()


@may_not(
    FUNCTIONS,
    "Python's own `random`, or numpy's: results would not repeat. Take `rng`.",
    "numpy's own random numbers would not repeat",
)
def other_luck(state, action, next_state):
    return np.random.random()


@may_not(FUNCTIONS, "A name that is not defined.", "the name 'Postion' is not defined")
def typo(state, action, next_state):
    return Postion(1, 1) == state.agent.position  # noqa: F821


@may_not(FUNCTIONS, "Making text, except in `raise` and `assert`.", "text cannot be made in compiled code")
def worded(state, action, next_state):
    return f"{state.tick}" == "3"


@may_not(
    FUNCTIONS,
    "`print` and `breakpoint`: run the world with `compiled=False`.",
    "print works interpreted only",
)
def talkative(state, action):
    print(state)


@may_not(
    FUNCTIONS,
    "A variable that is now one type and then another.",
    "found is int in one place and Position in another",
)
def undecided(state, action, next_state):
    found = 0
    for p in state.grid.positions():
        if isinstance(state.grid[p], Key):
            found = p
    return found != 0


# Errors


@may(
    ERRORS, "`raise` and `assert`, with messages made of anything. The exception is the same as interpreted."
)
def strict(state, action, next_state):
    if state.agent.position.y > 2:
        raise ValueError(f"row {state.agent.position.y} is out of bounds in {state.tick=}")
    assert state.agent.position.x < 4, f"column {state.agent.position.x}"
    return True


# Chance


@may(
    LUCK,
    "The methods of numpy's `Generator`: `integers`, `random`, `uniform`, `choice`, `permutation`, `shuffle`, `normal`.",
)
def lucky(state, action, next_state, *, rng):
    picked = rng.choice(6, size=3, replace=False)
    order = rng.permutation(4)
    rng.shuffle(order)
    return float(picked[0] + 10 * order[3] + 100 * rng.integers(2, 5) + rng.random() + rng.normal(0.0, 2.0))


@may(LUCK, "`rng.choice` of all members, such as `list(Orientation)`.")
def turned_anywhere(state, action, *, rng):
    state.agent.orientation = rng.choice(list(Orientation))


@may(LUCK, "`rng.choice` with probabilities.")
def weighted(state, action, next_state, *, rng):
    few = rng.choice(3, size=5, p=(0.2, 0.3, 0.5))
    return float(few[0] + 10 * few[4]) + rng.uniform(-1.0, 1.0)


@may(
    LUCK,
    "Arrays of random numbers with one or more axes: items, rows, loops, `in`, `shape`, `size`, `astype`, comparing "
    "all with one number.",
)
def scattered(state, action, next_state, *, rng):
    drawn = rng.integers(6, size=state.grid.shape.as_tuple)
    seen = drawn.astype(bool)
    seen[0, 0] = True
    rare = rng.random((2, 3)) < 0.25
    total = sum(seen[p.y, p.x] for p in state.grid.positions()) + 100 * (5 in drawn) + drawn.shape[1]
    for row in rare:
        total += 1000 * sum(one for one in row)
    return int(total) + drawn.size


@may_not(
    LUCK,
    "Computing with whole arrays, or asking for their sum: loop over them.",
    "array has no attribute 'sum'",
)
def summed(state, action, next_state, *, rng):
    return float(rng.random(3).sum())


@may(
    LUCK,
    "`rng.choice` of a tuple, and `state.rng` where a rule is called without `rng`: one stream, on which the rules of a "
    "tick go on one after the other. With `rng` each rule has numbers of its own, however many others draw.",
)
def pick(state, action, next_state):
    return state.rng.choice((1, 2, 4, 8))


# Memory


@may(MEMORY, "A truth value for each cell.")
def reachable(state, action, next_state):
    seen = state.grid.mask(False)
    for p in state.grid.positions():
        above = p.y > 0 and seen[p.y - 1, p.x]
        seen[p.y, p.x] = above or not state.grid[p].blocks_movement
    return sum(seen[p] for p in state.grid.positions())


@may(
    MEMORY,
    "A few whole numbers, all zero at first. What a rule makes of arrays and grids is gone when it has returned. There is "
    "room for some 64 grids; beyond it the step is run interpreted, with a warning that says so.",
)
def histogram(state, action, next_state):
    counts = new_integers(state.scratch, 4)
    for p in state.grid.positions():
        counts[(p.y + p.x) % 4] += 1
    return int(counts[0] * 1000 + counts[3])


@may_not(MEMORY, "Arrays of numpy: use the two above.", "an array cannot be made in compiled code")
def array(state, action, next_state):
    return float(np.zeros(3)[1])


@may_not(
    MEMORY,
    "The arrays of which a state consists, such as `state.data`, and the library's records made of them: `state.grid`, "
    "`state.agents`, `state.things` and declared fields give all that they hold. Of the library's functions, rules name "
    "rules, `get_next_position`, `random_position`, `new_integers`, `new_floats`, and those with which its rules search, draw "
    "and place (`gridarium.rules.search`, `design`, `reset_functions.placing` and others).",
    "Thing is of the library's own workings, which rules do not use",
)
def by_hand(state, action, next_state):
    return Thing(state.data, state.agent_rows, 8, 0, state.vocabulary).exists
