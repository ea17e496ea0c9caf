"""Rules with mistakes that students make, each with what they are told. The last word of a line `# <-` marks the line."""

from __future__ import annotations

import enum
import functools
import math
import random
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from gridarium.compiled.data_types import primitives
from gridarium.compiled.data_types.random import Rng
from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.design import draw_line_horizontal
from gridarium.world import Action, Agent, Color, Door, Floor, Grid, Key, Position, State, Telepod, Wall
from gridarium.world.cell import Cell
from gridarium.world.things import Thing

NO_KIND = Cell(63)
PINK = Color("PINK OF A MISTAKE", rgb=(255, 150, 200))
READ_AT = functools.partial(primitives.get_float, index=10**13)


@value
class Borrower:
    scratch: Any
    slot: int
    borrowed = Rng.random


PRICES = np.array([1, 2, 3])

MISTAKES: list[tuple[Callable[..., Any], str]] = []


def told(reason: str) -> Callable[[Any], Any]:
    """What is said about the rule below, as a regular expression."""

    def add(rule: Any) -> Any:
        MISTAKES.append((rule, reason))
        return rule

    return add


def helper(state, p, q):
    return p == q


@told(
    r"agent.enrgy is not known; there are position, orientation, .* agent fields that the world declares: energy"
)
def misspelt_field(state, action):
    if state.agent.enrgy > 3:  # <-
        state.agent.position = Position(0, 0)


@told(r"agent.hunger is not known; there are position")
def undeclared_field(state, action):
    state.agent.hunger = 3  # <-


@told(r"state.agnet is not known; there are grid, agent, agents")
def misspelt_agent(state, action):
    state.agnet.position = Position(0, 0)  # <-


@told(
    r"manhattan_distance is a function of the class: write Position\.manhattan_distance\(...\), with all that it takes"
)
def asks_a_position_for_a_function_of_its_class(state, action):
    state.agent.energy = state.agent.position.manhattan_distance(Position(0, 0))  # <-


@value
class Price:
    paid: int
    LEAST: ClassVar[int] = 3


@told(r"LEAST is an attribute of the class: write Price\.LEAST")
def asks_a_value_for_an_attribute_of_its_class(state, action):
    state.agent.energy = Price(2).LEAST  # <-


@value
class Purse:
    state: Any

    @property
    def filled(self) -> bool:
        return self.state.agent.energy > 2

    @filled.setter
    def filled(self, coins: int) -> None:
        self.state.agent.energy = coins + 1


@told(r"Purse\.filled is a property, which is not assigned; write a method")
def assigns_a_property(state, action):
    purse = Purse(state)
    purse.filled = state.agent.energy + 5  # <-


@told(r"Position or None is neither true nor false; write `is not None`, isinstance\(...\) or a comparison")
def asks_whether_a_position_is_true(state, action):
    target = Position(0, 0) if state.agent.energy > 1 else None
    if target:  # <-
        state.agent.energy = 0


@told(r"ThingsAt is neither true nor false; write len\(...\) > 0$")
def asks_whether_something_lies_there(state, action):
    if state.things_at(state.agent.position):  # <-
        state.agent.energy = 0


@told(r"this cannot be sliced in compiled code; write a loop over range\(start, stop\)")
def slices_agents(state, action):
    state.agent.energy = len(state.agents[1:])  # <-


@told(r"> between a tuple \(.*\) and a tuple \(.*\) cannot be compiled")
def compares_tuples_in_a_reduction(state, action):
    state.agent.energy = max((0.5 * a.energy, a.number) for a in state.agents)[1]  # <-


@told(r"len cannot be called with \(a generator\)")
def counts_positions(state, action):
    state.agent.energy = len(state.grid.positions())  # <-


@told(r"zip cannot be called with \(Agents, .*\); write for i in range\(n\), and ITEMS\[i\]")
def zips_agents(state, action):
    for agent, energy in zip(state.agents, (1, 2)):  # <-
        agent.energy = energy


@told(r"Position has no attribute 'xy'; did you mean y\?")
def misspelt_attribute(state, action):
    state.agent.energy = state.agent.position.xy  # <-


@told(r"GridObject has no attribute 'blocks_movment'; did you mean blocks_movement\?")
def misspelt_flag(state, action):
    return state.grid[state.agent.position].blocks_movment  # <-


@told(r"State.can_step cannot be called with \(Position\)\n  missing a required argument: 'q'")
def too_few_for_a_method(state, action):
    if state.can_step(state.agent.position):  # <-
        state.agent.energy = 1


@told(r"helper\(state, p, q\): missing a required argument: 'q'")
def too_few(state, action):
    if helper(state, state.agent.position):  # <-
        state.agent.energy = 1


@told(r"helper\(state, p, q\): too many positional arguments")
def too_many(state, action):
    if helper(state, state.agent.position, state.agent.position, 3):  # <-
        state.agent.energy = 1


@told(r"the row and column of a cell are whole numbers; // divides without a fraction, int\(\) cuts it off")
def half_a_cell(state, action):
    state.grid[state.grid.height / 2, 0] = Wall()  # <-


@told(r"the row and column of a cell are whole numbers; // divides without a fraction, int\(\) cuts it off")
def half_a_cell_read(state, action):
    if isinstance(state.grid[0, state.grid.width / 2], Wall):  # <-
        state.agent.energy = 1.0


@told(r"result takes whole numbers; write int\(\.\.\.\)")
def part_of_a_result(state, action):
    state.agent.result = 0.5  # <-


@told(r"Position cannot be called with \(int, int, int\)")
def too_many_numbers(state, action):
    state.agent.position = Position(1, 2, 3)  # <-


@told(r"target is int in one place and Position in another; a variable keeps one type")
def two_types(state, action):
    target = 0
    if state.agent.energy > 3:
        target = state.agent.position
    state.agent.position = target  # <-


@told(r"the name 'compute_energy' is not defined")
def unknown_function(state, action):
    state.agent.energy = compute_energy(state)  # noqa: F821  # <-


@told(r"text can be compared in compiled code, nothing else")
def text_in_order(state, action):
    return "north" < "south"  # noqa: PLR0133  # <-


@told(r"text can be compared in compiled code, nothing else")
def length_of_text(state, action):
    name = "long"
    name = "longer"
    return len(name)  # <-


@told(r"text can be compared in compiled code, nothing else")
def text_written_to_a_field(state, action):
    name = "long"
    name = "longer"
    state.agent.energy = name  # <-


@told(r"text can be compared in compiled code, nothing else")
def text_as_truth(state, action):
    name = "far" if state.tick > 3 else ""
    return 1 if name else 0  # <-


@told(r"could not convert string to float: 'much'")
def no_number(state, action):
    return float("much")  # <-


@told(r"text cannot be made in compiled code")
def formatted_text(state, action):
    message = f"energy {state.agent.energy}"  # <-
    state.agent.energy = len(message)


@told(r"text can be compared in compiled code, nothing else")
def formatted_as_in_c(state, action):
    return "energy %d" % state.agent.energy  # noqa: UP031  # <-


@told(r"text can be compared in compiled code, nothing else")
def text_returned(state, action):
    return "good"  # <-


@told(r"an array cannot be made in compiled code")
def numpy_array(state, action):
    seen = np.zeros((3, 3))  # <-
    seen[0, 0] = 1


@told(r"a list cannot be built in compiled code; write a tuple")
def growing_list(state, action):
    cells = []  # <-
    for p in state.grid.positions():
        cells.append(p)


@told(r"Python's own random numbers would not repeat; take rng")
def python_luck(state, action):
    state.agent.energy = random.randint(0, 3)  # <-


@told(r"numpy's own random numbers would not repeat; take rng")
def numpy_luck(state, action):
    state.agent.energy = np.random.randint(3)  # <-


@told(r"Position is needed here, not tuple\(int, int\)")
def pair_for_position(state, action):
    state.agent.position = (1, 2)  # <-


@told(r"a cell holds a GridObject, not int")
def number_for_object(state, action):
    state.grid[state.agent.position] = 3  # <-


@told(r"Wall is a class; what can be assigned is an object, Wall\(...\)")
def class_for_object(state, action):
    state.grid[state.agent.position] = Wall  # <-


@told(r"expected a position or \(y, x\), got int")
def number_for_place(state, action):
    return state.grid[3].blocks_movement  # <-


@told(r"GridObject.color cannot be assigned; values are immutable: create a new one instead")
def changed_object(state, action):
    state.grid[state.agent.position].color = Color.RED  # <-


@told(r"Color.RED is not a valid Door.Status")
def color_for_status(state, action):
    state.grid[state.agent.position] = Door(Color.RED)  # <-


@told(r"Key\(color\) got")
def surplus_argument(state, action):
    state.grid[state.agent.position] = Key(Color.RED, state.agent.energy)  # <-


@told(r"BLUE is not among this world's colors \(NONE, RED\); add it to its description")
def unknown_color(state, action):
    state.grid[state.agent.position] = Key(Color.BLUE)  # <-


@told(r"Telepod is not among this world's objects \(.*Wall.*\); add it to its description")
def unknown_kind(state, action):
    state.grid[state.agent.position] = Telepod(Color.RED)  # <-


@told(r"Action has no attribute 'JUMP'")
def unknown_action(state, action):
    if action == Action.JUMP:  # <-
        state.agent.energy = 1


@told(r"Action.name works interpreted only")
def name_of_action(state, action):
    if action.name == "TURN_LEFT":  # <-
        state.agent.energy = 1


@told(r"Grid.from_shape works interpreted only")
def grid_of_ones_own(state, action):
    grid = Grid.from_shape((2, 2))  # <-
    state.agent.energy = grid.height


@told(r"Agent.at works interpreted only")
def agent_of_ones_own(state, action):
    state.agent.energy = Agent.at(Position(0, 0)).position.y  # <-


@told(r"an object is never equal to a kind of objects: write isinstance\(.*, Wall\)")
def object_and_kind(state, action):
    if state.grid[state.agent.position] == Wall:  # <-
        state.agent.energy = 1


@told(r"an object is never equal to a kind of objects: write isinstance\(.*, (Wall|Floor|\(Wall, Floor\))\)")
def object_among_kinds(state, action):
    if state.grid[state.agent.position] not in (Wall, Floor):  # <-
        state.agent.energy = 1


@told(r"an object is never equal to a kind of objects: write isinstance\(state.agent.grid_object, kind\)")
def kind_by_another_name(state, action):
    kind = Wall if action == Action.TURN_LEFT else Floor
    if kind == state.agent.grid_object:  # <-
        state.agent.energy = 1


@told(r"Action is never equal to a text or a number")
def action_by_text(state, action):
    if action == "TURN_LEFT":  # <-
        state.agent.energy = 1


@told(r"Orientation is never equal to a text or a number")
def orientation_by_text(state, action):
    if state.agent.orientation in ("LEFT", "RIGHT"):  # <-
        state.agent.energy = 1


@told(r"a color or a member of an enum is never equal to text; name it, as in Color.RED")
def color_by_text(state, action):
    if state.grid[state.agent.position].color == "RED":  # <-
        state.agent.energy = 1


@told(r"text, a color or a member of an enum is never equal to a number")
def status_by_text(state, action):
    if state.grid[state.agent.position].status == "LOCKED":  # <-
        state.agent.energy = 1


@told(r"math.comb is not known to give the same in compiled code; write a loop")
def unusual_function(state, action):
    state.agent.energy = float(math.comb(7, 4))  # <-


@told(r"there is no \+ for None and int")
def result_of_nothing(state, action):
    state.agent.energy = state.agent.drop() + 1  # <-


@told(r"there is no \+ for Position and int")
def number_for_step(state, action):
    state.agent.position = state.agent.position + 1  # <-


@told(r"there is no == for method Agent.front and Position")
def call_forgotten(state, action):
    if state.agent.front == state.agent.position:  # <-
        state.agent.energy = 1


@told(r"Position cannot be called")
def call_of_a_property(state, action):
    return state.agent.position() == Position(0, 0)  # <-


@told(r"Agent cannot be looped over")
def one_agent_for_many(state, action):
    for agent in state.agent:  # <-
        agent.energy = 1


@told(r"len cannot be called with \(Grid\)")
def length_of_grid(state, action):
    state.agent.energy = len(state.grid)  # <-


@told(r"an array of numpy computes otherwise; make a constant of it by table\(...\)")
def item_of_numpys_array(state, action):
    return PRICES[0]  # <-


@told(r"what Things yields is not its fields in their order; loop over it")
def unpacked_things(state, action):
    first, _ = state.things  # <-
    state.remove(first)


@told(r"there are 3 values to unpack, not 2")
def too_many_to_unpack(state, action):
    a, b = 1, 2, 3  # <-
    return a + b


@told(r"\n  int cannot be called with \(Position\)$")
def position_as_a_number(state, action):
    return int(state.agent.position)  # <-


@told(r"\n  Position is neither true nor false; write `is not None`, isinstance\(...\) or a comparison$")
def position_as_a_truth(state, action):
    return 1 if state.agent.position else 2  # <-


@told(r"isinstance with a class that is not known before compiling")
def class_in_a_variable(state, action):
    return isinstance(state.grid[state.agent.position], state.agent.energy)  # <-


@told(r"Thing is of the library's own workings, .*write state.things\[number\]")
def record_of_a_number(state, action):
    return Thing(state.data, state.agent_rows, 10**9, 0, state.vocabulary).exists  # <-


@told(r"State is of the library's own workings, .*write state.seen_by\(number\)")
def state_of_arrays(state, action):
    return State(state.cells, state.layers, state.data, state.agent_rows, state.scratch, 99, None)  # <-


@told(r"Cell is of the library's own workings, .*write Door\(status, color\)")
def cell_of_a_number(state, action):
    state.grid[state.agent.position] = Cell(63)  # <-


@told(r"Rng is of the library's own workings, .*write rng, state.rng")
def generator_of_a_slot(state, action):
    return Rng(state.scratch, 10**13).random()  # <-


@told(r"copy_words is of the library's own workings, which rules do not use; see docs/what-a-rule-may-use.md")
def primitive_by_its_module(state, action):
    primitives.copy_words(state.data, state.agent_rows)  # <-


@told(r"Cell is of the library's own workings")
def constant_cell(state, action):
    state.grid[state.agent.position] = NO_KIND  # <-


@told(r"get_float is of the library's own workings")
def partial_of_a_primitive(state, action):
    return READ_AT(row=state.scratch)  # <-


@told(r"State.data is a raw array, which rules do not use")
def integers_in_the_state(state, action):
    return new_integers(state.data, 3)[0]  # <-


@told(r"the memory of an array is state.scratch")
def integers_in_integers(state, action):
    return new_integers(new_integers(state.scratch, 3), 9)[0]  # <-


@told(r"a raw array cannot be changed by a rule")
def scratch_written(state, action):
    state.scratch[0] = 10**9  # <-


@told(r"State has no attribute 'stream'")
def stream_of_a_slot(state, action):
    return state.stream(13).random()  # <-


@told(r"GridObject is needed here, not class")
def class_among_the_things(state, action):
    state.agent.grid_object = state.rng.choice((Key, Wall))  # <-


@told(r"borrowed is a method of the library's Rng")
def methods_of_the_library(state, action):
    return Borrower(state.scratch, 10**13).borrowed()  # <-


@told(r"GridObject is needed here, not class")
def class_for_a_thing(state, action):
    state.add(Key, state.agent.position)  # <-


@told(r"a class is not an object; call it, as in Floor\(\)")
def class_in_a_cell(state, action):
    state.grid[state.agent.position] = state.rng.choice((Key, Wall))  # <-


@told(r"is_integer of numbers cannot be used in compiled code; write x == math.floor\(x\)")
def method_of_a_float(state, action):
    if (0.5 * state.agent.energy).is_integer():  # <-
        state.agent.energy = 1


@told(
    r"a tuple \(a whole number, a whole number\) in one place and a tuple \(a whole number, a float\) in another"
)
def tuples_of_other_kinds(state, action):
    best = (1, 2)  # <-
    if state.agent.energy > 2:
        best = (1, 0.5)
    state.agent.energy = best[0]


@told(r"atan2 takes no argument by the name y$")
def names_the_arguments_of_a_function_that_takes_none_by_name(state, action):
    state.agent.energy = int(math.atan2(y=state.agent.energy, x=1.0))  # <-


@told(r"divmod takes no argument by the name a$")
def names_the_arguments_of_divmod(state, action):
    state.agent.energy = divmod(a=state.agent.energy, b=2)[0]  # <-


@told(r"int takes no argument by the name number$")
def names_the_argument_of_int(state, action):
    state.agent.energy = int(number=0.5 * state.agent.energy)  # <-


@value
class Window:
    """Like an Area, with one row too few."""

    ymin: int
    ymax: int
    xmin: int
    xmax: int

    @property
    def height(self) -> int:
        return self.ymax - self.ymin

    @property
    def width(self) -> int:
        return self.xmax - self.xmin


@value
class Heading:
    quarter_turns: int


@told(r"Grid\.subgrid takes no Window; write a Position, an Area or the like")
def gives_the_library_a_class_of_its_own(state, action):
    part = state.grid.subgrid(Window(0, 3, 0, 3))  # <-
    state.agent.energy = part.height


@told(r"\* of Grid takes no Heading; write a Position")
def turns_a_grid_by_a_class_of_its_own(state, action):
    turned = state.grid * Heading(5)  # <-
    state.agent.energy = turned.height


@told(r"Agent takes no Heading; write a Position")
def turns_an_agent_by_a_class_of_its_own(state, action):
    state.agent.orientation = Heading(5)  # <-


@value
class Spot:
    y: int
    x: int


@told(r"manhattan_distance takes no Spot; write a Position")
def measures_between_classes_of_its_own(state, action):
    state.agent.energy = int(Position.manhattan_distance(Spot(1, 2), state.agent.position))  # <-


@told(r"draw_line_horizontal takes whole numbers up to 2\*\*30 in compiled code; write 9\.2")
def gives_the_library_a_number_beyond_all_grids(state, action):
    draw_line_horizontal(state.grid, 9223372036854775807, range(2), Wall)  # <-


@told(r"a truth value in one place and a float in another; a variable keeps one type")
def a_truth_value_becomes_a_float_in_a_tuple(state, action):
    pair = (0.5, 1.0)
    if state.agent.energy > 3:
        pair = (state.agent.energy > 4, 2.0)  # <-
    state.agent.energy = int(math.atan2(-pair[0], -1.0))


@told(r"PINK\.rgb is for pictures, and no part of the rules")
def reads_the_shade_of_a_color(state, action):
    state.agent.energy = PINK.rgb[1]  # <-


@told(r"the vocabulary is of the library's own workings, which rules do not use")
def reads_the_vocabulary(state, action):
    if state.vocabulary.headings:  # <-
        state.agent.energy = 2


class Phase(int, enum.Enum):
    DAY = 0
    NIGHT = 1


@told(r"`is` with <Phase\.NIGHT: 1> and state\.agent\.energy; write ==")
def asks_a_number_whether_it_is_a_member(state, action):
    if state.agent.energy is Phase.NIGHT:  # <-
        state.agent.energy = 0


@told(r"== of a mask compares its cells in numpy; ask for mask\[p\]")
def compares_a_mask(state, action):
    seen = state.grid.mask()
    if seen == (1, 2):  # <-
        state.agent.energy = 0


@value
class Flags:
    on: bool
    n: int


@told(r"on of Flags is None, and takes a number or a truth value")
def makes_a_record_of_none(state, action):
    state.agent.energy = Flags(None, 3).n  # <-
