# ruff: noqa: B006, B007, B009, B023, C416, E711, E712, E721, F811, F821, F841, F842, PLC0208, PLC2401, PLC3002
# ruff: noqa: PLR0133, PLR1708, PLW0120, PLW0177, PLW0603, PLW2901, RUF005, RUF018, RUF021, RUF059, RUF060, SIM222, SIM300, UP018, UP031, UP042
"""Rules of a second audit. `second_audit` runs all of them, `test_second` those that differed once.

T_: transitions, R_: rewards, f_: functions of two whole numbers, two floats and a truth value.
"""

import builtins
import enum
import functools
import itertools
import math
import math as m
import operator
from math import atan2 as angle_of
from math import sin as s_of
from typing import Any, NamedTuple

import numpy as np

from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.data_types.vectors import new_floats, new_integers
from gridarium.world import (
    Action,
    Area,
    Box,
    Color,
    Door,
    Floor,
    GridObject,
    Key,
    Orientation,
    Position,
    Wall,
    get_next_position,
)
from tests.compiled.fuzz.world import BigLamp, Lamp


def T_warm(state, action):
    state.n = 1


# names that are numbers in compiled code, on their way through helpers


def plus_one(c):
    return c + 1


def truth_of(c):
    return 1 if c else 2


def is_below(a, b):
    return a < b


def is_same(a, b):
    return a == b


def is_identical(a, b):
    return a is b


def color_of(thing):
    return thing.color


def T_color_plus(state, action):
    state.n = plus_one(state.grid[0, 0].color)


def T_color_truth(state, action):
    state.n = truth_of(state.grid[state.agent.position].color)


def T_color_order(state, action):
    state.flag = is_below(state.grid[0, 0].color, state.grid[0, 1].color)


def T_color_order_number(state, action):
    state.flag = is_below(state.grid[0, 0].color, 3)


def T_color_same_number(state, action):
    state.flag = is_same(state.grid[0, 0].color, 0)


def T_color_same_status(state, action):
    state.flag = is_same(state.grid[0, 0].color, state.grid[0, 1].status)


def T_color_same_color(state, action):
    state.flag = is_same(state.grid[0, 0].color, Color.RED)


def T_color_identical(state, action):
    state.flag = is_identical(state.grid[0, 0].color, state.grid[0, 1].color)


def T_color_returned_plus(state, action):
    state.n = color_of(state.grid[0, 0]) + 1


def T_color_returned_same(state, action):
    state.flag = color_of(state.grid[0, 0]) == 0


def T_color_returned_truth(state, action):
    state.n = 5 if color_of(state.grid[0, 0]) else 6


def T_color_returned_not(state, action):
    state.flag = not color_of(state.grid[0, 0])


def T_color_returned_index(state, action):
    state.n = (10, 20, 30, 40, 50, 60, 70, 80, 90)[color_of(state.grid[0, 0])]


def T_color_returned_order(state, action):
    state.flag = color_of(state.grid[0, 0]) < color_of(state.grid[0, 1])


def T_color_field(state, action):
    state.n = color_of(state.grid[0, 0])


def T_color_field_direct(state, action):
    state.n = state.grid[0, 0].color


def T_color_real(state, action):
    state.h = color_of(state.grid[0, 0])


def T_color_cell_number(state, action):
    state.grid.set_number("visits", Position(0, 0), state.grid[0, 0].color)


def T_color_cell_number_float(state, action):
    state.grid.set_number("scent", Position(0, 0), state.grid[0, 0].color)


def R_color(state, action, next_state):
    return state.grid[0, 0].color


def R_color_returned(state, action, next_state):
    return color_of(state.grid[0, 0])


def T_color_unpacked(state, action):
    c, n = state.grid[0, 0].color, 3
    state.n = c + n


def T_color_unpacked_truth(state, action):
    c, n = state.grid[0, 0].color, 3
    if c:
        state.n = n


def T_color_in_tuple(state, action):
    pair = (state.grid[0, 0].color, 3)
    state.n = pair[0] + pair[1]


def T_color_tuple_same(state, action):
    state.flag = (state.grid[0, 0].color, state.grid[0, 0].status) == (0, 0)


def T_color_tuple_order(state, action):
    state.flag = (state.grid[0, 0].color, 1) < (state.grid[0, 1].color, 2)


def T_color_max(state, action):
    state.n = max(state.grid[p].color for p in state.grid.positions())


def T_color_max_tuple(state, action):
    best = max((state.grid[p].color, p.y) for p in state.grid.positions())
    state.n = best[1]


def T_color_key(state, action):
    p = min((p for p in state.grid.positions()), key=color_at_edge)
    state.n = p.y * 10 + p.x


def color_at_edge(p):
    return Color.RED if p.y == 0 else Color.GREEN


def T_color_sum(state, action):
    state.n = sum(state.grid[p].color for p in state.grid.positions())


def T_color_any(state, action):
    state.flag = any(state.grid[p].color for p in state.grid.positions())


def T_color_all(state, action):
    state.flag = all(state.grid[p].color for p in state.grid.positions())


def T_color_next(state, action):
    state.n = next(state.grid[p].color for p in state.grid.positions())


def colors_in(grid):
    for p in grid.positions():
        yield grid[p].color


def T_color_yielded(state, action):
    total = 0
    for c in colors_in(state.grid):
        total += c
    state.n = total


def T_color_yielded_truth(state, action):
    state.n = sum(1 for c in colors_in(state.grid) if c)


def T_color_yielded_same(state, action):
    state.n = sum(c == Color.RED for c in colors_in(state.grid))


def T_color_yielded_number(state, action):
    state.n = sum(c == 1 for c in colors_in(state.grid))


@value
class Painted:
    color: Any
    amount: int

    def is_strong(self):
        return self.color and self.amount > 2

    def brighter(self):
        return self.color + self.amount


@value
class Tinted:
    tint: Any
    amount: int

    def brighter(self):
        return self.tint + self.amount


def T_color_in_value(state, action):
    state.n = Painted(state.grid[0, 0].color, 3).brighter()


def T_tint_in_value(state, action):
    state.n = Tinted(state.grid[0, 0].color, 3).brighter()


def T_tint_read(state, action):
    state.n = Tinted(state.grid[0, 0].color, 3).tint + 2


def T_tint_same(state, action):
    state.flag = Tinted(state.grid[0, 0].color, 3) == Tinted(0, 3)


def T_tint_int_field(state, action):
    state.n = Position(state.grid[0, 0].color, 3).y


def T_color_range(state, action):
    n = 0
    for _ in range(color_of(state.grid[0, 0])):
        n += 1
    state.n = n


def T_color_minmax(state, action):
    state.n = max(color_of(state.grid[0, 0]), 2)


def T_color_abs(state, action):
    state.n = abs(color_of(state.grid[0, 0]))


def T_color_int(state, action):
    state.n = int(color_of(state.grid[0, 0]))


def T_color_bool(state, action):
    state.flag = bool(color_of(state.grid[0, 0]))


def T_color_float(state, action):
    state.h = float(color_of(state.grid[0, 0]))


def T_color_make(state, action):
    state.grid[0, 0] = Key(color_of(state.grid[0, 1]))


def T_color_make_number(state, action):
    state.grid[0, 0] = Key(plus_zero(state.n))


def plus_zero(n):
    return n % 3 + 1


def T_color_make_number_direct(state, action):
    state.grid[0, 0] = Key(2)


def T_color_make_status(state, action):
    state.grid[0, 0] = Key(state.grid[0, 0].status)


def T_color_status_color(state, action):
    state.grid[0, 0] = Door(state.grid[0, 1].color, Color.RED)


def T_color_status_helper(state, action):
    state.grid[0, 0] = Door(color_of(state.grid[0, 1]), Color.RED)


def T_color_match(state, action):
    match state.n:
        case Color.RED:
            state.m = 3
        case _:
            state.m = 4


def T_color_match_name(state, action):
    match state.grid[0, 0].color:
        case Color.RED:
            state.m = 3
        case Color.GREEN | Color.BLUE:
            state.m = 5
        case _:
            state.m = 4


def T_color_match_number(state, action):
    match state.grid[0, 0].color:
        case 0:
            state.m = 3
        case 1 | 2:
            state.m = 5
        case _:
            state.m = 4


def T_color_match_helper(state, action):
    match color_of(state.grid[0, 0]):
        case 0:
            state.m = 3
        case _:
            state.m = 4


def T_color_match_capture(state, action):
    match state.grid[0, 0].color:
        case c if c == 0:
            state.m = 3
        case c:
            state.m = 4


def T_color_walrus(state, action):
    if (c := state.grid[0, 0].color) == Color.RED:
        state.m = 3
    else:
        state.m = plus_one(c)


def T_color_loop_zip(state, action):
    total = 0
    for c, n in zip((Color.RED, Color.GREEN), (1, 2)):
        if state.grid[0, 0].color == c:
            total += n
    state.n = total


def T_color_loop_zip_number(state, action):
    total = 0
    for c, n in zip((Color.RED, Color.GREEN), (1, 2)):
        total += c == n
    state.n = total


def T_color_loop_zip_plus(state, action):
    total = 0
    for c, n in zip((Color.RED, Color.GREEN), (1, 2)):
        total += c + n
    state.n = total


def T_color_loop_pairs(state, action):
    total = 0
    for c, n in ((Color.RED, 1), (Color.GREEN, 2)):
        total += c == n
    state.n = total


def T_color_loop_enumerate(state, action):
    total = 0
    for n, c in enumerate((Color.RED, Color.GREEN, Color.BLUE)):
        total += n == c
    state.n = total


def T_color_loop_break(state, action):
    for c in (Color.RED, Color.GREEN):
        if state.grid[0, 0].color == c:
            break
    state.n = 3 if c == 1 else 4


COLORS = (Color.RED, Color.GREEN, Color.BLUE)


def T_color_indexed(state, action):
    state.flag = COLORS[state.n % 3] == 2


def T_color_indexed_plus(state, action):
    state.n = COLORS[state.n % 3] + 2


def T_color_indexed_same(state, action):
    state.flag = COLORS[state.n % 3] == state.grid[0, 0].color


def T_color_conditional(state, action):
    c = Color.RED if state.flag else Color.GREEN
    state.n = plus_one(c)


def T_color_conditional_number(state, action):
    c = Color.RED if state.flag else 2
    state.flag = is_same(c, 2)


def T_color_or_number(state, action):
    c = 0
    for p in state.grid.positions():
        if isinstance(state.grid[p], Key):
            c = state.grid[p].color
    state.n = c


def T_color_none_number(state, action):
    c = -1
    for p in state.grid.positions():
        c = state.grid[p].color
    state.flag = c > 0


def T_color_in_numbers(state, action):
    state.flag = state.grid[0, 0].color in (0, 1, 2)


def T_color_helper_in_numbers(state, action):
    state.flag = is_in_numbers(state.grid[0, 0].color)


def is_in_numbers(c):
    return c in (0, 1, 2)


def T_number_in_colors(state, action):
    state.flag = state.n in (Color.RED, Color.GREEN)


def T_status_in_colors(state, action):
    state.flag = state.grid[0, 0].status in COLORS


def T_color_as_value(state, action):
    state.n = state.grid[0, 0].color.value


def T_color_as_name(state, action):
    state.flag = state.grid[0, 0].color.name == "RED"


def T_color_rgb(state, action):
    state.n = Color.RED.rgb[0]


def T_color_static_value(state, action):
    state.n = Color.RED.value


def T_color_shift(state, action):
    state.n = 1 << color_of(state.grid[0, 0])


def T_color_power(state, action):
    state.n = 2 ** color_of(state.grid[0, 0])


def T_color_neg(state, action):
    state.n = -color_of(state.grid[0, 0])


def T_color_invert(state, action):
    state.n = ~color_of(state.grid[0, 0])


def T_color_position(state, action):
    state.agent.position = Position(1, 1) + Position(color_of(state.grid[0, 0]), 0)


def T_color_grid_index(state, action):
    state.flag = isinstance(state.grid[color_of(state.grid[0, 0]), 0], Wall)


def T_color_orientation(state, action):
    state.agent.orientation = Orientation(color_of(state.grid[0, 0]) % 4)


def T_color_orientation_plain(state, action):
    state.agent.orientation = Orientation(color_of(Key(Color.RED)))


def T_color_integers(state, action, *, rng):
    state.n = rng.integers(color_of(Key(Color.GREEN)))


def T_color_choice(state, action, *, rng):
    c = rng.choice((Color.RED, Color.GREEN))
    state.n = c + 1


def T_color_choice_make(state, action, *, rng):
    c = rng.choice((Color.RED, Color.GREEN))
    state.grid[0, 0] = Key(c)


def T_color_choice_truth(state, action, *, rng):
    c = rng.choice((Color.RED, Color.GREEN))
    state.flag = c == 1


class Mood(enum.Enum):
    CALM = 0
    ANGRY = 1


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 3


class Word(str, enum.Enum):
    YES = "yes"
    NO = "no"


class Share(float, enum.Enum):
    HALF = 0.5
    FULL = 1.0


class Bit(enum.Flag):
    A = 1
    B = 2


class IntBit(enum.IntFlag):
    A = 1
    B = 2


class Odd(enum.IntEnum):
    ONE = 1
    TWO = 2

    def __eq__(self, other):
        return False

    def __hash__(self):
        return 3

    def __add__(self, other):
        return 100

    def __bool__(self):
        return False


def mood_of(n):
    return Mood.ANGRY if n > 2 else Mood.CALM


def T_mood_same(state, action):
    state.flag = mood_of(state.n) == Mood.ANGRY


def T_mood_plus(state, action):
    state.h = mood_of(state.n) + 1


def T_mood_truth(state, action):
    state.flag = not mood_of(state.n)


def T_mood_number(state, action):
    state.n = truth_of(mood_of(state.n))


def T_mood_order(state, action):
    state.flag = mood_of(state.n) < mood_of(state.m)


def T_mood_field(state, action):
    state.n = mood_of(state.n)


def T_mood_is(state, action):
    state.flag = mood_of(state.n) is Mood.ANGRY


def T_mood_value(state, action):
    state.n = mood_of(state.n).value


def T_mood_static_value(state, action):
    state.n = Mood.ANGRY.value + Level.HIGH.value


def T_level_plus(state, action):
    state.n = Level.HIGH + state.n


def T_level_is(state, action):
    lv = Level.HIGH if state.flag else Level.LOW
    state.flag = lv is Level.HIGH


def T_level_mixed(state, action):
    lv = Level.HIGH if state.flag else 3
    state.flag = lv is Level.HIGH


def T_level_color(state, action):
    state.flag = Level.HIGH == state.grid[0, 0].color


def T_level_status(state, action):
    state.flag = Level.HIGH == state.grid[0, 0].status


def T_word_member(state, action):
    w = Word.YES if state.flag else Word.NO
    state.n = 3 if w == "yes" else 4


def T_word_member_order(state, action):
    w = Word.YES if state.flag else Word.NO
    state.flag = is_below(w, "a")


def T_word_member_is(state, action):
    w = Word.YES if state.flag else Word.NO
    state.flag = w is Word.YES


def T_share(state, action):
    w = Share.HALF if state.flag else Share.FULL
    state.h = w * 3


def T_share_is(state, action):
    w = Share.HALF if state.flag else Share.FULL
    state.flag = w is Share.HALF


def T_bit(state, action):
    w = Bit.A if state.flag else Bit.B
    state.flag = is_same(w, Bit.A)


def T_bit_or(state, action):
    w = Bit.A | Bit.B
    state.flag = truth_of(w) == 1


def T_intbit(state, action):
    w = IntBit.A | IntBit.B
    state.n = w + (IntBit.A if state.flag else IntBit.B)


def T_odd_same(state, action):
    state.flag = Odd.ONE == state.n


def T_odd_plus(state, action):
    state.n = Odd.ONE + state.n


def T_odd_truth(state, action):
    w = Odd.ONE if state.flag else Odd.TWO
    state.n = truth_of(w)


def T_mood_tuple(state, action):
    moods = (Mood.CALM, Mood.ANGRY)
    state.n = moods[state.n % 2] + 1


def T_mood_match(state, action):
    match mood_of(state.n):
        case Mood.CALM:
            state.m = 1
        case Mood.ANGRY:
            state.m = 2


def T_level_match(state, action):
    match state.n:
        case Level.LOW:
            state.m = 1
        case Level.HIGH:
            state.m = 2


# text


WORDS_ = ("left", "right", "up")
COLLIDING = ("plumless", "buckeroo")


def T_text_indexed(state, action):
    state.flag = WORDS_[state.n % 3] == "left"


def T_text_indexed_order(state, action):
    state.flag = WORDS_[state.n % 3] < WORDS_[state.m % 3]


def T_text_indexed_plus(state, action):
    state.h = WORDS_[state.n % 3] + 1


def T_text_indexed_truth(state, action):
    state.n = truth_of(("", "a")[state.n % 2])


def T_text_collision(state, action):
    state.flag = COLLIDING[state.n % 2] == "buckeroo"


def T_text_collision_static(state, action, *, mode="plumless"):
    state.flag = mode == "buckeroo"


def T_text_zip(state, action):
    total = 0
    for w, k in zip(WORDS_, range(3)):
        total += (w == "right") * (k + 1)
    state.n = total


def T_text_zip_order(state, action):
    total = 0
    for w, k in zip(WORDS_, range(3)):
        total += is_below(w, "right")
    state.n = total


def T_text_zip_two(state, action):
    total = 0
    for w, k in zip(WORDS_, ("a", "m", "z")):
        total += w < k
    state.n = total


def T_text_pairs(state, action):
    for w, k in (("a", 1), ("b", 2)):
        state.h = w + k


def T_text_returned(state, action):
    state.flag = word_of(state.n) == "big"


def word_of(n):
    w = "big" if n > 2 else "small"
    return w


def word_in_tuple(n):
    return ("big" if n > 2 else "small", n)


def T_text_in_tuple(state, action):
    w, n = word_in_tuple(state.n)
    state.flag = w == "big"


def T_text_in_tuple_order(state, action):
    w, n = word_in_tuple(state.n)
    state.flag = w < "c"


def T_text_in_tuple_number(state, action):
    w, n = word_in_tuple(state.n)
    state.h = w * 1.0


def T_text_max(state, action):
    state.flag = max(WORDS_[k] for k in range(3)) == "up"


def T_text_len(state, action):
    state.n = len(WORDS_[state.n % 3])


def T_text_in(state, action):
    state.flag = WORDS_[state.n % 3] in ("left", "up")


def T_text_in_text(state, action):
    state.flag = "ef" in WORDS_[state.n % 3]


def T_text_helper(state, action):
    state.n = by_mode("left", state.n) + by_mode(mode="right", n=2)


def by_mode(mode, n):
    if mode == "left":
        return n
    if mode < "right":
        return 5
    return 7


def T_text_helper_assigned(state, action):
    state.n = by_mode_assigned("left", state.n)


def by_mode_assigned(mode, n):
    if n > 2:
        mode = "right"
    return 1 if mode == "left" else 2


def T_text_helper_upper(state, action):
    state.flag = by_upper("left")


def by_upper(mode):
    return mode.upper() == "LEFT"


def T_text_startswith(state, action):
    state.flag = WORDS_[state.n % 3].startswith("l")


def T_text_value(state, action):
    t = Tinted("x" if state.flag else "y", 2)
    state.flag = t.tint == "x"


def T_text_value_plus(state, action):
    state.n = Tinted("x", 2).brighter()


def T_text_match(state, action):
    match WORDS_[state.n % 3]:
        case "left":
            state.m = 1
        case "right" | "up":
            state.m = 2


def T_text_match_order(state, action):
    match WORDS_[state.n % 3]:
        case w if is_below(w, "m"):
            state.m = 1
        case _:
            state.m = 2


def T_text_field_name(state, action):
    for name in ("scent", "visits"):
        state.grid.set_number(name, Position(0, 0), 3)


def T_text_field_wrong(state, action):
    state.grid.set_number("sent", Position(0, 0), 3)


def T_text_field_zip(state, action):
    for name, k in zip(("scent", "visits"), (1, 2)):
        state.grid.set_number(name, Position(0, 0), k)


def T_text_field_helper(state, action):
    state.h = total_of(state.grid, "scent") + total_of(state.grid, name="visits")


def total_of(grid, name):
    return sum(grid.number(name, p) for p in grid.positions())


def T_text_selection(state, action):
    which = "border" if state.flag else "inside"
    n = 0
    for p in state.grid.area.positions(which):
        n += p.y
    state.n = n


def T_text_selection_number(state, action):
    n = 0
    for p in state.grid.area.positions(2):
        n += p.y
    state.n = n


def T_text_bool(state, action):
    w = "" if state.flag else "a"
    state.n = 1 if bool(w) else 2


# whole numbers and floats in one variable


def f_float_of_negative(a, b, x, y, s):
    return math.atan2(float(-(a % 1 if s else x)), -1.0)


def f_float_of_product(a, b, x, y, s):
    return math.atan2(float((0 if s else x) * -1), -1.0)


def f_float_of_rest(a, b, x, y, s):
    return math.copysign(1.0, float((7 if s else x) % -7))


def f_float_variable(a, b, x, y, s):
    v = 0
    if s:
        v = -x
    w = -v
    return math.copysign(2.0, float(w))


def f_float_loop(a, b, x, y, s):
    best = 0
    for k in range(3):
        best = -best
        if k * x > 5:
            best = x
    return math.atan2(float(best), -2.0)


def f_divmod_mixed(a, b, x, y, s):
    return divmod(a, 2 if s else y)[0]


def f_divmod_mixed_rest(a, b, x, y, s):
    return divmod(a, 2 if s else y)[1]


def f_divmod_mixed_left(a, b, x, y, s):
    return divmod(b if s else y, a)[0]


def f_divmod_both(a, b, x, y, s):
    return divmod(a if s else x, 3 if s else y)[1]


def f_sum_tuple_mixed(a, b, x, y, s):
    return sum((1 if s else y, a))


def f_sum_tuple_mixed_start(a, b, x, y, s):
    return sum((a, b), 1 if s else y)


def f_sum_tuple_floats(a, b, x, y, s):
    return sum((a, x, b))


def f_sum_fixed(a, b, x, y, s):
    return sum(k + (a if s else x) for k in (1, 2, 3))


def f_sum_generator_mixed(a, b, x, y, s):
    return sum((a if s else x) for k in range(2))


def f_sum_generator_start(a, b, x, y, s):
    return sum((a for k in range(2)), 1 if s else y)


def f_sum_generator_start_float(a, b, x, y, s):
    return sum((a for k in range(b % 3)), x)


def f_sum_empty(a, b, x, y, s):
    return sum((x for k in range(b % 2)), a)


def f_max_default(a, b, x, y, s):
    return max((x for k in range(b % 2)), default=a)


def f_max_default_text(a, b, x, y, s):
    return max((a for k in range(b % 2)), default=x)


def f_min_of_mixed(a, b, x, y, s):
    return min(a if s else x, b)


def f_min_of_equal(a, b, x, y, s):
    return min(a, float(a)) + b


def f_max_of_equal(a, b, x, y, s):
    return max(2**53 + a % 3, x)


def f_min_three(a, b, x, y, s):
    return min(x, a, s)


def f_max_tuple(a, b, x, y, s):
    return max((a, x, b))


def f_max_truths(a, b, x, y, s):
    return max(s, a > 3, b > 2)


def f_abs_mixed(a, b, x, y, s):
    return abs(a if s else x) + b


def f_round_mixed(a, b, x, y, s):
    return round(a if s else x)


def f_int_mixed(a, b, x, y, s):
    return int(a if s else x) * 3


def f_floor_mixed(a, b, x, y, s):
    return math.floor(a if s else x)


def f_power_mixed(a, b, x, y, s):
    return (a if s else x) ** 2


def f_power_mixed_negative(a, b, x, y, s):
    return (a if s else x) ** -1


def f_power_mixed_exponent(a, b, x, y, s):
    return 3 ** (b % 40 if s else y)


def f_power_mixed_half(a, b, x, y, s):
    return (a if s else x) ** 0.5


def f_power_truth(a, b, x, y, s):
    return s ** (b % 5)


def f_mod_mixed(a, b, x, y, s):
    return (a if s else x) % 7


def f_floordiv_mixed(a, b, x, y, s):
    return (a if s else x) // 7


def f_truediv_mixed(a, b, x, y, s):
    return (a if s else x) / (b if s else y)


def f_truediv_then(a, b, x, y, s):
    return a / 3 * 3 == a


def f_times_twice(a, b, x, y, s):
    v = a if s else x
    return v * v * v


def f_grow(a, b, x, y, s):
    v = 1 if s else 1.5
    for _ in range(b % 70):
        v = v * 3
    return v


def f_grow_then_shrink(a, b, x, y, s):
    v = 1 if s else 0.5
    for _ in range(60):
        v = v * 2
    for _ in range(10):
        v = v + 1
    for _ in range(60):
        v = v // 2
    return v


def f_add_up(a, b, x, y, s):
    v = 2**53 - 2 if s else 0.5
    for _ in range(b % 9):
        v += 1
    return v


def f_subtract_down(a, b, x, y, s):
    v = -(2**53) + 2 if s else 0.5
    for _ in range(b % 9):
        v -= 1
    return v


def f_negated_large(a, b, x, y, s):
    v = a if s else x
    return -v - 1


def f_half_then_whole(a, b, x, y, s):
    v = a
    v = v / 2
    v = v * 2
    return v == a


def f_tuple_swap(a, b, x, y, s):
    p, q = a, x
    if s:
        p, q = q, p
    return p


def f_tuple_mixed_index(a, b, x, y, s):
    return (a, x)[0] + (a, x)[1]


def f_tuple_mixed_dynamic(a, b, x, y, s):
    return (a, x)[b % 2]


def f_tuple_truths_dynamic(a, b, x, y, s):
    return (s, a)[b % 2]


def f_tuple_same_mixed(a, b, x, y, s):
    return (a, 1) == (x, 1)


def f_tuple_same_truth(a, b, x, y, s):
    return (s, 1) == (a, 1)


def f_tuple_order_truth(a, b, x, y, s):
    return (s, b) < (a, 1)


def f_tuple_same_lengths(a, b, x, y, s):
    return (a, b) == (a, b, 1)


def f_tuple_order_lengths(a, b, x, y, s):
    return (a, b) < (a, b, 1)


def f_tuple_nan(a, b, x, y, s):
    t = (x, y)
    return t == t


def f_tuple_plus(a, b, x, y, s):
    return ((a,) + (x, y))[1]


def f_tuple_times(a, b, x, y, s):
    return ((a, b) * 2)[3]


def f_tuple_in(a, b, x, y, s):
    return (a, b) in ((1, 2), (a, b))


def f_tuple_slice(a, b, x, y, s):
    return (a, b, 3)[-2:][0]


def f_tuple_slice_step(a, b, x, y, s):
    return (a, b, 3)[::-1][0]


def f_tuple_index_negative(a, b, x, y, s):
    return (a, b, 3)[b % 7 - 5]


def f_tuple_index_truth(a, b, x, y, s):
    return (a, b)[s]


def f_tuple_index_comparison(a, b, x, y, s):
    return (a, b)[a > b]


def f_tuple_nested(a, b, x, y, s):
    (p, q), r = (a, x), s
    return p + r


def f_tuple_is(a, b, x, y, s):
    t = (a, b)
    u = t
    return t is u


def f_tuple_truth(a, b, x, y, s):
    t = (a, b)
    return 1 if t else 2


def f_tuple_empty_truth(a, b, x, y, s):
    t = ()
    return 1 if t else 2


def f_tuple_not(a, b, x, y, s):
    return not (a, b)


def f_tuple_or(a, b, x, y, s):
    return ((a, b) or (b, a))[0]


def helper_mixed(v):
    return v * 2 + 1


def f_helper_both(a, b, x, y, s):
    return helper_mixed(a) + helper_mixed(x) + helper_mixed(s)


def f_helper_of_mixed(a, b, x, y, s):
    return helper_mixed(a if s else x)


def either(a, x, s):
    if s:
        return a
    return x


def f_helper_returns_mixed(a, b, x, y, s):
    return either(a, x, s) * 3


def f_helper_returns_mixed_twice(a, b, x, y, s):
    return either(either(a, x, s), y, s) % 5


def f_helper_returns_mixed_angle(a, b, x, y, s):
    return math.atan2(-either(0, x, s), -1)


def f_helper_returns_mixed_float(a, b, x, y, s):
    return math.atan2(float(-either(0, x, s)), -1)


def pair_of(a, x, s):
    return (a, x) if s else (x, x)


def f_helper_returns_pair(a, b, x, y, s):
    return pair_of(a, x, s)[0]


def none_or(a, s):
    if s:
        return a
    return None


def f_none_plus(a, b, x, y, s):
    return none_or(a, s) + 1


def f_none_is(a, b, x, y, s):
    return none_or(a, s) is None


def f_none_same(a, b, x, y, s):
    return none_or(a, s) == a


def f_none_differs(a, b, x, y, s):
    return none_or(a, s) != b


def f_none_none(a, b, x, y, s):
    return none_or(a, s) == none_or(b, not s)


def f_none_truth(a, b, x, y, s):
    return 1 if none_or(a, s) else 2


def f_none_order(a, b, x, y, s):
    return none_or(a, s) < b


def f_none_or(a, b, x, y, s):
    return none_or(a, s) or b


def f_none_and(a, b, x, y, s):
    return none_or(a, s) and b


def f_none_not(a, b, x, y, s):
    return not none_or(a, s)


def f_none_float(a, b, x, y, s):
    v = None
    if s:
        v = x
    return v if v is not None else a


def f_none_mixed(a, b, x, y, s):
    v = None
    for k in range(3):
        if s:
            v = k if a > 3 else x
    return 0 if v is None else v


def f_none_power(a, b, x, y, s):
    return none_or(b % 5, s) ** 2


def f_none_int(a, b, x, y, s):
    return int(none_or(a, s))


def f_none_float_of(a, b, x, y, s):
    return float(none_or(x, s))


def f_none_min(a, b, x, y, s):
    return min(none_or(a, s), b)


def f_none_abs(a, b, x, y, s):
    return abs(none_or(a, s))


def f_none_range(a, b, x, y, s):
    n = 0
    for _ in range(none_or(b % 5, s)):
        n += 1
    return n


def f_none_neg(a, b, x, y, s):
    return -none_or(a, s)


def f_none_math(a, b, x, y, s):
    return math.sqrt(none_or(x, s))


def f_none_tuple(a, b, x, y, s):
    t = (none_or(a, s), b)
    return t == (a, b)


def f_none_in(a, b, x, y, s):
    return none_or(a, s) in (a, None)


def f_none_round(a, b, x, y, s):
    return round(none_or(x, s))


def f_none_bool(a, b, x, y, s):
    return bool(none_or(a, s))


def f_none_floats_same(a, b, x, y, s):
    return none_or(x, s) == y


def f_none_floats_whole(a, b, x, y, s):
    return none_or(a, s) == x


def f_none_is_not_none(a, b, x, y, s):
    v = none_or(a, s)
    return v is not None and v > 3


def f_none_result(a, b, x, y, s):
    return None if s else a


# calls


def takes_keyword(a, *, k=1):
    return a * 10 + k


def takes_place(a, /, k=1):
    return a * 10 + k


def takes_needed(a, b=1, *, k):
    return 5 if k is None else a * 10 + b


def takes_three(a, b=1, c=0):
    return a * 100 + b * 10 + c


part_of_three = functools.partial(takes_three, b=2)


def f_call_keyword_by_place(a, b, x, y, s):
    return takes_keyword(a % 100, 2)


def f_call_place_by_keyword(a, b, x, y, s):
    return takes_place(a=b % 100)


def f_call_needed_left_out(a, b, x, y, s):
    return takes_needed(a % 100)


def f_call_needed_left_out_two(a, b, x, y, s):
    return takes_needed(a % 100, 3)


def f_call_partial_by_place(a, b, x, y, s):
    return part_of_three(1, 3)


def f_call_partial_again(a, b, x, y, s):
    return part_of_three(1, b=3)


def f_call_partial_keyword(a, b, x, y, s):
    return part_of_three(1, c=3)


def f_call_too_many(a, b, x, y, s):
    return takes_three(1, 2, 3, 4)


def f_call_too_few(a, b, x, y, s):
    return takes_three()


def f_call_twice_given(a, b, x, y, s):
    return takes_three(1, a=2)


def f_call_unknown(a, b, x, y, s):
    return takes_three(1, d=2)


def f_call_order(a, b, x, y, s):
    return takes_three(c=a % 10, a=b % 10)


def given_by_default(a, f=takes_three, k=(1, 2)):
    return f(a) + k[1]


def f_call_default_function(a, b, x, y, s):
    return given_by_default(a % 9) + given_by_default(b % 9, takes_keyword)


def f_call_default_tuple(a, b, x, y, s):
    return given_by_default(a % 9, k=(3, 4))


def default_none(a, k=None):
    return a if k is None else k


def f_call_default_none(a, b, x, y, s):
    return default_none(a) + default_none(a, b) + default_none(a, k=None)


def default_float(a, k=1.0):
    return a * k


def f_call_default_float(a, b, x, y, s):
    return default_float(a) + default_float(a, 2)


def default_truth(a, k=True):
    return a + k


def f_call_default_truth(a, b, x, y, s):
    return default_truth(a) + default_truth(a, 2)


def default_list(a, k=[1, 2]):
    return a + k[0]


def f_call_default_list(a, b, x, y, s):
    return default_list(a)


def default_large(a, k=2**64):
    return a + k


def f_call_default_large(a, b, x, y, s):
    return default_large(a)


def default_enum(a, k=Level.HIGH):
    return a + k


def f_call_default_enum(a, b, x, y, s):
    return default_enum(a)


def default_color(a, k=Color.RED):
    return 1 if k == a else 2


def f_call_default_color(a, b, x, y, s):
    return default_color(a % 4)


def default_text(a, k="x"):
    return 1 if k == "x" else 2


def f_call_default_text(a, b, x, y, s):
    return default_text(a) + default_text(a, "y")


def f_call_default_text_tuple(a, b, x, y, s):
    return default_text(a, WORDS_[b % 3])


def make_adder(k):
    def adder(a):
        return a + k

    return adder


add_three, add_half = make_adder(3), make_adder(0.5)


def f_closure(a, b, x, y, s):
    return add_three(b) + add_half(b) + add_three(x)


ADDERS = tuple(make_adder(k) for k in (1, 2, 3))


def f_closures_loop(a, b, x, y, s):
    t = 0
    for add in ADDERS:
        t = add(t) * 2
    return t


def f_closures_index(a, b, x, y, s):
    return ADDERS[0](b) + ADDERS[-1](b)


late = [lambda n: n + k for k in (1, 2, 3)]


def f_lambda_late(a, b, x, y, s):
    return late[0](b)


LAMBDAS = (lambda n: n + 1, lambda n: n * 2)


def f_lambdas(a, b, x, y, s):
    t = b
    for f in LAMBDAS:
        t = f(t)
    return t


def twice(f):
    def inner(n):
        return f(f(n))

    return inner


@twice
def increase(n):
    return n + 1


def f_decorated(a, b, x, y, s):
    return increase(b)


def count_calls(f):
    def inner(n):
        inner.calls += 1
        return f(n)

    inner.calls = 0
    return inner


@count_calls
def decrease(n):
    return n - 1


def f_decorated_attribute(a, b, x, y, s):
    return decrease(b)


@functools.lru_cache
def cached(n):
    return n + 5


def f_cached(a, b, x, y, s):
    return cached(b)


@functools.singledispatch
def by_type(n):
    return 1


@by_type.register
def _(n: int):
    return 2


def f_dispatched(a, b, x, y, s):
    return by_type(b) * 10 + by_type(x)


class Tools:
    scale = 3

    @staticmethod
    def scaled(n):
        return n * 3

    @classmethod
    def by_scale(cls, n):
        return n * cls.scale

    def __init__(self):
        self.scale = 7

    def own(self, n):
        return n * self.scale

    def __call__(self, n):
        return n * 11

    @property
    def changing(self):
        self.scale += 1
        return self.scale


TOOLS = Tools()
COUNTING = Tools()


class MoreTools(Tools):
    scale = 5

    def own(self, n):
        return super().own(n) + 1


MORE_TOOLS = MoreTools()


def f_static_method(a, b, x, y, s):
    return Tools.scaled(b % 100) + TOOLS.scaled(b % 100)


def f_class_method(a, b, x, y, s):
    return Tools.by_scale(b % 100) + MoreTools.by_scale(b % 100)


def f_bound_method(a, b, x, y, s):
    return TOOLS.own(b % 100)


def f_super_method(a, b, x, y, s):
    return MORE_TOOLS.own(b % 100)


def f_called_object(a, b, x, y, s):
    return TOOLS(b % 100)


def f_property_changing(a, b, x, y, s):
    return COUNTING.changing


def f_unbound_method(a, b, x, y, s):
    return Tools.own(TOOLS, b % 100)


def f_getattr(a, b, x, y, s):
    return getattr(TOOLS, "scale") * b


def f_partial_inside(a, b, x, y, s):
    return functools.partial(takes_three, b=2)(1)


def f_partial_operator(a, b, x, y, s):
    return functools.partial(operator.add, 1)(b)


def f_operator(a, b, x, y, s):
    return operator.mul(b, a % 5)


def f_operator_div(a, b, x, y, s):
    return operator.truediv(a, b)


def f_reduce(a, b, x, y, s):
    return functools.reduce(operator.add, (a, b))


def f_recursive(a, b, x, y, s):
    return 1 if b < 1 else b * f_recursive(a, b % 5 - 1, x, y, s)


# shadowed names


def f_local_abs(a, b, x, y, s):
    abs = b
    return abs + 1


def f_local_min_called(a, b, x, y, s):
    min = takes_three
    return min(1, 2)


def f_local_len(a, b, x, y, s):
    len = 3
    for k in range(len):
        len += k
    return len


def f_local_range(a, b, x, y, s):
    range = (1, 2, 3)
    t = 0
    for k in range:
        t += k
    return t


def f_local_bool(a, b, x, y, s):
    bool = b
    return any(k > 2 + bool for k in (1, 2, 3))


def f_local_math(a, b, x, y, s):
    math = (a, b)
    return math[0]


def f_local_sum(a, b, x, y, s):
    sum = 0
    for k in range(3):
        sum += k
    return sum + max(k for k in range(4))


def f_math_renamed(a, b, x, y, s):
    return m.sqrt(abs(x)) + s_of(y) + angle_of(x, 2.0)


def f_prefixed(a, b, x, y, s):
    _count_0, _read, _choose, _power, _owner_0 = a, b, 3, 4, 5
    t = 0
    for i, k in enumerate(range(_power)):
        t += i * k + _count_0 % 7 + _read % 5
    return t + _choose**2 + _owner_0


_count_0 = 100
_count_1 = 1000
_power = 7
_sum = 5
_whole = 9
_unpack = 11


def f_prefixed_globals(a, b, x, y, s):
    t = 0
    for i, k in enumerate(range(3)):
        t += i * k + _count_0
    return t


def f_prefixed_globals_nested(a, b, x, y, s):
    t = 0
    for i, k in enumerate(range(3)):
        for j, h in enumerate(range(2)):
            t += i * k + j + _count_0 + _count_1
    return t


def f_prefixed_power(a, b, x, y, s):
    return (b % 5) ** 2 + _power + sum(k for k in range(3)) + _sum


def f_prefixed_unpack(a, b, x, y, s):
    p, q = Position(1, 2)
    return p + q + _unpack


def _count_3():
    return 4


def f_prefixed_function(a, b, x, y, s):
    t = 0
    for i, k in enumerate(range(2)):
        t += _count_3() + i
    return t


def f_double_underscore(a, b, x, y, s):
    __total, __item, __best, __found = 1, 2, 3, 4
    return sum(k + __total for k in range(3)) + max(k + __best for k in range(3)) + __item + __found


def f_double_underscore_unset(a, b, x, y, s):
    if s:
        __late = 3
    return __late


def f_unicode(a, b, x, y, s):
    größe, µ, Δx, 数 = a, b, x, 4
    return größe % 7 + µ + 数


def f_unicode_normal_form(a, b, x, y, s):
    ﬁne = 5
    return fine + ﬁne


def f_keyword_names(a, b, x, y, s):
    match, case, type, _ = 1, 2, 3, 4
    return match + case + type + _


def f_named_like_itself(a, b, x, y, s):
    f_named_like_itself = 3
    return f_named_like_itself + a


def f_runtime_error(a, b, x, y, s):
    RuntimeError = 3
    if a > 5:
        raise ValueError("no")
    return RuntimeError


# order of evaluation


def T_order_enumerate(state, action, *, rng):
    t = 0
    for i, k in enumerate(range(rng.integers(5)), rng.integers(100)):
        t += i * 7 + k
    state.n = t


def T_order_sum_start(state, action, *, rng):
    state.n = sum((k for k in range(rng.integers(5))), rng.integers(100))


def T_order_max_default(state, action, *, rng):
    state.n = max((k for k in range(rng.integers(3))), default=rng.integers(100))


def T_order_next_default(state, action, *, rng):
    state.n = next((k + 7 for k in range(rng.integers(2))), rng.integers(100))


def T_order_operands(state, action, *, rng):
    state.n = rng.integers(10) - rng.integers(10) * rng.integers(10)


def T_order_min(state, action, *, rng):
    state.n = min(rng.integers(10), 3 + rng.integers(4)) * max(rng.integers(10), rng.integers(20), 5)


def T_order_call(state, action, *, rng):
    state.n = takes_three(c=rng.integers(10), a=rng.integers(10), b=rng.integers(10))


def T_order_call_partial(state, action, *, rng):
    state.n = choosing(rng.integers(10), takes_three, rng.integers(10))


def choosing(a, f, b):
    return f(a, b)


def T_order_call_static_keyword(state, action, *, rng):
    state.n = choosing(b=rng.integers(10), f=takes_three, a=rng.integers(10))


def T_order_assign_item(state, action, *, rng):
    c = new_integers(state.scratch, 9)
    c[rng.integers(9)] = rng.integers(1, 50)
    for k in range(9):
        state.m += c[k] * k % 1000
        state.n = c[k] + state.n % 1000


def T_order_assign_attribute(state, action, *, rng):
    state.agents[rng.integers(2)].steps = rng.integers(50)


def T_order_augmented_attribute(state, action, *, rng):
    state.agents[rng.integers(2)].steps += rng.integers(50)


def T_order_augmented_item(state, action, *, rng):
    c = new_integers(state.scratch, 9)
    c[rng.integers(9)] += rng.integers(1, 50)
    state.n = sum(c[k] * k for k in range(9))


def T_order_augmented_changed(state, action):
    state.n = 5
    state.n += changing(state)


def changing(state):
    state.n = 100
    return 1


def T_order_augmented_local(state, action, *, rng):
    v = rng.integers(5)
    v -= rng.integers(5) - (v := 3)
    state.n = v


def T_order_conditional(state, action, *, rng):
    state.n = rng.integers(10) if rng.random() < 0.5 else rng.integers(100)


def T_order_chain(state, action, *, rng):
    state.flag = rng.integers(5) < rng.integers(10) < rng.integers(5)
    state.n = rng.integers(1000)


def T_order_chain_short(state, action, *, rng):
    state.flag = 5 < state.n < rng.integers(5)
    state.m = rng.integers(1000)


def T_order_and(state, action, *, rng):
    state.flag = state.n > 3 and rng.random() < 0.5 or rng.random() < 0.2
    state.m = rng.integers(1000)


def T_order_any(state, action, *, rng):
    state.flag = any(rng.random() < 0.3 for _ in range(5))
    state.m = rng.integers(1000)


def T_order_any_fixed(state, action, *, rng):
    state.flag = any(rng.random() < k for k in (0.2, 0.4, 0.6))
    state.m = rng.integers(1000)


def T_order_all_fixed(state, action, *, rng):
    state.flag = all(rng.random() < k for k in (0.9, 0.8, 0.6))
    state.m = rng.integers(1000)


def T_order_min_fixed(state, action, *, rng):
    state.h = min(rng.random() * k for k in (3, 2, 1))


def T_order_default_next(state, action, *, rng):
    state.n = next((p.y for p in state.grid.positions() if rng.random() < 0.01), -1)


def T_order_nested_min(state, action, *, rng):
    state.n = min(max(rng.integers(9) for _ in range(y + 1)) for y in range(3))


def T_order_key_draw(state, action):
    p = max((p for p in state.grid.positions()), key=drawn_key)
    state.n = p.y


def drawn_key(p):
    return (p.y * 7 + p.x * 3) % 5


def T_order_tuple(state, action, *, rng):
    a, b = rng.integers(10), rng.integers(20)
    state.n, state.m = b, a


def T_order_targets(state, action):
    state.n = state.m = state.n + 1


def T_order_chained_targets(state, action):
    n = 0
    n, state.n = 3, n
    state.m = n


def T_order_position(state, action, *, rng):
    p = Position(rng.integers(5), rng.integers(6))
    state.agent.position = p


def T_order_position_keywords(state, action, *, rng):
    p = Position(x=rng.integers(6), y=rng.integers(5))
    state.agent.position = p


def T_order_area_keywords(state, action, *, rng):
    r = Area(xs=(rng.integers(2), 3 + rng.integers(2)), ys=(rng.integers(2), 3 + rng.integers(2)))
    state.n = r.ymin * 1000 + r.ymax * 100 + r.xmin * 10 + r.xmax


def T_order_door_keywords(state, action, *, rng):
    state.grid[0, 0] = Door(color=rng.choice((Color.RED, Color.GREEN)), status=rng.integers(3))


def T_order_pair_keywords(state, action, *, rng):
    t = Tinted(amount=rng.integers(9), tint=rng.integers(9))
    state.n = t.tint * 10 + t.amount


def T_order_in(state, action, *, rng):
    k = rng.integers(9)
    state.flag = k in (rng.integers(9), rng.integers(9))
    state.m = rng.integers(1000)


def T_order_state_rng(state, action, *, rng):
    a = state.rng.integers(100)
    b = rng.integers(100)
    state.n = a * 1000 + b + state.rng.integers(100) * 100000


def T_order_two_rngs(state, action, *, rng):
    r = state.rng
    state.n = r.integers(10) + 10 * rng.integers(10) + 100 * state.rng.integers(10) + 1000 * r.integers(10)


# enumerate, zip, range, slices


def f_enumerate_start_float(a, b, x, y, s):
    t = 0.0
    for i, k in enumerate(range(3), 0.5):
        t += i
    return t


def f_enumerate_start_truth(a, b, x, y, s):
    t = 0
    for i, k in enumerate(range(3), s):
        t += i * k
    return t


def f_enumerate_start_large(a, b, x, y, s):
    t = 0
    for i, k in enumerate(range(3), a):
        t = i
    return t


def f_enumerate_start_negative(a, b, x, y, s):
    t = 0
    for i, k in enumerate(range(b % 5), start=-3):
        t = t * 7 + i * k
    return t


def f_enumerate_reassigned(a, b, x, y, s):
    t = 0
    for i, k in enumerate(range(4)):
        i = i * 10
        k += 1
        t += i + k
    return t


def f_enumerate_after(a, b, x, y, s):
    for i, k in enumerate(range(4)):
        if k == b % 7:
            break
    return i


def f_enumerate_same_name(a, b, x, y, s):
    t = 0
    for i, i in enumerate(range(3, 6)):
        t += i
    return t


def f_enumerate_twice(a, b, x, y, s):
    t = 0
    for i, (j, k) in enumerate(enumerate(range(3, 6), 2)):
        t += i * j * k
    return t


def f_enumerate_sum(a, b, x, y, s):
    return sum(i * k for i, k in enumerate(range(5), b % 7))


def f_enumerate_sum_nested(a, b, x, y, s):
    return sum(i * j * k for i, k in enumerate(range(5)) for j in range(i))


def f_enumerate_no_pair(a, b, x, y, s):
    t = 0
    for pair in enumerate(range(3)):
        t += pair[0] * pair[1]
    return t


def f_enumerate_else(a, b, x, y, s):
    for i, k in enumerate(range(b % 5)):
        if k == 3:
            break
    else:
        return -1
    return i


def f_enumerate_too_many(a, b, x, y, s):
    t = 0
    for i, k in enumerate(range(3), 1, 2):
        t += i
    return t


def f_enumerate_wrong_keyword(a, b, x, y, s):
    t = 0
    for i, k in enumerate(range(3), begin=2):
        t += i
    return t


def f_enumerate_iterable_keyword(a, b, x, y, s):
    t = 0
    for i, k in enumerate(start=2, iterable=range(3)):
        t += i
    return t


def f_enumerate_number(a, b, x, y, s):
    t = 0
    for i, k in enumerate(b):
        t += i
    return t


def f_zip_lengths(a, b, x, y, s):
    t = 0
    for i, k in zip(range(b % 5), range(10, 13)):
        t += i * k
    return t


def f_zip_three(a, b, x, y, s):
    return sum(i * j * k for i, j, k in zip(range(3), (4, 5, 6), range(9, 0, -2)))


def f_zip_one(a, b, x, y, s):
    t = 0
    for (k,) in zip(range(4)):
        t += k
    return t


def f_zip_none(a, b, x, y, s):
    t = 0
    for k in zip():
        t += 1
    return t


def f_zip_strict(a, b, x, y, s):
    return sum(i * j for i, j in zip(range(3), range(4), strict=True))


def f_zip_mixed(a, b, x, y, s):
    return sum(i * j for i, j in zip((a % 7, b % 7), (x, y)))


def f_range_negative(a, b, x, y, s):
    t = 0
    for k in range(b % 9, -3, -2):
        t = t * 3 + k
    return t


def f_range_zero_step(a, b, x, y, s):
    t = 0
    for k in range(0, 5, b % 2):
        t += k
    return t


def f_range_huge(a, b, x, y, s):
    t = 0
    for k in range(2**62, 2**62 + 3):
        t += k % 7
    return t


def f_range_huge_bound(a, b, x, y, s):
    t = 0
    for k in range(2**63 - 3, 2**63 - 1):
        t += k % 7
    return t


def f_range_huge_step(a, b, x, y, s):
    t = 0
    for k in range(0, 2**61, 2**60):
        t += k % 7
    return t


def f_range_huge_step_down(a, b, x, y, s):
    t = 0
    for k in range(2**60, -(2**61), -(2**60) - 5):
        t += k % 7
    return t


def f_range_bound_argument(a, b, x, y, s):
    t = 0
    for k in range(a, a + 2):
        t += k % 7
    return t


def f_range_length(a, b, x, y, s):
    return len(range(a, b, 3))


def f_range_length_down(a, b, x, y, s):
    return len(range(10, b % 9, -1))


def f_range_length_huge(a, b, x, y, s):
    return len(range(-(2**61), 2**61))


def f_range_item(a, b, x, y, s):
    return range(3, 30, 4)[2]


def f_range_in(a, b, x, y, s):
    return b in range(0, 20, 3)


def f_range_in_static(a, b, x, y, s):
    return 3 in range(5)


def f_range_float(a, b, x, y, s):
    t = 0
    for k in range(x):
        t += k
    return t


def f_range_truth(a, b, x, y, s):
    t = 5
    for k in range(s):
        t += 1
    return t


def f_range_changed(a, b, x, y, s):
    n = 3
    t = 0
    for k in range(n):
        n = 10
        k += 5
        t += k
    return t


def f_range_same(a, b, x, y, s):
    return range(3) == range(0, 3)


def f_range_variable(a, b, x, y, s):
    r = range(b % 6)
    t = 0
    for k in r:
        t += k
    for k in r:
        t += k
    return t


def f_range_truth_of(a, b, x, y, s):
    r = range(b % 2)
    return 1 if r else 2


def f_range_reversed(a, b, x, y, s):
    t = 0
    for k in reversed(range(4)):
        t = t * 10 + k
    return t


def f_range_sorted(a, b, x, y, s):
    t = 0
    for k in sorted((3, 1, 2)):
        t = t * 10 + k
    return t


def f_range_max(a, b, x, y, s):
    return max(range(b % 7))


def f_range_sum(a, b, x, y, s):
    return sum(range(b % 7))


def f_generator_shadowed(a, b, x, y, s):
    p = 4
    return sum(p for p in range(p)) + p


def f_generator_nested_shadow(a, b, x, y, s):
    k = 2
    return sum(max(k * j for j in range(3)) for k in range(3)) + k


def f_generator_condition(a, b, x, y, s):
    return sum(k for k in range(10) if k % 2 if k > 3)


def f_generator_two_conditions(a, b, x, y, s):
    return sum(k * j for k in range(5) if k > b % 4 for j in range(k) if j != 2)


def f_generator_min_first(a, b, x, y, s):
    return min((abs(k - 2), -k) for k in range(5))[1]


def f_generator_max_key(a, b, x, y, s):
    return max((k for k in range(7)), key=wave)


def f_generator_min_key_default(a, b, x, y, s):
    return min((k for k in range(b % 4)), key=wave, default=-3)


def f_generator_min_key_abs(a, b, x, y, s):
    return min((k - 3 for k in range(7)), key=abs)


def f_generator_max_key_float(a, b, x, y, s):
    return max((k for k in range(7)), key=wave_or_zero)


def f_generator_max_nan(a, b, x, y, s):
    return max((x if k else y) for k in range(2))


def f_generator_max_nan_key(a, b, x, y, s):
    return max((k for k in range(3)), key=nan_at_first)


def nan_at_first(k):
    return math.nan if k == 0 else float(k)


def wave(k):
    return (k * 5) % 7


def wave_or_zero(k):
    return 0 if k == 3 else math.sin(k)


def f_generator_all_empty(a, b, x, y, s):
    return all(k > 100 for k in range(b % 2))


def f_generator_any_mixed(a, b, x, y, s):
    return any((a if s else x) for k in range(2))


def f_generator_next_none(a, b, x, y, s):
    return next((k for k in range(5) if k == b), None) is None


def f_generator_next_none_plus(a, b, x, y, s):
    return next((k for k in range(5) if k == b), None) + 1


def f_generator_next_stop(a, b, x, y, s):
    return next(k for k in range(5) if k == b)


def f_generator_next_float(a, b, x, y, s):
    return next((k for k in range(5) if k == b), x)


def f_generator_sum_truths(a, b, x, y, s):
    return sum(k > 2 for k in range(5)) + sum(not k for k in range(3))


def f_generator_sum_overflow(a, b, x, y, s):
    return sum(a for k in range(5))


def f_generator_tuple(a, b, x, y, s):
    return tuple(k for k in range(3))[1]


def f_generator_list_comprehension(a, b, x, y, s):
    return len([k for k in range(3)])


def f_generator_sorted(a, b, x, y, s):
    return sorted(k for k in range(3))[0]


def f_generator_walrus(a, b, x, y, s):
    return any((t := k) > 3 for k in range(7)) and t


def f_generator_star(a, b, x, y, s):
    return max(*(a, b))


# positions, areas, orientations


def T_far_add(state, action):
    p = Position(2**62, 0) + Position(2**62, 0)
    state.flag = p.y > 0


def T_far_add_field(state, action):
    p = Position(state.n, 0) + Position(state.m, 0)
    state.h = p.y


def T_far_sub(state, action):
    p = Position(state.n, state.m) - Position(state.m, state.n)
    state.flag = p.y > p.x


def T_far_neg(state, action):
    p = -Position(state.n, state.m)
    state.flag = p.y > 0


def T_far_turned(state, action):
    p = Position(state.n, state.m) * Orientation.BACKWARD
    state.flag = p.y > 0


def T_far_turned_left(state, action):
    p = Position(state.n, state.m) * state.agent.orientation
    state.flag = p.y > p.x


def T_far_manhattan(state, action):
    state.h = Position.manhattan_distance(Position(state.n, 0), Position(state.m, 3))


def T_far_euclidean(state, action):
    state.h = Position.euclidean_distance(Position(state.n, 0), Position(state.m, 3))


def T_far_euclidean_half(state, action):
    state.h = Position.euclidean_distance(Position(2**32, 0), Position(0, 3))


def T_far_contains(state, action):
    state.flag = state.grid.contains(Position(state.n, state.m))


def T_far_blocked(state, action):
    state.flag = state.blocked(Position(state.n, state.m))


def T_far_occupied(state, action):
    state.flag = state.occupied(Position(state.n, state.m))


def T_far_sees(state, action):
    state.flag = state.sees_through(Position(state.n, state.m))


def T_far_can_step(state, action):
    state.flag = state.can_step(Position(state.n, state.m), Position(state.m, state.n))


def T_far_has_wall(state, action):
    state.flag = state.grid.has_wall(Position(state.n, 0), Position(state.m, 0))


def T_far_set_wall(state, action):
    state.grid.set_wall(Position(state.n, 0), Position(state.m, 0))


def T_far_grid(state, action):
    state.flag = isinstance(state.grid[state.n, state.m], Wall)


def T_far_grid_get(state, action):
    state.flag = isinstance(state.grid.get(Position(state.n, state.m)), Wall)


def T_far_area_height(state, action):
    r = Area((min(state.n, state.m), max(state.n, state.m)), (0, 2))
    state.h = r.height


def T_far_area_shifted(state, action):
    r = Area((0, 2), (0, 2)) + Position(state.n, state.m)
    state.flag = r.ymin <= r.ymax and r.ymin > 0


def T_far_area_turned(state, action):
    r = Area((min(state.n, 0), 2), (0, 2)) * Orientation.LEFT
    state.h = r.xmax


def T_far_area_contains(state, action):
    state.flag = Area((min(state.n, 0), 2), (0, 2)).contains(Position(state.m, 1))


def T_far_area_positions(state, action):
    t = 0
    for p in Area((2**62, 2**62 + 1), (0, 1)).positions():
        t += p.y % 5
    state.n = t


def T_far_area_positions_end(state, action):
    t = 0
    for p in Area((2**63 - 2, 2**63 - 1), (0, 1)).positions():
        t += p.y % 5
    state.n = t


def T_far_area_rows_end(state, action):
    t = 0
    for y in Area((2**63 - 2, 2**63 - 1), (0, 1)).y_coordinates():
        t += y % 5
    state.n = t


def T_far_agent(state, action):
    state.agent.position = Position(state.n, state.m)


def T_far_agent_front(state, action):
    state.agent.position = Position(state.n, state.m)
    p = state.agent.front()
    state.flag = p.y > 0


def T_far_transform(state, action):
    t = state.agent.transform * Position(state.n, state.m)
    state.flag = t.y > 0


def T_far_transform_neg(state, action):
    state.agent.position = Position(state.n, state.m)
    t = -state.agent.transform
    state.flag = t.position.y > 0


def T_far_next(state, action):
    p = get_next_position(Position(state.n, state.m), state.agent.orientation, action)
    state.flag = p.y > state.n


def T_far_tick(state, action):
    state.n = state.tick + 2**62 + 2**62 - 1


def T_far_seen_by(state, action):
    s = state.seen_by(state.n)
    state.m = s.agent.steps


def T_far_agents(state, action):
    state.m = state.agents[state.n].steps


def T_area_wrong(state, action):
    r = Area((state.n, state.m), (0, 2))
    state.h = r.ymax - 3.0


def T_area_floats(state, action):
    r = Area((0.5, 2), (0, 2))
    state.h = r.ymin


def T_area_float_field(state, action):
    r = Area((state.h, 100), (0, 2))
    state.g = r.ymin


def T_area_keywords(state, action):
    r = Area(xs=(1, 2), ys=(0, 3))
    state.n = r.ymax * 10 + r.xmax


def T_area_three(state, action):
    r = Area((1, 2, 3), (0, 3))
    state.n = r.ymax * 10 + r.xmax


def T_area_same(state, action):
    state.flag = Area((0, 1), (0, state.agent.position.y)) == Area((0, 1), (0, 2))


def T_area_truths(state, action):
    r = Area((state.flag, True), (0, 3))
    state.n = r.ymax * 10 + r.ymin


def T_area_in(state, action):
    state.flag = state.agent.position in Area((0, 2), (0, 2))


def T_area_iterated(state, action):
    for p in Area((0, 2), (0, 2)):
        state.n = p


def T_orientation_float(state, action):
    state.agent.orientation = Orientation(state.h)


def T_orientation_number(state, action):
    state.agent.orientation = Orientation(state.n)


def T_orientation_truth(state, action):
    state.agent.orientation = Orientation(state.flag)


def T_orientation_half(state, action):
    state.agent.orientation = Orientation(2.5)


def T_orientation_plus(state, action):
    state.n = state.agent.orientation + 1


def T_orientation_helper_plus(state, action):
    state.n = plus_one(state.agent.orientation)


def T_orientation_helper_truth(state, action):
    state.n = truth_of(state.agent.orientation)


def T_orientation_helper_order(state, action):
    state.flag = is_below(state.agent.orientation, Orientation.RIGHT)


def T_orientation_helper_same(state, action):
    state.flag = is_same(state.agent.orientation, 2)


def T_orientation_helper_action(state, action):
    state.flag = is_same(state.agent.orientation, action)


def T_orientation_helper_identical(state, action):
    state.flag = is_identical(state.agent.orientation, Orientation.FORWARD)


def T_orientation_identical_action(state, action):
    state.flag = is_identical(state.agent.orientation, action)


def T_orientation_index(state, action):
    state.n = (1, 2, 3, 4)[state.agent.orientation]


def T_orientation_action(state, action):
    state.agent.orientation = action


def T_orientation_in(state, action):
    state.flag = state.agent.orientation in (0, 1)


def T_orientation_in_actions(state, action):
    state.flag = state.agent.orientation in (Action.LEFT, Action.MOVE_FORWARD)


def T_orientation_mul_number(state, action):
    state.agent.orientation = state.agent.orientation * 2


def T_orientation_mul_action(state, action):
    state.agent.orientation = state.agent.orientation * action


def T_orientation_key(state, action):
    o = max((o for o in Orientation), key=turns_of)
    state.n = o.value


def turns_of(o):
    return o.quarter_turns


def T_orientation_max(state, action):
    o = max(o for o in Orientation)
    state.n = o.value


def T_orientation_sum(state, action):
    state.n = sum(o.value for o in Orientation) + sum(
        o.quarter_turns for o in (Orientation.LEFT, Orientation.R)
    )


def T_orientation_name(state, action):
    state.flag = state.agent.orientation.name == "LEFT"


def T_orientation_len(state, action):
    state.n = len(Orientation)


def T_orientation_negative(state, action):
    state.agent.orientation = -state.agent.orientation * -Orientation.LEFT


def T_action_plus(state, action):
    state.n = plus_one(action)


def T_action_truth(state, action):
    state.n = truth_of(action)


def T_action_order(state, action):
    state.flag = action < Action.WAIT


def T_action_same_number(state, action):
    state.flag = action == 4


def T_action_helper_number(state, action):
    state.flag = is_same(action, 4)


def T_action_made(state, action):
    state.flag = Action(4) == action


def T_action_made_dynamic(state, action):
    state.flag = Action(state.n) == action


def T_action_made_float(state, action):
    state.flag = Action(state.h) == action


def T_action_made_is(state, action):
    state.flag = Action(state.n) is action


def T_action_value_plus(state, action):
    state.n = action.value + 1


def T_action_match(state, action):
    match action:
        case Action.TURN_LEFT:
            state.n = 1
        case Action.WAIT | Action.ACTUATE:
            state.n = 2


def T_action_match_value(state, action):
    match action.value:
        case Action.TURN_LEFT.value:
            state.n = 1
        case 2 | 3:
            state.n = 2
        case v if v > 8:
            state.n = v


def T_action_loop(state, action):
    t = 0
    for k, a in enumerate(Action):
        if a == action:
            t = k
    state.n = t


def T_action_names(state, action):
    state.flag = action.name == "WAIT"


def T_action_flags(state, action):
    state.n = action.is_move + 2 * action.is_turn + 4 * action.is_compass


def T_action_list(state, action):
    moves = [Action.MOVE_FORWARD, Action.WAIT]
    state.flag = action in moves


def T_action_index(state, action):
    state.n = (1, 2)[action.is_move]


def T_position_same_tuple(state, action):
    state.flag = state.agent.position == (1, 2)


def T_position_helper_tuple(state, action):
    state.flag = is_same(state.agent.position, (1, 2))


def T_position_yx_same(state, action):
    state.flag = state.agent.position.yx == (1, 2)


def T_position_helper_number(state, action):
    state.flag = is_same(state.agent.position, 2)


def T_position_helper_shape(state, action):
    state.flag = is_same(state.agent.position, state.grid.shape)


def T_position_helper_none(state, action):
    state.flag = is_same(state.agent.position, None)


def T_position_order(state, action):
    state.flag = is_below(state.agent.position, Position(1, 1))


def T_position_truth(state, action):
    state.n = truth_of(state.agent.position)


def T_position_float(state, action):
    p = Position(1.0, 2)
    state.n = p.y


def T_position_float_field(state, action):
    p = Position(state.h, 2)
    state.n = p.y


def T_position_truth_field(state, action):
    p = Position(state.flag, state.h > 1)
    state.n = p.y + p.x * 10


def T_position_truth_invert(state, action):
    p = Position(state.flag, 1)
    state.n = ~p.y


def T_position_truth_is(state, action):
    p = Position(state.flag, 1)
    state.flag = p.y is True


def T_position_plus_number(state, action):
    p = state.agent.position + 1
    state.n = p.y


def T_position_times_number(state, action):
    p = state.agent.position * 2
    state.n = p.y


def T_position_plus_tuple(state, action):
    p = state.agent.position + (0, 1)
    state.n = p.y


def T_position_plus_area(state, action):
    r = state.agent.position + Area((0, 1), (0, 1))
    state.n = r.ymax


def T_position_minus_area(state, action):
    r = state.agent.position - Area((0, 1), (0, 1))
    state.n = r.y


def T_position_iterated(state, action):
    t = 0
    for k in state.agent.position.yx:
        t = t * 10 + k
    state.n = t


def T_position_unpacked(state, action):
    y, x = state.agent.position
    state.n = y * 10 + x


def T_position_index(state, action):
    state.n = state.agent.position[0]


def T_position_len(state, action):
    state.n = len(state.agent.position)


def T_position_set(state, action):
    p = state.agent.position
    p.y = 3


def T_position_del(state, action):
    p = state.agent.position
    del p
    state.n = 3


def T_position_max(state, action):
    state.n = max(p.yx for p in state.grid.positions())[1]


def T_position_max_key(state, action):
    p = max((p for p in state.grid.positions()), key=place_of)
    state.n = p.y * 10 + p.x


def place_of(p):
    return (p.x % 3, -p.y)


def T_position_key_mixed(state, action):
    p = max((p for p in state.grid.positions()), key=mixed_place)
    state.n = p.y * 10 + p.x


def mixed_place(p):
    return p.x if p.y > 2 else 2.5


def T_position_sum(state, action):
    p = sum((q for q in state.grid.positions()), Position(0, 0))
    state.n = p.y * 100 + p.x


def T_position_is(state, action):
    p = state.agent.position
    state.flag = p is state.agent.position


def T_position_in_tuple(state, action):
    state.flag = state.agent.position in (Position(1, 1), Position(2, 2))


def T_position_in_generator(state, action):
    state.flag = state.agent.position in (p for p in state.grid.positions())


def T_position_any(state, action):
    state.flag = any(p == a.position for p in state.grid.positions() for a in state.agents)


def T_shape_same(state, action):
    state.flag = state.grid.shape == (5, 6)


def T_shape_index(state, action):
    state.n = state.grid.shape[0]


def T_shape_tuple(state, action):
    state.n = state.grid.shape.as_tuple[0]


def T_grid_truth_index(state, action):
    state.flag = isinstance(state.grid[state.flag, True], Wall)


def T_grid_float_index(state, action):
    state.flag = isinstance(state.grid[1.0, 2], Wall)


def T_grid_one_index(state, action):
    state.flag = isinstance(state.grid[1], Wall)


def T_grid_three_index(state, action):
    state.flag = isinstance(state.grid[1, 2, 3], Wall)


def T_grid_shape_index(state, action):
    state.flag = isinstance(state.grid[state.grid.shape], Wall)


def T_grid_area_index(state, action):
    state.flag = isinstance(state.grid[Area((0, 1), (0, 1))], Wall)


def T_grid_tuple_variable(state, action):
    t = (1, 2)
    state.flag = isinstance(state.grid[t], Wall)


def T_grid_swap(state, action):
    state.grid.swap((0, 0), Position(1, 1))


def T_grid_swap_outside(state, action):
    state.grid.swap((0, 0), Position(9, 1))


def T_grid_fill(state, action):
    state.grid.fill(Floor)


def T_grid_fill_object(state, action):
    state.grid.fill(Key(Color.RED))


def T_grid_put_kind(state, action):
    state.grid[0, 0] = Floor


def T_grid_put_number(state, action):
    state.grid[0, 0] = 3


def T_grid_put_none(state, action):
    state.grid[0, 0] = None


def T_grid_put_position(state, action):
    state.grid[0, 0] = Position(1, 2)


def T_grid_put_conditional(state, action):
    state.grid[0, 0] = Wall() if state.flag else Key(Color.RED)


def T_grid_put_self(state, action):
    state.grid[0, 0] = state.grid


def T_grid_key_no_color(state, action):
    state.grid[0, 0] = Key()


def T_grid_door_status_number(state, action):
    state.grid[0, 0] = Door(state.n, Color.RED)


def T_grid_door_status_float(state, action):
    state.grid[0, 0] = Door(state.h, Color.RED)


def T_grid_door_status_truth(state, action):
    state.grid[0, 0] = Door(state.flag, Color.RED)


def T_grid_door_status_other(state, action):
    state.grid[0, 0] = Door(Lamp.Status.ON, Color.RED)


def T_grid_door_unknown_color(state, action):
    state.grid[0, 0] = Key(Color.PURPLE)


def T_grid_door_color_none(state, action):
    state.grid[0, 0] = Key(Color.NONE)


def T_grid_box_kind(state, action):
    state.grid[0, 0] = Box(Floor)


def T_grid_box_number(state, action):
    state.grid[0, 0] = Box(3)


def T_grid_thing_word(state, action):
    state.n = state.grid[0, 0].word


def T_grid_thing_kind(state, action):
    state.n = state.grid[0, 0]._kind


def T_grid_thing_state(state, action):
    state.n = state.grid[0, 0].state + state.grid[0, 1].state_index


def T_grid_thing_number(state, action):
    state.n = state.grid[0, 0].number


def T_grid_thing_same_number(state, action):
    state.flag = is_same(state.grid[0, 0], 3)


def T_grid_thing_same_kind(state, action):
    state.flag = is_same(state.grid[0, 0], Wall)


def T_grid_thing_same_thing(state, action):
    state.flag = is_same(state.grid[0, 0], Wall())


def T_grid_thing_identical(state, action):
    state.flag = is_identical(state.grid[0, 0], state.grid[0, 0])


def T_grid_thing_truth(state, action):
    state.n = truth_of(state.grid[0, 0])


def T_grid_thing_order(state, action):
    state.flag = is_below(state.grid[0, 0], state.grid[0, 1])


def T_grid_thing_none(state, action):
    state.flag = is_same(state.grid[0, 0], None)


def T_grid_thing_in(state, action):
    state.flag = state.grid[0, 0] in (Wall(), Floor())


def T_grid_thing_in_kinds(state, action):
    state.flag = any(isinstance(state.grid[0, 0], k) for k in (Wall, Floor))


def T_grid_thing_type(state, action):
    state.flag = type(state.grid[0, 0]) == Wall


def T_grid_thing_class(state, action):
    state.flag = state.grid[0, 0].__class__ is Wall


def T_grid_thing_isinstance_object(state, action):
    state.n = isinstance(state.grid[0, 0], object) + isinstance(state.n, int) * 2


def T_grid_thing_isinstance_int(state, action):
    state.flag = isinstance(state.n, int)


def T_grid_thing_isinstance_base(state, action):
    state.n = (
        isinstance(state.grid[0, 0], GridObject)
        + 2 * isinstance(state.grid[0, 0], Lamp)
        + 4 * isinstance(state.grid[0, 0], BigLamp)
    )


def T_grid_thing_isinstance_position(state, action):
    state.flag = isinstance(state.agent.position, GridObject)


def T_grid_number_isinstance(state, action):
    state.flag = isinstance(state.n, Wall)


def T_grid_none_isinstance(state, action):
    state.flag = isinstance(none_or(3, state.flag), Wall)


def T_grid_thing_status_is(state, action):
    state.flag = state.grid[0, 0].status is Lamp.Status.ON


def T_grid_thing_status_same(state, action):
    state.flag = state.grid[0, 0].status == Lamp.Status.ON


def T_grid_thing_status_helper_is(state, action):
    state.flag = is_identical(state.grid[0, 0].status, Lamp.Status.ON)


def T_grid_thing_status_helper_is_two(state, action):
    state.flag = is_identical(state.grid[0, 0].status, state.grid[0, 1].status)


def T_grid_thing_status_two(state, action):
    state.flag = state.grid[0, 0].status is state.grid[0, 1].status


def T_grid_numbers_helper_is(state, action):
    state.flag = is_identical(state.n, state.m)


def T_grid_floats_helper_is(state, action):
    state.flag = is_identical(state.h, state.g)


def T_grid_truths_helper_is(state, action):
    state.flag = is_identical(state.flag, state.agent.hot)


def T_grid_mixed_helper_is(state, action):
    state.flag = is_identical(state.n, state.h)


def T_grid_number_truth_is(state, action):
    state.flag = is_identical(state.n, state.flag)


def T_grid_agents_is(state, action):
    state.flag = is_identical(state.agents[0], state.agent)


def T_grid_is_not_two(state, action):
    state.flag = state.n is not state.m


def T_lamp_power(state, action):
    t = 0
    for p in state.grid.positions():
        if isinstance(state.grid[p], Lamp):
            t = t * 3 + state.grid[p].power
    state.h = t


def T_lamp_power_bits(state, action):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Lamp):
            state.h = state.grid[p].power / 3
            state.n = int(state.grid[p].power) * 2


def T_lamp_power_angle(state, action):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Lamp):
            state.h = math.atan2(-state.grid[p].power, -1.0)


def T_lamp_power_angle_float(state, action):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Lamp):
            state.h = math.atan2(float(-state.grid[p].power), -1.0)


def T_lamp_weights(state, action):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Lamp):
            state.n = state.grid[p].weights[state.n % 3]


def T_lamp_reach_of_all(state, action):
    state.n = sum(state.grid[p].reach for p in state.grid.positions())


def T_lamp_lit(state, action):
    state.n = sum(state.grid[p].lit for p in state.grid.positions() if isinstance(state.grid[p], Lamp))


def T_lamp_lit_is(state, action):
    state.n = sum(
        state.grid[p].lit is True for p in state.grid.positions() if isinstance(state.grid[p], Lamp)
    )


def T_lamp_class_constant(state, action):
    state.n = Lamp.reach + BigLamp.reach + Lamp.weights[1]


def T_lamp_class_property(state, action):
    state.n = 1 if Lamp.lit else 2


def T_held_color(state, action):
    state.flag = state.agent.grid_object.color == Color.NONE


def T_held_kind(state, action):
    state.flag = state.agent.grid_object == Key


def T_held_none(state, action):
    state.flag = state.agent.grid_object is None


# fields


def T_field_int_of_float(state, action):
    state.n = state.h


def T_field_int_of_float_tuple(state, action):
    state.n, state.m = state.h, state.g


def T_field_int_of_float_agent(state, action):
    state.agent.steps = state.h


def T_field_int_of_float_augmented(state, action):
    state.n += state.h


def T_field_int_of_float_chain(state, action):
    state.n = state.m = state.g


def T_field_int_of_float_loop(state, action):
    for state.n in (1.5, 2.5):
        pass


def T_field_loop_target(state, action):
    for state.n in range(4):
        state.m += state.n % 3


def T_field_loop_target_tuple(state, action):
    for state.n, state.h in ((1, 2.5), (3, 4.5)):
        state.g = state.h


def T_field_loop_target_enumerate(state, action):
    for state.n, state.m in enumerate(range(5, 9)):
        state.h = state.n


def T_field_int_helper(state, action):
    put_steps(state.agent, state.h)


def put_steps(agent, v):
    agent.steps = v


def T_field_int_twice(state, action):
    put_n(state, state.h)
    put_n(state, state.m)


def put_n(thing, v):
    thing.n = v


def T_field_bool_of_number(state, action):
    state.flag = state.n


def T_field_bool_of_float(state, action):
    state.flag = state.h


def T_field_bool_of_nan(state, action):
    state.agent.hot = state.h * 0


def T_field_bool_of_none(state, action):
    state.flag = none_or(state.n, state.flag)


def T_field_bool_of_none_plain(state, action):
    state.flag = None


def T_field_bool_of_position(state, action):
    state.flag = state.agent.position


def T_field_int_of_truth(state, action):
    state.n = state.n > 3


def T_field_float_of_truth(state, action):
    state.h = state.n > 3


def T_field_float_of_int(state, action):
    state.h = state.n


def T_field_float_of_large(state, action):
    state.h = state.n * 3


def T_field_float_of_none(state, action):
    state.h = none_or(state.g, state.flag)


def T_field_int_of_none(state, action):
    state.n = none_or(state.m, state.flag)


def T_field_float_of_text(state, action):
    state.h = "3.5"


def T_field_float_of_text_helper(state, action):
    put_h(state, WORDS_[state.n % 3])


def T_field_float_of_text_number(state, action):
    put_h(state, ("1", "2")[state.n % 2])


def put_h(state, v):
    state.h = v


def T_field_int_of_text(state, action):
    state.n = "3"


def T_field_position(state, action):
    state.n = state.agent.position


def T_field_unknown(state, action):
    state.hunger = 3


def T_field_unknown_read(state, action):
    state.n = state.hunger


def T_field_tick(state, action):
    state.tick = 3


def T_field_augmented_pow(state, action):
    state.n **= 2


def T_field_augmented_shift(state, action):
    state.n <<= 3


def T_field_augmented_div(state, action):
    state.n /= 2


def T_field_augmented_floordiv(state, action):
    state.h //= 2


def T_field_agent_float(state, action):
    state.agent.energy = state.agent.energy * 2 - state.h


def T_field_agent_nan(state, action):
    state.agent.energy = math.nan if state.flag else -math.inf


def T_field_agent_zero(state, action):
    state.agent.energy = -0.0 * state.n


def T_field_result(state, action):
    state.agent.result = state.n


def T_field_result_float(state, action):
    state.agent.result = state.h


def T_field_result_truth(state, action):
    state.agent.result = state.n > 2


def T_field_busy(state, action):
    state.agent.busy = state.n


def T_field_busy_float(state, action):
    state.agent.busy = 2.5


def T_field_active(state, action):
    state.agent.active = state.n


def T_field_active_float(state, action):
    state.agent.active = state.h


def T_field_active_none(state, action):
    state.agent.active = none_or(state.n, state.flag)


def T_field_action(state, action):
    state.flag = state.agent.action == action


def T_field_orientation_value(state, action):
    state.agent.orientation = Facing(state.n % 4)


@value
class Facing:
    value: int


@value
class Place:
    y: int
    x: int


@value
class RealPlace:
    y: float
    x: float


def T_field_position_place(state, action):
    state.agent.position = Place(1, 2)


def T_field_position_real(state, action):
    state.agent.position = RealPlace(1, 2)


def T_field_position_tuple(state, action):
    state.agent.position = (1, 2)


def T_field_position_none(state, action):
    state.agent.position = None


def T_field_grid_place(state, action):
    state.flag = isinstance(state.grid[Place(1, 2)], Wall)


def T_field_grid_real(state, action):
    state.flag = isinstance(state.grid[RealPlace(1, 2)], Wall)


def T_field_contains_real(state, action):
    state.flag = state.grid.contains(RealPlace(1, 2))


def T_field_number_real(state, action):
    state.h = state.grid.number("scent", RealPlace(1, 2))


def T_field_blocked_place(state, action):
    state.flag = state.blocked(Place(1, 2))


def T_field_place_same(state, action):
    state.flag = Place(1, 2) == Position(1, 2)


def T_field_place_plus(state, action):
    p = Position(1, 2) - RealPlace(1, 2)
    state.n = p.y


def T_field_place_plus_real(state, action):
    p = Position(1, 2) - RealPlace(0.5, 2)
    state.n = p.y


def T_field_transform(state, action):
    state.agent.transform = state.agents[1].transform


def T_field_transform_position(state, action):
    state.agent.transform = state.agent.position


def T_field_object_number(state, action):
    state.agent.grid_object = 3


def T_field_object_kind(state, action):
    state.agent.grid_object = Key


def T_field_object_position(state, action):
    state.agent.grid_object = Position(1, 1)


def T_field_cell_int_float(state, action):
    state.grid.set_number("visits", Position(1, 1), state.h)


def T_field_cell_int_large(state, action):
    state.grid.set_number("visits", Position(1, 1), state.n)


def T_field_cell_int_larger(state, action):
    state.grid.set_number("visits", Position(1, 1), state.h * 1e300)


def T_field_cell_float_int(state, action):
    state.grid.set_number("scent", Position(1, 1), state.n)


def T_field_cell_float_truth(state, action):
    state.grid.set_number("scent", Position(1, 1), state.n > 2)


def T_field_cell_none(state, action):
    state.grid.set_number("scent", Position(1, 1), none_or(state.h, state.flag))


def T_field_cell_outside(state, action):
    state.grid.set_number("scent", Position(state.n, 1), 3)


def T_field_cell_keywords(state, action):
    state.grid.set_number(p=Position(1, 1), new=state.n % 100, name="visits")


def T_field_cell_pure(state, action):
    state.h = math.atan2(-state.grid.number("visits", Position(1, 1)), -1)


def T_field_cell_mixed(state, action):
    v = state.grid.number("visits", Position(1, 1))
    if state.flag:
        v = state.grid.number("scent", Position(1, 1))
    state.h = v * 3


def T_field_cell_tuple_place(state, action):
    state.h = state.grid.number("scent", (1, 1))


def T_field_agents_truth_index(state, action):
    state.agents[state.flag].steps = 7


def T_field_agents_float_index(state, action):
    state.agents[1.0].steps = 7


def T_field_agents_negative(state, action):
    state.agents[-1].steps = 7


def T_field_agents_slice(state, action):
    for a in state.agents[:1]:
        a.steps = 7


def T_field_agents_reversed(state, action):
    for a in reversed(state.agents):
        a.steps = 7


def T_field_agents_unpacked(state, action):
    a, b = state.agents
    a.steps = b.steps + 1


def T_field_agents_max(state, action):
    state.n = max(a.steps for a in state.agents)


def T_field_agents_max_key(state, action):
    a = max((a for a in state.agents), key=steps_of)
    a.steps = 99


def steps_of(a):
    return a.steps


def T_field_agents_in(state, action):
    state.flag = state.agent in state.agents


def T_field_agents_truth(state, action):
    state.n = truth_of(state.agents)


def T_field_state_truth(state, action):
    state.n = truth_of(state)


def T_field_grid_truth(state, action):
    state.n = truth_of(state.grid)


def T_field_agent_copy(state, action):
    a = state.agent
    state.agent.steps = 5
    b = state.agents[1]
    a, b = b, a
    a.steps = 6
    b.steps += 1


def T_field_seen_by(state, action):
    s = state.seen_by(1)
    s.agent.steps = 44
    s.n = 5
    state.m = s.n


def T_field_seen_by_truth(state, action):
    state.seen_by(state.flag).agent.steps = 44


def T_field_state_assign(state, action):
    state = state.seen_by(1)
    state.agent.steps = 3


def T_field_grid_assign(state, action):
    state.grid = state.grid


def T_field_copy(state, action):
    other = state.copy()
    other.n = 5


def T_field_subgrid(state, action):
    g = state.grid.subgrid(Area((0, 1), (0, 9)))
    state.n = sum(isinstance(g[p], Wall) for p in g.positions()) * 100 + g.width


def T_field_subgrid_negative(state, action):
    g = state.grid.subgrid(Area((-2, 1), (-1, 1)))
    state.n = sum(g[p].blocks_movement for p in g.positions()) * 100 + g.width


def T_field_subgrid_huge(state, action):
    g = state.grid.subgrid(Area((0, 2**40), (0, 2**30)))
    state.n = g.width


def T_field_subgrid_wrap(state, action):
    g = state.grid.subgrid(Area((0, 2**32 - 1), (0, 2**32 - 1)))
    state.n = g[5, 5].blocks_movement


def T_field_subgrid_wrap_write(state, action):
    g = state.grid.subgrid(Area((-(2**62), 2**62), (-(2**62), 2**62)))
    g[2**40, 5] = Wall()
    state.n = g.width


def T_field_grid_turned(state, action):
    g = state.grid * state.agent.orientation
    state.n = g.height * 10 + isinstance(g[0, 0], Wall)


def T_field_grid_mul_number(state, action):
    g = state.grid * 2
    state.n = g.height


def T_field_grid_object_types(state, action):
    state.n = len(state.grid.object_types())


def T_field_next_state(state, action):
    state.n = state.next_state.n


# arrays of numbers and masks


def T_array_items(state, action):
    c = new_integers(state.scratch, 3)
    d = c.items
    state.n = len(c)


def T_array_memory(state, action):
    c = new_integers(state.scratch, 3)
    d = c.memory
    state.n = len(c)


def T_array_shape(state, action):
    c = new_integers(state.scratch, 3)
    state.flag = c.shape == (3,)
    state.n = c.shape[0] + c.size


def T_array_truth(state, action):
    c = new_integers(state.scratch, 3)
    state.n = 1 if c else 2


def T_array_truth_one(state, action):
    c = new_integers(state.scratch, 1)
    state.n = 1 if c else 2


def T_array_not(state, action):
    c = new_integers(state.scratch, 1)
    state.flag = not c


def T_array_bool(state, action):
    c = new_integers(state.scratch, 1)
    state.flag = bool(c)


def T_array_truth_helper(state, action):
    state.n = truth_of(new_integers(state.scratch, 1))


def T_array_while(state, action):
    c = new_integers(state.scratch, 2)
    while c:
        state.n = 5
        break


def T_array_and(state, action):
    c = new_integers(state.scratch, 1)
    state.flag = c and state.flag


def T_array_negative_index(state, action):
    c = new_integers(state.scratch, 3)
    c[-1] = 5
    state.n = c[2] * 10 + c[-1]


def T_array_far_index(state, action):
    c = new_integers(state.scratch, 3)
    state.n = c[state.n]


def T_array_truth_index(state, action):
    c = new_integers(state.scratch, 3)
    c[state.flag] = 5
    state.n = c[1]


def T_array_float_index(state, action):
    c = new_integers(state.scratch, 3)
    state.n = c[1.0]


def T_array_tuple_index(state, action):
    c = new_integers(state.scratch, 3)
    state.n = c[(1,)]


def T_array_slice(state, action):
    c = new_integers(state.scratch, 5)
    d = c[1:4]
    d[0] = 7
    d[-1] = 9
    state.n = sum(c[k] * (k + 1) for k in range(5)) + len(d)


def T_array_slice_far(state, action):
    c = new_integers(state.scratch, 5)
    d = c[-100:100]
    d[4] = 3
    state.n = c[4] + len(c[4:1]) * 10 + len(c[7:]) * 100


def T_array_slice_huge(state, action):
    c = new_integers(state.scratch, 5)
    state.m = len(c[state.n : state.m])


def T_array_slice_step(state, action):
    c = new_integers(state.scratch, 5)
    c[1] = 3
    state.n = c[::-1][3] + len(c[::2])


def T_array_slice_set(state, action):
    c = new_integers(state.scratch, 5)
    c[1:3] = 7
    state.n = c[2]


def T_array_slice_float(state, action):
    c = new_integers(state.scratch, 5)
    state.n = len(c[1.0:])


def T_array_slice_none(state, action):
    c = new_integers(state.scratch, 5)
    state.n = len(c[None:2]) + len(c[none_or(2, state.flag) :])


def T_array_slice_of_slice(state, action):
    c = new_integers(state.scratch, 9)
    d = c[2:8][1:4]
    d[1] = 5
    state.n = c[4] * 10 + len(d)


def T_array_slice_empty_item(state, action):
    c = new_integers(state.scratch, 5)
    d = c[3:3]
    state.n = len(d)
    state.m = d[0]


def T_array_copy(state, action):
    c = new_integers(state.scratch, 3)
    d = c.astype(int)
    d[0] = 5
    e = c
    e[1] = 6
    state.n = c[0] * 10 + c[1]


def T_array_astype_bool(state, action):
    c = new_floats(state.scratch, 3)
    c[0], c[1] = state.h, state.g
    d = c.astype(bool)
    state.n = d[0] + 2 * d[1] + 4 * d[2]


def T_array_astype_int(state, action):
    c = new_floats(state.scratch, 2)
    c[0], c[1] = state.h, state.g
    d = c.astype(int)
    state.n, state.m = d[0], d[1]


def T_array_astype_float(state, action):
    c = new_integers(state.scratch, 2)
    c[0], c[1] = state.n, state.m
    d = c.astype(float)
    state.h, state.g = d[0], d[1]


def T_array_astype_back(state, action):
    c = new_integers(state.scratch, 2)
    c[0] = state.n
    d = c.astype(float).astype(int)
    state.m = d[0]


def T_array_astype_text(state, action):
    c = new_integers(state.scratch, 2)
    d = c.astype("float64")
    state.h = d[0]


def T_array_astype_numpy(state, action):
    c = new_integers(state.scratch, 2)
    d = c.astype(np.int8)
    state.n = d[0]


def T_array_truths_set(state, action):
    c = new_integers(state.scratch, 3).astype(bool)
    c[0] = 5
    c[1] = 0
    state.n = c[0] + 2 * c[1]


def T_array_truths_set_float(state, action):
    c = new_integers(state.scratch, 3).astype(bool)
    c[0] = 0.5
    c[1] = state.h
    state.n = c[0] + 2 * c[1]


def T_array_truths_set_large(state, action):
    c = new_integers(state.scratch, 3).astype(bool)
    c[0] = 256
    c[1] = state.n
    state.m = c[0] + 2 * c[1]


def T_array_truths_is(state, action):
    c = new_integers(state.scratch, 3).astype(bool)
    state.flag = c[0] is False


def T_array_truths_invert(state, action):
    c = new_integers(state.scratch, 3).astype(bool)
    state.n = ~c[0]


def T_array_truths_plus(state, action):
    c = new_integers(state.scratch, 3) == 0
    state.n = c[0] + c[1] + c[2] - 1


def T_array_floats_set(state, action):
    c = new_floats(state.scratch, 3)
    c[0] = state.n
    c[1] = state.flag
    state.h = c[0]
    state.g = c[1]


def T_array_floats_zero(state, action):
    c = new_floats(state.scratch, 3)
    c[0] = -0.0
    state.h = math.atan2(c[0], -1)


def T_array_floats_zero_int(state, action):
    c = new_floats(state.scratch, 3)
    v = 0 if state.flag else state.h
    c[0] = -v
    state.h = math.atan2(c[0], -1)


def T_array_ints_set_float(state, action):
    c = new_integers(state.scratch, 3)
    c[0] = state.h
    state.n = c[0]


def T_array_ints_set_truth(state, action):
    c = new_integers(state.scratch, 3)
    c[0] = state.flag
    state.n = c[0]


def T_array_ints_set_large(state, action):
    c = new_integers(state.scratch, 3)
    c[0] = state.n
    c[0] += state.m
    state.n = c[0]


def T_array_ints_set_none(state, action):
    c = new_integers(state.scratch, 3)
    c[0] = none_or(state.n, state.flag)
    state.n = c[0]


def T_array_ints_set_color(state, action):
    c = new_integers(state.scratch, 3)
    c[0] = state.grid[0, 0].color
    state.n = c[0]


def T_array_index_color(state, action):
    c = new_integers(state.scratch, 9)
    c[color_of(state.grid[0, 0])] += 1
    state.n = c[1]


def T_array_floats_set_text(state, action):
    c = new_floats(state.scratch, 3)
    c[0] = ("1", "2")[state.n % 2]
    state.h = c[0]


def T_array_compare_float(state, action):
    c = new_integers(state.scratch, 2)
    c[0] = state.n
    state.flag = (c == state.h)[0]


def T_array_compare_exact(state, action):
    c = new_integers(state.scratch, 2)
    c[0] = 2**53 + 1
    d = c == 2.0**53
    e = c > 2.0**53
    state.n = d[0] + 2 * e[0] + 4 * (c[0] == 2.0**53)


def T_array_compare_large(state, action):
    c = new_integers(state.scratch, 2)
    c[0] = 2**62
    state.flag = (c < 2**64)[0]


def T_array_compare_truth(state, action):
    c = new_integers(state.scratch, 2)
    state.flag = (c == True)[0]


def T_array_compare_none(state, action):
    c = new_integers(state.scratch, 2)
    d = c == None
    state.flag = d is None


def T_array_compare_array(state, action):
    c = new_integers(state.scratch, 2)
    d = new_integers(state.scratch, 2)
    state.flag = (c == d)[0]


def T_array_compare_tuple(state, action):
    c = new_integers(state.scratch, 2)
    state.flag = (c == (0, 1))[1]


def T_array_compare_position(state, action):
    c = new_integers(state.scratch, 2)
    state.flag = is_same(c, state.agent.position)


def T_array_compare_reversed(state, action):
    c = new_integers(state.scratch, 2)
    state.flag = (3 > c)[0]


def T_array_compare_reversed_same(state, action):
    c = new_integers(state.scratch, 2)
    state.flag = (0 == c)[0]


def T_array_compare_differs(state, action):
    c = new_integers(state.scratch, 2)
    state.flag = (c != 0)[0]


def T_array_compare_chain(state, action):
    c = new_integers(state.scratch, 1)
    state.flag = (0 <= c < 3)[0]


def T_array_compare_nan(state, action):
    c = new_floats(state.scratch, 2)
    c[0] = state.h
    state.n = (c == state.h)[0] + 2 * (c < state.g)[0]


def T_array_in(state, action):
    c = new_integers(state.scratch, 3)
    c[0] = state.n
    state.flag = state.m in c


def T_array_in_float(state, action):
    c = new_integers(state.scratch, 3)
    c[0] = 2**53 + 1
    state.flag = 2.0**53 in c


def T_array_in_nan(state, action):
    c = new_floats(state.scratch, 3)
    c[0] = state.h
    state.flag = state.h in c


def T_array_in_truth(state, action):
    c = new_integers(state.scratch, 3)
    state.flag = state.flag in c


def T_array_in_none(state, action):
    c = new_integers(state.scratch, 3)
    state.flag = None in c


def T_array_in_color(state, action):
    c = new_integers(state.scratch, 3)
    state.flag = color_of(state.grid[0, 0]) in c


def T_array_iterate_changing(state, action):
    c = new_integers(state.scratch, 5)
    t = 0
    for v in c:
        t = t * 2 + v
        for k in range(5):
            c[k] += k
    state.n = t


def T_array_iterate_enumerate(state, action):
    c = new_integers(state.scratch, 5)
    for k, v in enumerate(c):
        c[k] = k * 3 + v
    state.n = sum(k * v for k, v in enumerate(c))


def T_array_iterate_zip(state, action):
    c = new_integers(state.scratch, 5)
    c[2] = 7
    state.n = sum(u * v for u, v in zip(c, range(9)))


def T_array_max(state, action):
    c = new_integers(state.scratch, 5)
    c[2] = state.n
    state.n = max(v for v in c) + min(v for v in c)


def T_array_max_plain(state, action):
    c = new_integers(state.scratch, 5)
    state.n = max(c)


def T_array_sum_plain(state, action):
    c = new_integers(state.scratch, 5)
    state.n = sum(c)


def T_array_any_plain(state, action):
    c = new_integers(state.scratch, 5)
    state.flag = any(c)


def T_array_sum_truths(state, action, *, rng):
    c = rng.random(5) < 0.5
    state.n = sum(v for v in c) + sum(1 for v in c if v) + sum(1 for v in c if not v) * 10


def T_array_rows(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    r = c[0]
    r[1] = 50
    for row in c:
        row[2] = 70
    state.n = c[0, 1] + c[1, 2] * 100 + c[1][0]


def T_array_rows_shape(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    state.n = c.shape[0] * 10 + c.shape[1] + len(c) * 100 + c.size * 1000 + len(c[1]) * 10000


def T_array_rows_negative(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    state.n = c[-1, -3] * 100 + c[-2][-1]


def T_array_rows_outside(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    state.n = c[0, state.m]


def T_array_rows_outside_row(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    state.n = c[state.m][0]


def T_array_rows_set_row(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    c[0] = 5
    state.n = c[0, 2]


def T_array_rows_slice(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    state.n = c[0:1][0, 1]


def T_array_rows_position(state, action, *, rng):
    c = rng.integers(9, size=(5, 6))
    state.n = c[state.agent.position.yx]


def T_array_rows_three(state, action, *, rng):
    c = rng.integers(9, size=(2, 3, 4))
    d = c[1][2]
    d[3] = 55
    state.n = c[1, 2, 3] * 10 + c[1, 2, 0] + len(c[0])


def T_array_rows_compare(state, action, *, rng):
    c = rng.integers(9, size=(2, 3)) > 4
    state.n = c[1, 1] + 2 * c[0][2]


def T_array_rows_in(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    state.flag = 4 in c


def T_array_rows_in_row(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    state.n = sum(4 in row for row in c)


def T_array_rows_sum(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    state.n = sum(v for row in c for v in row)


def T_array_rows_unpacked(state, action, *, rng):
    a, b = rng.integers(9, size=2)
    state.n = a * 10 + b


def T_array_new_negative(state, action):
    c = new_integers(state.scratch, -3)
    state.n = len(c)


def T_array_new_huge(state, action):
    c = new_integers(state.scratch, 2**40)
    state.n = len(c)


def T_array_new_far(state, action):
    c = new_integers(state.scratch, 2**61)
    c[2**60] = 5
    state.n = len(c)


def T_array_new_dynamic(state, action):
    c = new_integers(state.scratch, state.n)
    state.n = len(c)


def T_array_new_float(state, action):
    c = new_integers(state.scratch, 3.0)
    state.n = len(c)


def T_array_new_truth(state, action):
    c = new_integers(state.scratch, state.flag)
    state.n = len(c)


def T_array_new_tuple(state, action):
    c = new_integers(state.scratch, (2, 3))
    state.n = c[1, 2]


def T_array_new_many(state, action):
    t = 0
    for k in range(3000):
        c = new_integers(state.scratch, 100)
        c[k % 100] = k
        t += c[k % 100] + c[(k + 1) % 100]
    state.n = t


def T_array_new_too_many(state, action):
    a = new_integers(state.scratch, 1500)
    b = new_integers(state.scratch, 1500)
    b[1499] = 3
    state.n = len(a) + b[1499]


def T_array_returned(state, action):
    c = filled(state, 4)
    d = filled(state, 4)
    d[0] = 99
    state.n = sum(v for v in c)


def filled(state, k):
    c = new_integers(state.scratch, 5)
    for i in range(5):
        c[i] = i * k
    return c


def T_array_one_of_two(state, action):
    c = new_integers(state.scratch, 3)
    d = new_integers(state.scratch, 5)
    e = c if state.flag else d
    e[2] = 7
    state.n = c[2] * 10 + d[2] + len(e) * 100


def T_array_int_or_float(state, action):
    c = new_integers(state.scratch, 3)
    d = new_floats(state.scratch, 3)
    e = c if state.flag else d
    e[2] = 7
    state.h = e[2] / 2


def T_array_none(state, action):
    c = None
    if state.flag:
        c = new_integers(state.scratch, 3)
    if c is not None:
        c[1] = 4
        state.n = c[1]


def T_array_in_value(state, action):
    t = Tinted(new_integers(state.scratch, 3), 2)
    t.tint[1] = 5
    state.n = t.tint[1]


def T_array_in_tuple(state, action):
    t = (new_integers(state.scratch, 3), 2)
    t[0][1] = 5
    state.n = t[0][1]


def T_array_plus(state, action):
    c = new_integers(state.scratch, 3) + 1
    state.n = c[0]


def T_array_sort(state, action):
    c = new_integers(state.scratch, 3)
    c.sort()
    state.n = c[0]


def T_array_field_values(state, action):
    values = new_floats(state.scratch, 30)
    for k, p in enumerate(state.grid.positions()):
        values[k] = state.grid.number("scent", p)
    for k, p in enumerate(state.grid.positions()):
        state.grid.set_number("scent", p, values[(k + 1) % 30] * 0.5)


def T_array_augmented_twice(state, action):
    c = new_integers(state.scratch, 3)
    c[0] += 5
    c[0] *= 3
    c[0] -= 20
    c[0] //= 2
    c[0] %= 7
    c[0] **= 2
    state.n = c[0]


def T_array_augmented_float(state, action):
    c = new_integers(state.scratch, 3)
    c[0] += 0.5
    state.n = c[0]


def T_array_augmented_div(state, action):
    c = new_integers(state.scratch, 3)
    c[0] /= 2
    state.n = c[0]


def T_array_swap(state, action):
    c = new_integers(state.scratch, 3)
    c[0], c[1] = 5, 7
    c[0], c[1] = c[1], c[0]
    state.n = c[0] * 10 + c[1]


def T_array_rows_swap(state, action, *, rng):
    c = rng.integers(9, size=(2, 3))
    a, b = c[0], c[1]
    c[0, 0] = 99
    state.n = a[0] * 100 + b[0]


def T_mask_truth(state, action):
    m = state.grid.mask()
    state.n = 1 if m else 2


def T_mask_not(state, action):
    state.flag = not state.grid.mask()


def T_mask_truth_helper(state, action):
    state.n = truth_of(state.grid.mask())


def T_mask_cells(state, action):
    m = state.grid.mask()
    c = m.cells
    state.n = m.shape[0]


def T_mask_put(state, action):
    m = state.grid.mask()
    m[1, 1] = 5
    m[1, 2] = 0.5
    m[state.agent.position] = state.h
    state.n = m[1, 1] + m[1, 2] * 2 + m[state.agent.position] * 4


def T_mask_put_none(state, action):
    m = state.grid.mask()
    m[1, 1] = None
    state.n = m[1, 1]


def T_mask_put_none_or(state, action):
    m = state.grid.mask()
    m[1, 1] = none_or(state.n, state.flag)
    state.n = m[1, 1]


def T_mask_put_color(state, action):
    m = state.grid.mask()
    m[1, 1] = color_of(state.grid[0, 0])
    state.n = m[1, 1]


def T_mask_put_text(state, action):
    m = state.grid.mask()
    m[1, 1] = ("", "a")[state.n % 2]
    state.n = m[1, 1]


def T_mask_put_position(state, action):
    m = state.grid.mask()
    m[1, 1] = state.agent.position
    state.n = m[1, 1]


def T_mask_row(state, action):
    m = state.grid.mask()
    m[1] = True
    state.n = m[1, 2]


def T_mask_row_read(state, action):
    m = state.grid.mask()
    state.flag = m[1][2]


def T_mask_len(state, action):
    state.n = len(state.grid.mask())


def T_mask_iterated(state, action):
    t = 0
    for row in state.grid.mask(True):
        for v in row:
            t += v
    state.n = t


def T_mask_truth_index(state, action):
    m = state.grid.mask(True)
    m[True, state.flag] = False
    state.n = m[1, 0] + 2 * m[1, 1]


def T_mask_float_index(state, action):
    m = state.grid.mask(True)
    state.flag = m[1.0, 2]


def T_mask_fill_number(state, action):
    m = state.grid.mask(2)
    state.n = m[0, 0] + 1


def T_mask_fill_float(state, action):
    m = state.grid.mask(state.h)
    state.n = m[0, 0] + 1


def T_mask_fill_none(state, action):
    m = state.grid.mask(None)
    state.n = m[0, 0] + 1


def T_mask_fill_dynamic(state, action):
    m = state.grid.mask(state.n)
    state.n = m[0, 0] + 1


def T_mask_outside(state, action):
    m = state.grid.mask()
    m[state.n, state.m] = True


def T_mask_same(state, action):
    m = state.grid.mask()
    state.flag = (m == True)[0, 0]


def T_mask_same_mask(state, action):
    m = state.grid.mask()
    k = state.grid.mask()
    state.flag = (m == k)[0, 0]


def T_mask_same_helper(state, action):
    state.flag = is_same(state.grid.mask(), state.agent.position)


def T_mask_in(state, action):
    state.flag = True in state.grid.mask()


def T_mask_place(state, action):
    m = state.grid.mask()
    m[Place(1, 2)] = True
    state.n = m[1, 2]


def T_mask_tuple_three(state, action):
    m = state.grid.mask()
    state.flag = m[1, 2, 3]


def T_mask_augmented(state, action):
    m = state.grid.mask()
    m[1, 1] += 1
    m[1, 1] += 1
    m[1, 2] |= True
    m[1, 1] &= state.flag
    state.n = m[1, 1] + 2 * m[1, 2]


# random numbers


def T_rng_integers_negative(state, action, *, rng):
    state.n = rng.integers(-5)


def T_rng_integers_zero(state, action, *, rng):
    state.n = rng.integers(0)


def T_rng_integers_reversed(state, action, *, rng):
    state.n = rng.integers(5, 2)


def T_rng_integers_float(state, action, *, rng):
    state.n = rng.integers(5.9)


def T_rng_integers_float_field(state, action, *, rng):
    state.n = rng.integers(state.h)


def T_rng_integers_truth(state, action, *, rng):
    state.n = rng.integers(state.flag)


def T_rng_integers_huge(state, action, *, rng):
    state.n = rng.integers(2**63 - 1)


def T_rng_integers_huge_end(state, action, *, rng):
    state.n = rng.integers(0, 2**63 - 1, endpoint=True)


def T_rng_integers_huge_negative(state, action, *, rng):
    state.n = rng.integers(-(2**63), 2**63 - 1)


def T_rng_integers_huge_half(state, action, *, rng):
    state.n = rng.integers(-(2**62), 2**62)


def T_rng_integers_fields(state, action, *, rng):
    state.n = rng.integers(state.n, state.m)


def T_rng_integers_fields_end(state, action, *, rng):
    state.n = rng.integers(state.n, state.m, endpoint=True)


def T_rng_integers_above(state, action, *, rng):
    state.n = rng.integers(2**40, 2**41)


def T_rng_integers_endpoint_number(state, action, *, rng):
    state.n = rng.integers(0, 5, endpoint=state.n)


def T_rng_integers_none(state, action, *, rng):
    state.n = rng.integers(5, None)


def T_rng_integers_none_or(state, action, *, rng):
    state.n = rng.integers(5, none_or(state.n, state.flag))


def T_rng_integers_size_none_or(state, action, *, rng):
    state.n = rng.integers(5, size=none_or(2, state.flag))[0]


def T_rng_size_float(state, action, *, rng):
    state.n = len(rng.random(2.0))


def T_rng_size_negative(state, action, *, rng):
    state.n = len(rng.random(-2))


def T_rng_size_dynamic(state, action, *, rng):
    state.n = len(rng.random(state.n % 40 - 5))


def T_rng_size_truth(state, action, *, rng):
    state.n = len(rng.random(state.flag))


def T_rng_size_truths(state, action, *, rng):
    state.n = len(rng.random((state.flag, 2)))


def T_rng_size_tuple_empty(state, action, *, rng):
    state.h = rng.random(())


def T_rng_size_tuple_one(state, action, *, rng):
    state.h = rng.random((3,))[1]


def T_rng_size_zero_rows(state, action, *, rng):
    c = rng.random((0, 3))
    state.n = len(c)
    for row in c:
        state.n = 5


def T_rng_size_zero_columns(state, action, *, rng):
    c = rng.random((3, 0))
    t = 0
    for row in c:
        t += 1 + len(row)
    state.n = t


def T_rng_size_zero_row_item(state, action, *, rng):
    c = rng.random((0, 3))
    state.h = c[0][1]


def T_rng_size_wrapping(state, action, *, rng):
    c = rng.integers(5, size=(2**32, 2**32))
    state.n = c[0, 0]


def T_rng_size_wrapping_write(state, action, *, rng):
    c = rng.integers(5, size=(2**33, 2**31 + 1))
    c[2**32, 5] = 3
    state.n = len(c)


def T_rng_size_wrapping_far(state, action, *, rng):
    c = rng.integers(5, size=(2**32, 2**32))
    c[2**31, 0] = 7
    state.n = c[2**31, 0]


def T_rng_size_wrapping_three(state, action, *, rng):
    c = rng.random((2**21, 2**21, 2**22))
    state.h = c[1, 2, 3]


def T_rng_size_wrapping_row(state, action, *, rng):
    c = rng.random((2**62, 4))
    for row in c:
        state.h = row[0]
        break


def T_rng_size_huge(state, action, *, rng):
    c = rng.random(2**50)
    state.h = c[0]


def T_rng_choice_negative(state, action, *, rng):
    state.n = rng.choice(-3)


def T_rng_choice_zero(state, action, *, rng):
    state.n = rng.choice(0)


def T_rng_choice_float(state, action, *, rng):
    state.n = rng.choice(3.5)


def T_rng_choice_truth(state, action, *, rng):
    state.n = rng.choice(True)


def T_rng_choice_mixed(state, action, *, rng):
    v = rng.choice((1, 2.5))
    state.h = v * 2


def T_rng_choice_mixed_large(state, action, *, rng):
    v = rng.choice((2**53 + 1, 2.5))
    state.h = v - 2**53


def T_rng_choice_mixed_truth(state, action, *, rng):
    state.n = rng.choice((True, 5)) + 1


def T_rng_choice_mixed_zero(state, action, *, rng):
    v = rng.choice((0, 1.5))
    state.h = math.atan2(-v, -1)


def T_rng_choice_array(state, action, *, rng):
    c = new_integers(state.scratch, 4)
    c[2] = 9
    state.n = rng.choice(c)


def T_rng_choice_array_size(state, action, *, rng):
    c = new_floats(state.scratch, 4)
    c[2] = 9.5
    state.h = sum(v for v in rng.choice(c, 3))


def T_rng_choice_rows(state, action, *, rng):
    c = rng.integers(9, size=(3, 2))
    d = rng.choice(c)
    state.n = d[0] * 10 + d[1]


def T_rng_choice_rows_size(state, action, *, rng):
    c = rng.integers(9, size=(3, 2))
    d = rng.choice(c, 2)
    state.n = d[0][0] * 10 + d[1][1]


def T_rng_choice_words(state, action, *, rng):
    w = rng.choice(("a", "b"))
    state.flag = w == "a"


def T_rng_choice_words_order(state, action, *, rng):
    w = rng.choice(("plum", "apple", "zoo"))
    v = rng.choice(("fig", "kiwi", "mango"))
    state.flag = w < v


def T_rng_choice_text(state, action, *, rng):
    state.flag = rng.choice("abc") == "a"


def T_rng_choice_kinds(state, action, *, rng):
    state.grid[0, 0] = rng.choice((Wall, Floor))()


def T_rng_choice_objects(state, action, *, rng):
    state.grid[0, 0] = rng.choice((Wall(), Floor()))


def T_rng_choice_positions(state, action, *, rng):
    state.agent.position = rng.choice((Position(1, 1), Position(2, 3)))


def T_rng_choice_pairs(state, action, *, rng):
    y, x = rng.choice(((1, 1), (2, 3)))
    state.n = y * 10 + x


def T_rng_choice_orientation(state, action, *, rng):
    state.agent.orientation = rng.choice((Orientation.LEFT, Orientation.FORWARD))


def T_rng_choice_orientation_all(state, action, *, rng):
    state.agent.orientation = rng.choice(list(Orientation))


def T_rng_choice_orientation_class(state, action, *, rng):
    state.agent.orientation = rng.choice(Orientation)


def T_rng_choice_range(state, action, *, rng):
    state.n = rng.choice(range(3, 9))


def T_rng_choice_agents(state, action, *, rng):
    rng.choice(state.agents).steps = 77


def T_rng_choice_p_short(state, action, *, rng):
    state.n = rng.choice(3, p=(0.5, 0.5))


def T_rng_choice_p_ints(state, action, *, rng):
    state.n = rng.choice(3, p=(0, 1, 0))


def T_rng_choice_p_mixed(state, action, *, rng):
    state.n = rng.choice(3, p=(0, 0.5, 0.5))


def T_rng_choice_p_nan(state, action, *, rng):
    state.n = rng.choice(2, p=(state.h, 1 - state.h))


def T_rng_choice_p_truths(state, action, *, rng):
    state.n = rng.choice(2, p=(state.flag, not state.flag))


def T_rng_choice_p_array(state, action, *, rng):
    w = new_floats(state.scratch, 3)
    w[0] = 0.25
    w[2] = 0.75
    state.n = rng.choice(3, p=w) + 10 * rng.choice(3, 2, p=w)[1]


def T_rng_choice_p_array_ints(state, action, *, rng):
    w = new_integers(state.scratch, 3)
    w[1] = 1
    state.n = rng.choice(3, p=w)


def T_rng_choice_p_without(state, action, *, rng):
    c = rng.choice(3, 2, replace=False, p=(0.2, 0.3, 0.5))
    state.n = c[0] * 10 + c[1]


def T_rng_choice_p_without_too_many(state, action, *, rng):
    c = rng.choice(3, 3, replace=False, p=(0.0, 0.5, 0.5))
    state.n = c[0] * 10 + c[1]


def T_rng_choice_p_changed(state, action, *, rng):
    w = new_floats(state.scratch, 3)
    w[0] = 0.25
    w[2] = 0.75
    c = rng.choice(3, 2, replace=False, p=w)
    state.h = w[0] + 10 * w[2] + c[0]


def T_rng_choice_without(state, action, *, rng):
    c = rng.choice((5, 6, 7), size=2, replace=False)
    state.n = c[0] * 10 + c[1]


def T_rng_choice_without_two_axes(state, action, *, rng):
    c = rng.choice(9, size=(2, 3), replace=False)
    state.n = c[0, 1] * 10 + c[1, 2]


def T_rng_choice_without_too_many(state, action, *, rng):
    c = rng.choice(3, 5, replace=False)
    state.n = c[0]


def T_rng_choice_without_number(state, action, *, rng):
    c = rng.choice(7, 3, state.n)
    state.n = c[0] * 10 + c[1]


def T_rng_choice_size_zero(state, action, *, rng):
    state.n = len(rng.choice(3, 0)) + len(rng.choice((1, 2), 0, replace=False))


def T_rng_choice_empty(state, action, *, rng):
    state.n = len(rng.choice((), 0))


def T_rng_choice_of_floats(state, action, *, rng):
    state.h = rng.choice((0.5, 1.5, -0.0))


def T_rng_choice_pair_of_floats(state, action, *, rng):
    c = rng.choice((0.5, 1.5, -0.0), 2)
    state.h = c[0] * 10 + c[1]


def T_rng_choice_pair_mixed(state, action, *, rng):
    c = rng.choice((1, 2.5), 3)
    state.h = c[0] + c[1] * 10


def T_rng_choice_pair_truths(state, action, *, rng):
    c = rng.choice((True, False), 3)
    state.n = c[0] + c[1] + c[2]


def T_rng_choice_pair_truth_mixed(state, action, *, rng):
    c = rng.choice((True, 7), 3)
    state.n = c[0] + c[1] + c[2]


def T_rng_choice_pair_colors(state, action, *, rng):
    c = rng.choice((Color.RED, Color.BLUE), 3)
    state.flag = c[0] == Color.RED


def T_rng_choice_pair_colors_number(state, action, *, rng):
    c = rng.choice((Color.RED, Color.BLUE), 3)
    state.flag = c[0] == 1


def T_rng_choice_pair_colors_in(state, action, *, rng):
    c = rng.choice((Color.RED, Color.BLUE), 3)
    state.flag = 1 in c


def T_rng_choice_pair_positions(state, action, *, rng):
    c = rng.choice((Position(1, 1), Position(2, 2)), 2)
    state.agent.position = c[0]


def T_rng_choice_numbers_large(state, action, *, rng):
    c = rng.choice((2**62, 2**63 - 1), 3)
    state.n = c[0] // 3 + c[1] // 5


def T_rng_permutation(state, action, *, rng):
    c = rng.permutation(5)
    state.n = c[0] * 1000 + c[1] * 100 + c[2] * 10 + c[3]


def T_rng_permutation_tuple(state, action, *, rng):
    c = rng.permutation((5, 6, 7))
    state.n = c[0] * 100 + c[1] * 10 + c[2]


def T_rng_permutation_floats(state, action, *, rng):
    c = rng.permutation((5, 6.5, 7))
    state.h = c[0] * 100 + c[1] * 10 + c[2]


def T_rng_permutation_negative(state, action, *, rng):
    c = rng.permutation(-3)
    state.n = len(c)


def T_rng_permutation_float(state, action, *, rng):
    c = rng.permutation(3.5)
    state.n = c[0]


def T_rng_permutation_dynamic(state, action, *, rng):
    c = rng.permutation(state.n % 40 - 5)
    state.n = len(c)


def T_rng_permutation_truth(state, action, *, rng):
    c = rng.permutation(True)
    state.n = len(c)


def T_rng_permutation_orientations(state, action, *, rng):
    for o in rng.permutation(list(Orientation)):
        state.agent.orientation = o


def T_rng_permutation_loop(state, action, *, rng):
    for i in rng.permutation(len(state.agents)):
        state.agents[i].steps = rng.integers(9)


def T_rng_permutation_rows(state, action, *, rng):
    c = rng.permutation(rng.integers(9, size=(3, 2)))
    state.n = c[0, 0] * 10 + c[1, 1]


def T_rng_shuffle(state, action, *, rng):
    c = new_integers(state.scratch, 5)
    for k in range(5):
        c[k] = k
    rng.shuffle(c)
    state.n = c[0] * 1000 + c[1] * 100 + c[2] * 10 + c[3]


def T_rng_shuffle_slice(state, action, *, rng):
    c = new_integers(state.scratch, 5)
    for k in range(5):
        c[k] = k
    rng.shuffle(c[1:4])
    state.n = c[0] * 1000 + c[1] * 100 + c[2] * 10 + c[3]


def T_rng_shuffle_rows(state, action, *, rng):
    c = rng.integers(9, size=(3, 2))
    rng.shuffle(c)
    state.n = c[0, 0] * 1000 + c[0, 1] * 100 + c[2, 0] * 10 + c[2, 1]


def T_rng_shuffle_tuple(state, action, *, rng):
    rng.shuffle((1, 2, 3))


def T_rng_shuffle_mask(state, action, *, rng):
    m = state.grid.mask()
    m[0, 0] = True
    rng.shuffle(m)
    state.flag = m[0, 0]


def T_rng_normal(state, action, *, rng):
    state.h = rng.normal(state.h, 2)


def T_rng_normal_scale(state, action, *, rng):
    state.h = rng.normal(0, state.h)


def T_rng_normal_ints(state, action, *, rng):
    state.h = rng.normal(state.n, 0)


def T_rng_normal_truths(state, action, *, rng):
    state.h = rng.normal(state.flag, True)


def T_rng_normal_size(state, action, *, rng):
    c = rng.normal(1, 2, size=(2, 2))
    state.h = c[0, 1] + c[1, 0]


def T_rng_normal_huge(state, action, *, rng):
    state.h = rng.normal(1e308, 1e308)


def T_rng_uniform(state, action, *, rng):
    state.h = rng.uniform(state.g, state.h)


def T_rng_uniform_ints(state, action, *, rng):
    state.h = rng.uniform(state.n, state.m)


def T_rng_uniform_ints_large(state, action, *, rng):
    state.h = rng.uniform(-(2**62), 2**62)


def T_rng_uniform_ints_wrap(state, action, *, rng):
    state.h = rng.uniform(-(2**63), 2**63 - 1)


def T_rng_uniform_ints_low(state, action, *, rng):
    state.h = rng.uniform(2**53 + 1, 2**53 + 3)


def T_rng_uniform_keywords(state, action, *, rng):
    state.h = rng.uniform(high=3, low=1) + rng.uniform(high=5)


def T_rng_random_too_many(state, action, *, rng):
    state.h = rng.random(2, 3)[0]


def T_rng_random_keyword(state, action, *, rng):
    state.h = rng.random(size=3)[0]


def T_rng_integers_dtype(state, action, *, rng):
    state.n = rng.integers(5, dtype=int)


def T_rng_integers_low_keyword(state, action, *, rng):
    state.n = rng.integers(low=5) + rng.integers(high=9, low=3)


def T_rng_integers_high_only(state, action, *, rng):
    state.n = rng.integers(high=5)


def T_rng_slot(state, action, *, rng):
    state.n = rng.slot


def T_rng_scratch(state, action, *, rng):
    state.n = rng.scratch[0]


def T_rng_same(state, action, *, rng):
    state.flag = rng == state.rng


def T_rng_truth(state, action, *, rng):
    state.n = truth_of(rng)


def T_rng_handed_on(state, action, *, rng):
    state.n = drawn_twice(rng) + drawn_twice(state.rng)


def drawn_twice(rng):
    return rng.integers(9) * 10 + rng.integers(9)


def T_rng_bound(state, action, *, rng):
    draw = rng.random
    state.h = draw() + draw()


def T_rng_in_generator(state, action, *, rng):
    state.n = sum(v for v in dice(rng, 3))


def dice(rng, n):
    for _ in range(n):
        yield rng.integers(1, 7)


def T_rng_comparison(state, action, *, rng):
    state.flag = rng.random() < rng.random() < rng.random()


def T_rng_assign(state, action, *, rng):
    rng = state.rng
    state.n = rng.integers(100)


# value classes


@value
class Money:
    cents: int
    share: float
    paid: bool
    note: Any

    def __add__(self, other):
        return Money(self.cents + other.cents, self.share, self.paid, self.note)

    def __iadd__(self, other):
        return Money(0, 0.0, False, 0)

    def __lt__(self, other):
        return self.cents < other.cents

    def __contains__(self, n):
        return self.cents + n

    def __len__(self):
        return self.cents

    def __bool__(self):
        return self.paid

    def __getitem__(self, k):
        return self.cents + k

    def __call__(self, k):
        return self.cents * k

    def __neg__(self):
        return Money(-self.cents, self.share, self.paid, self.note)

    def __truediv__(self, other):
        return self.cents / other

    def __radd__(self, other):
        return other + self.cents

    def __abs__(self):
        return 7

    @property
    def double(self):
        return self.cents * 2

    @staticmethod
    def of(n):
        return Money(n, 1.0, True, n)

    @classmethod
    def made(cls, n):
        return cls(n, 1.0, True, n)

    def grown(self, by=2, *, times=1):
        return self.cents * by + times


def f_value_add(a, b, x, y, s):
    return (Money(a, x, s, b) + Money(b, y, s, a)).cents


def f_value_iadd(a, b, x, y, s):
    v = Money(5, x, s, b)
    v += Money(6, y, s, b)
    return v.cents


def f_value_lt(a, b, x, y, s):
    return Money(a, x, s, b) < Money(b, y, s, a)


def f_value_gt(a, b, x, y, s):
    return Money(a, x, s, b) > Money(b, y, s, a)


def f_value_le(a, b, x, y, s):
    return Money(a, x, s, b) <= Money(b, y, s, a)


def f_value_contains(a, b, x, y, s):
    return (b in Money(5, x, s, b)) + 0


def f_value_contains_not(a, b, x, y, s):
    return b not in Money(5, x, s, b)


def f_value_contains_is(a, b, x, y, s):
    return (b in Money(5, x, s, b)) is True


def f_value_len(a, b, x, y, s):
    return len(Money(b, x, s, b))


def f_value_bool(a, b, x, y, s):
    return 1 if Money(b, x, s, b) else 2


def f_value_bool_call(a, b, x, y, s):
    return bool(Money(b, x, s, b))


def f_value_not(a, b, x, y, s):
    return not Money(b, x, s, b)


def f_value_and(a, b, x, y, s):
    return Money(b, x, s, b) and b


def f_value_getitem(a, b, x, y, s):
    return Money(5, x, s, b)[b]


def f_value_getitem_truth(a, b, x, y, s):
    return Money(5, x, s, b)[s]


def f_value_iterate_items(a, b, x, y, s):
    t = 0
    for k in Money(5, x, s, b):
        t += k
        if t > 100:
            break
    return t


def f_value_call(a, b, x, y, s):
    return Money(5, x, s, b)(b)


def f_value_neg(a, b, x, y, s):
    return (-Money(a, x, s, b)).cents


def f_value_truediv(a, b, x, y, s):
    return Money(5, x, s, b) / 2


def f_value_radd(a, b, x, y, s):
    return 3 + Money(5, x, s, b)


def f_value_abs(a, b, x, y, s):
    return abs(Money(5, x, s, b))


def f_value_property(a, b, x, y, s):
    return Money(a, x, s, b).double


def f_value_static(a, b, x, y, s):
    return Money.of(b).cents


def f_value_static_instance(a, b, x, y, s):
    return Money.of(b).of(3).cents


def f_value_class_method(a, b, x, y, s):
    return Money.made(b).cents


def f_value_method(a, b, x, y, s):
    return Money(b, x, s, b).grown() + Money(b, x, s, b).grown(3, times=b)


def f_value_method_by_place(a, b, x, y, s):
    return Money(b, x, s, b).grown(3, 4)


def f_value_method_unbound(a, b, x, y, s):
    return Money.grown(Money(b, x, s, b), 3)


def f_value_method_float(a, b, x, y, s):
    return Money(b, x, s, b).grown(2.5)


def f_value_int_of_float(a, b, x, y, s):
    return Money(x, x, s, b).cents


def f_value_int_of_truth(a, b, x, y, s):
    return Money(s, x, s, b).cents + 1


def f_value_float_of_int(a, b, x, y, s):
    return Money(1, a, s, b).share


def f_value_float_of_truth(a, b, x, y, s):
    return Money(1, s, s, b).share


def f_value_bool_of_int(a, b, x, y, s):
    return Money(1, x, a, b).paid + 1


def f_value_bool_of_even(a, b, x, y, s):
    return Money(1, x, 256 * (b % 2), b).paid + 1


def f_value_bool_of_float(a, b, x, y, s):
    return Money(1, x, y, b).paid + 1


def f_value_bool_of_none(a, b, x, y, s):
    return Money(1, x, None, b).paid


def f_value_bool_of_none_or(a, b, x, y, s):
    return Money(1, x, none_or(a, s), b).paid


def f_value_int_of_none_or(a, b, x, y, s):
    return Money(none_or(a, s), x, s, b).cents


def f_value_float_of_none_or(a, b, x, y, s):
    return Money(1, none_or(x, s), s, b).share


def f_value_float_of_none_int(a, b, x, y, s):
    return Money(1, none_or(a, s), s, b).share


def f_value_float_of_text(a, b, x, y, s):
    return Money(1, "2.5", s, b).share


def f_value_bool_of_text(a, b, x, y, s):
    return Money(1, x, ("", "a")[b % 2], b).paid


def f_value_int_of_text(a, b, x, y, s):
    return Money("1", x, s, b).cents


def f_value_int_of_color(a, b, x, y, s):
    return Money(Color.RED, x, s, b).cents


def f_value_int_of_mood(a, b, x, y, s):
    return Money(Mood.ANGRY, x, s, b).cents > 0


def f_value_int_of_level(a, b, x, y, s):
    return Money(Level.HIGH, x, s, b).cents


def f_value_any_text(a, b, x, y, s):
    return Money(1, x, s, "a").note == "a"


def f_value_any_none(a, b, x, y, s):
    return Money(1, x, s, None).note is None


def f_value_any_tuple(a, b, x, y, s):
    return Money(1, x, s, (a, b)).note[1]


def f_value_any_mixed(a, b, x, y, s):
    return Money(1, x, s, a if s else x).note * 3


def f_value_any_one_of_two(a, b, x, y, s):
    v = Money(1, x, s, a) if s else Money(1, x, s, b)
    return v.note


def f_value_any_int_or_float(a, b, x, y, s):
    v = Money(1, x, s, a) if s else Money(1, x, s, x)
    return v.note


def f_value_same(a, b, x, y, s):
    return Money(a, x, s, b) == Money(b, y, s, b)


def f_value_same_nan(a, b, x, y, s):
    v = Money(a, x, s, b)
    return v == v


def f_value_same_int_float(a, b, x, y, s):
    return Tinted(a, 1) == Tinted(float(a), 1)


def f_value_same_int_float_large(a, b, x, y, s):
    return Tinted(2**53 + 1, 1) == Tinted(2.0**53, 1)


def f_value_differs_int_float_large(a, b, x, y, s):
    return Tinted(2**53 + 1 + b % 2, 1) != Tinted(2.0**53, 1)


def f_value_same_tuple_nan(a, b, x, y, s):
    t = (x, 1.0)
    return Tinted(t, 1) == Tinted(t, 1)


def f_value_same_tuple_mixed(a, b, x, y, s):
    return Tinted((a, b), 1) == Tinted((float(a), b), 1)


def f_value_same_none(a, b, x, y, s):
    return Tinted(None, 1) == Tinted(a, 1)


def f_value_same_none_or(a, b, x, y, s):
    return Tinted(none_or(a, s), 1) == Tinted(a, 1)


def f_value_same_none_both(a, b, x, y, s):
    return Tinted(None, 1) == Tinted(None, 1)


def f_value_same_nested(a, b, x, y, s):
    return Tinted(Tinted(a, 2), 1) == Tinted(Tinted(b, 2), 1)


def f_value_same_text_number(a, b, x, y, s):
    return Tinted("a", 1) == Tinted(b, 1)


def f_value_same_truth(a, b, x, y, s):
    return Tinted(s, 1) == Tinted(b, 1)


def f_value_same_other_class(a, b, x, y, s):
    return Tinted(a, 1) == Painted(a, 1)


def f_value_same_number(a, b, x, y, s):
    return Tinted(a, 1) == a


def f_value_same_tuple(a, b, x, y, s):
    return Tinted(a, 1) == (a, 1)


def f_value_in_tuple(a, b, x, y, s):
    v = Tinted(a, 1)
    return v in (Tinted(b, 1), Tinted(a, 1))


def f_value_in_tuple_mixed(a, b, x, y, s):
    v = Tinted(a, 1)
    return v in (Tinted(b, 1), 3)


def f_value_is(a, b, x, y, s):
    v = Tinted(a, 1)
    w = v
    return v is w


def f_value_pair_order(a, b, x, y, s):
    return (Tinted(a, 1), 1) == (Tinted(b, 1), 1)


def f_value_unpacked(a, b, x, y, s):
    p, q = Tinted(a, 1)
    return p


def f_value_keywords(a, b, x, y, s):
    return Tinted(amount=a, tint=b).tint


def f_value_missing(a, b, x, y, s):
    return Tinted(1).tint


def f_value_too_many(a, b, x, y, s):
    return Tinted(1, 2, 3).tint


def f_value_assigned(a, b, x, y, s):
    v = Tinted(1, 2)
    v.amount = 3
    return v.amount


def f_value_hidden(a, b, x, y, s):
    return Tinted(1, 2).__value_fields__[0] == "tint"


def f_value_overflow(a, b, x, y, s):
    return Tinted(a, 2**63 - 1).amount + Tinted(a, 1).amount


def f_value_field_large(a, b, x, y, s):
    return Money(a * 2, x, s, b).cents


def f_value_method_mixed(a, b, x, y, s):
    return Tinted(a if s else x, b).brighter()


def f_value_method_angle(a, b, x, y, s):
    return math.atan2(-Tinted(0 if s else x, b).tint, -1)


def f_value_float_field_angle(a, b, x, y, s):
    return math.atan2(-Money(1, 0 if s else x, s, b).share, -1)


def f_value_float_field_negative(a, b, x, y, s):
    return math.atan2(Money(1, -(0 if s else x), s, b).share, -1)


def f_value_float_field_product(a, b, x, y, s):
    return math.copysign(1.0, Money(1, (0 if s else x) * -3, s, b).share)


@value
class Inconsistent:
    n: int

    def __eq__(self, other):
        return self.n == other.n + 1

    def __ne__(self, other):
        return self.n > 3

    def __hash__(self):
        return 1


def f_inconsistent_same(a, b, x, y, s):
    return Inconsistent(b) == Inconsistent(b)


def f_inconsistent_differs(a, b, x, y, s):
    return Inconsistent(b) != Inconsistent(b)


def f_inconsistent_in(a, b, x, y, s):
    v = Inconsistent(b)
    return v in (v, Inconsistent(3))


def f_inconsistent_in_other(a, b, x, y, s):
    v = Inconsistent(b)
    return v in (Inconsistent(3), Inconsistent(4))


def f_inconsistent_tuple(a, b, x, y, s):
    v = Inconsistent(b)
    return (v, 1) == (v, 1)


def f_inconsistent_none(a, b, x, y, s):
    return Inconsistent(b) == None


@value
class Counts:
    n: int

    def __eq__(self, other):
        return self.n + other.n

    def __lt__(self, other):
        return self.n + other.n

    def __hash__(self):
        return 1

    def __len__(self):
        return self.n

    def __iter__(self):
        for k in range(self.n % 5):
            yield k * 2


def f_counts_same(a, b, x, y, s):
    return (Counts(b) == Counts(3)) + 1


def f_counts_differs(a, b, x, y, s):
    return (Counts(b) != Counts(3)) + 1


def f_counts_order(a, b, x, y, s):
    return (Counts(b) < Counts(3)) * 2


def f_counts_truth(a, b, x, y, s):
    return 1 if Counts(b) else 2


def f_counts_truth_not(a, b, x, y, s):
    return not Counts(b)


def f_counts_truth_and(a, b, x, y, s):
    v = Counts(b)
    while v:
        return 3
    return 4


def f_counts_any(a, b, x, y, s):
    return any(Counts(k) for k in range(2)) + any(Counts(0) for k in range(2))


def f_counts_iterated(a, b, x, y, s):
    return sum(k for k in Counts(b))


def f_counts_in(a, b, x, y, s):
    return 4 in Counts(b)


def f_counts_unpacked(a, b, x, y, s):
    p, q, r = Counts(3)
    return p + q * 10 + r * 100


def f_counts_unpacked_one(a, b, x, y, s):
    (p,) = Counts(1)
    return p


def f_counts_max(a, b, x, y, s):
    return max(k for k in Counts(b))


def f_counts_len(a, b, x, y, s):
    return len(Counts(b))


def f_counts_enumerate(a, b, x, y, s):
    return sum(i * k for i, k in enumerate(Counts(b)))


def f_counts_zip(a, b, x, y, s):
    return sum(i * k for i, k in zip(Counts(b), Counts(4)))


@value
class Swapped:
    y: int
    x: int

    def __iter__(self):
        yield self.x
        yield self.y


def f_swapped_unpacked(a, b, x, y, s):
    p, q = Swapped(a, b)
    return p


def f_swapped_loop(a, b, x, y, s):
    t = 0
    for k in Swapped(a % 9, b % 9):
        t = t * 10 + k
    return t


@value
class Longer:
    y: int

    def __iter__(self):
        yield self.y
        yield self.y + 1


def f_longer_unpacked(a, b, x, y, s):
    p, q = Longer(b)
    return p * 10 + q


def f_longer_unpacked_one(a, b, x, y, s):
    (p,) = Longer(b)
    return p


@value
class Real:
    v: "float"
    w: float | int
    u: int | None

    @property
    def raising(self):
        if self.v > 0:
            raise ValueError("no")
        return 3


def f_real_union(a, b, x, y, s):
    return Real(1, a, 2).w // 3


def f_real_union_float(a, b, x, y, s):
    return Real(1, x, 2).w * 2


def f_real_none(a, b, x, y, s):
    v = Real(1, x, None)
    return 1 if v.u is None else v.u


def f_real_none_or(a, b, x, y, s):
    v = Real(1, x, none_or(a, s))
    return 1 if v.u is None else v.u


def f_real_text_annotation(a, b, x, y, s):
    return Real(b, x, 1).v / 2


def f_real_raising(a, b, x, y, s):
    return Real(b, x, 1).raising


# more of what may be None


def f_none_times(a, b, x, y, s):
    return none_or(a, s) * 3


def f_none_minus(a, b, x, y, s):
    return 5 - none_or(a, s)


def f_none_floordiv(a, b, x, y, s):
    return none_or(a, s) // b


def f_none_mod(a, b, x, y, s):
    return none_or(a, s) % b


def f_none_truediv(a, b, x, y, s):
    return none_or(a, s) / b


def f_none_truediv_float(a, b, x, y, s):
    return none_or(x, s) / y


def f_none_floordiv_float(a, b, x, y, s):
    return none_or(x, s) // y


def f_none_shift(a, b, x, y, s):
    return none_or(b, s) << 60


def f_none_shift_right(a, b, x, y, s):
    return none_or(a, s) >> b


def f_none_bits(a, b, x, y, s):
    return none_or(a, s) & b


def f_none_less_float(a, b, x, y, s):
    return none_or(a, s) < x


def f_none_less_large(a, b, x, y, s):
    return none_or(2**53 + 1, s) > float(2**53)


def f_none_same_large(a, b, x, y, s):
    return none_or(2**53 + 1, s) == float(2**53)


def f_none_same_helper(a, b, x, y, s):
    return is_same(none_or(a, s), x)


def f_none_same_truth(a, b, x, y, s):
    return none_or(s, s) == a


def f_none_plus_float(a, b, x, y, s):
    return none_or(a, s) + x


def f_none_plus_mixed(a, b, x, y, s):
    return none_or(a, s) + (1 if s else 0.5)


def f_none_both_plus(a, b, x, y, s):
    return none_or(a, s) + none_or(b, s)


def f_none_invert(a, b, x, y, s):
    return ~none_or(a, s)


def f_none_divmod(a, b, x, y, s):
    return divmod(none_or(a, s), b)[0]


def f_none_floor(a, b, x, y, s):
    return math.floor(none_or(x, s))


def f_none_sum(a, b, x, y, s):
    return sum((none_or(a, s), b))


def f_none_generator(a, b, x, y, s):
    return sum(none_or(a, s) for k in range(3))


def f_none_max_generator(a, b, x, y, s):
    return max(none_or(a, s) for k in range(3))


def f_none_augmented(a, b, x, y, s):
    v = none_or(a, s)
    v += 1
    return v


def f_none_loop(a, b, x, y, s):
    best = None
    for k in range(3):
        v = a + k if k else a
        if best is None or v > best:
            best = v
    return best + 1


def f_none_loop_plus(a, b, x, y, s):
    best = None
    for k in range(3):
        if best is None:
            best = a
        else:
            best = best + b
    return best


def f_none_loop_times(a, b, x, y, s):
    best = None
    for k in range(3):
        best = b if best is None else best * b * 1000003
    return best


def f_none_loop_mixed(a, b, x, y, s):
    best = None
    for k in range(3):
        v = k if s else x
        if best is None or v < best:
            best = v
    return best - a


def f_none_chain(a, b, x, y, s):
    return 0 < none_or(a, s) < 10


def f_none_index(a, b, x, y, s):
    return (1, 2, 3)[none_or(b % 5, s)]


def f_none_in_range(a, b, x, y, s):
    return none_or(a, s) in range(5)


def f_none_tuple_item(a, b, x, y, s):
    t = (none_or(a, s), b)
    return t[0] + 1


def f_none_unpacked(a, b, x, y, s):
    p, q = none_or(a, s), none_or(b, s)
    return p * q


def f_none_pair(a, b, x, y, s):
    v = None
    if s:
        v = (a, b)
    return v is not None and v[0] > 3


def f_none_pair_item(a, b, x, y, s):
    t = (x, b) if s else None
    return t[0] if t is not None else a * 0.5


def f_none_pair_unpacked(a, b, x, y, s):
    v = None
    if s:
        v = (a, b)
    p, q = v
    return p - q


def f_none_pair_same(a, b, x, y, s):
    v = None
    if s:
        v = (a, b)
    return v == (a, b)


def f_none_position(a, b, x, y, s):
    v = None
    if s:
        v = Position(b, 3)
    return v == Position(b, 3)


def f_none_position_differs(a, b, x, y, s):
    v = None
    if s:
        v = Position(b, 3)
    return v != Position(b, 3)


def f_none_position_read(a, b, x, y, s):
    v = None
    if s:
        v = Position(b, 3)
    return v.y


def f_none_position_plus(a, b, x, y, s):
    v = None
    if s:
        v = Position(b, 3)
    return (v + Position(1, 1)).y


def f_none_position_truth(a, b, x, y, s):
    v = None
    if s:
        v = Position(b, 3)
    return 1 if v else 2


def f_none_position_not(a, b, x, y, s):
    v = None
    if s:
        v = Position(b, 3)
    return not v


def f_none_position_helper(a, b, x, y, s):
    v = None
    if s:
        v = Position(b, 3)
    return y_or(v)


def y_or(p=None):
    if p is None:
        return -1
    return p.y


def f_none_position_helper_both(a, b, x, y, s):
    return y_or() + y_or(None) + y_or(Position(b % 9, 1))


def f_none_value_method(a, b, x, y, s):
    v = None
    if s:
        v = Tinted(a, b)
    return v.brighter()


def f_none_value_order(a, b, x, y, s):
    v = None
    if s:
        v = Money(a, x, s, b)
    return v < Money(b, x, s, b)


def f_none_reassigned_default(a, b, x, y, s):
    return defaulted(a) + defaulted(a, b % 9)


def defaulted(a, k=None):
    if k is None:
        k = 2
    return a % 9 * k


def f_none_reassigned_float(a, b, x, y, s):
    return defaulted_float(a) + defaulted_float(a, b % 9)


def defaulted_float(a, k=None):
    k = 0.5 if k is None else k
    return a % 9 * k


def f_none_or_default(a, b, x, y, s):
    return or_default(a) + or_default(a, b)


def or_default(a, k=None):
    k = k or 3
    return a % 9 + k % 5


def f_none_returned_none(a, b, x, y, s):
    v = returns_nothing(a)
    return v is None


def returns_nothing(a):
    if a > 3:
        return


def f_none_returned_plus(a, b, x, y, s):
    return falls_off(a) + 1


def falls_off(a):
    if a > 3:
        return a


def f_none_truth_is(a, b, x, y, s):
    v = none_or(s, a > 3)
    return v is True


def f_none_truth_not(a, b, x, y, s):
    v = none_or(s, a > 3)
    return not v


def f_none_truth_if(a, b, x, y, s):
    v = none_or(s, a > 3)
    return 1 if v else 2


# statements


def f_match_truth(a, b, x, y, s):
    match b:
        case True:
            return 1
        case False:
            return 2
        case None:
            return 3
    return 4


def f_match_truth_of_truth(a, b, x, y, s):
    match s:
        case 1:
            return 1
        case 0:
            return 2
    return 4


def f_match_float(a, b, x, y, s):
    match x:
        case 1:
            return 1
        case 0.5 | 2.5:
            return 2
        case -7.0:
            return 3
        case 0:
            return 5
    return 4


def f_match_int_float(a, b, x, y, s):
    match a:
        case 9007199254740992.0:
            return 1
        case 0.0:
            return 2
    return 4


def f_match_guard(a, b, x, y, s):
    match b:
        case n if n > 5 and n % 2:
            return n
        case 1 | 2 | 3 as n:
            return n * 10
        case _ if s:
            return 7
    return 4


def f_match_capture_after(a, b, x, y, s):
    match b:
        case n if n > 100:
            pass
        case _:
            pass
    return n


def f_match_capture_mixed(a, b, x, y, s):
    n = 0.5
    match b:
        case 3:
            return 1
        case n:
            pass
    return n


def f_match_tuple(a, b, x, y, s):
    match (a, b):
        case (0, k):
            return k
        case (k, 0):
            return k
    return 4


def f_match_value(a, b, x, y, s):
    match Position(a, b):
        case Position(y=0):
            return 1
    return 4


def f_match_number_class(a, b, x, y, s):
    match a:
        case int():
            return 1
    return 4


def f_match_star(a, b, x, y, s):
    match (a, b, 3):
        case (k, *rest):
            return k
    return 4


def f_match_nested(a, b, x, y, s):
    t = 0
    for k in range(5):
        match k:
            case 1:
                continue
            case 3:
                break
            case _:
                t += k
    else:
        t = -1
    return t


def f_match_enum_value(a, b, x, y, s):
    match b:
        case Level.HIGH:
            return 1
        case Mood.ANGRY:
            return 2
    return 4


def f_match_constant(a, b, x, y, s):
    match b:
        case math.pi:
            return 1
        case operator.index:
            return 2
    return 4


def f_match_none(a, b, x, y, s):
    match none_or(a, s):
        case None:
            return 1
        case 0:
            return 2
    return 4


def f_match_text(a, b, x, y, s):
    match b:
        case "a":
            return 1
    return 4


def f_match_large(a, b, x, y, s):
    match a:
        case 9223372036854775808:
            return 1
    return 4


def f_while_else_break(a, b, x, y, s):
    k = b % 9
    while k:
        k -= 2
        if k == 1:
            break
        if k < 0:
            return -1
    else:
        return 100
    return k


def f_while_continue(a, b, x, y, s):
    k = t = 0
    while k < 9:
        k += 1
        if k % 2:
            continue
        t += k
    else:
        t *= 2
    return t


def f_while_float(a, b, x, y, s):
    v, k = 1.0, 0
    while v > 0.01 and k < 99:
        v *= 0.5
        k += 1
    return k + v


def f_while_mixed(a, b, x, y, s):
    v, k = 1, 0
    while k < b % 40:
        v = v * 3 if s else v / 3
        k += 1
    return v


def f_while_endless(a, b, x, y, s):
    k = 0
    while True:
        k += 1
        if k > b % 9:
            return k


def f_for_else(a, b, x, y, s):
    for k in range(b % 5):
        if k == 3:
            break
    else:
        k = 77
    return k


def f_for_after(a, b, x, y, s):
    for k in (5, 6, 7):
        pass
    return k


def f_for_tuple_break(a, b, x, y, s):
    for k in (5, 6, b):
        if k == b:
            break
    return k


def f_for_tuple_mixed(a, b, x, y, s):
    t = 0
    for k in (5, 6.5, b):
        t += k
    return t


def f_for_list(a, b, x, y, s):
    t = 0
    for k in [a % 5, b % 5, 3]:
        t = t * 10 + k
    return t


def f_for_set(a, b, x, y, s):
    t = 0
    for k in {3, 1, 2}:
        t = t * 10 + k
    return t


def f_for_dict(a, b, x, y, s):
    t = 0
    for k in {3: 1}:
        t = t * 10 + k
    return t


def f_for_text(a, b, x, y, s):
    t = 0
    for k in "abc":
        t += k == "b"
    return t


def f_for_modules(a, b, x, y, s):
    t = 0
    for f in (math.sin, math.cos, abs):
        t += f(x)
    return t


def f_for_types(a, b, x, y, s):
    t = 0
    for f in (int, float, bool):
        t += f(x)
    return t


def f_for_functions_assigned(a, b, x, y, s):
    f = takes_three
    t = 0
    for f in (takes_three, helper_mixed):
        t += f(2)
    return t


def f_for_nested_same(a, b, x, y, s):
    t = 0
    for k in range(3):
        for k in range(4):
            t += k
        t += k * 100
    return t


def f_for_star_target(a, b, x, y, s):
    t = 0
    for k, *r in ((1, 2, 3), (4, 5, 6)):
        t += k
    return t


def f_for_nested_target(a, b, x, y, s):
    t = 0
    for k, (i, j) in ((1, (2, 3)), (4, (5, 6))):
        t = t * 7 + k * i - j
    return t


def f_for_floats(a, b, x, y, s):
    t = 0
    for k in (0.1, 0.2, 0.3):
        t += k
    return t


def f_for_truths(a, b, x, y, s):
    t = 0
    for k in (True, False, s):
        t = t * 2 + k
    return t


def f_for_truth_ints(a, b, x, y, s):
    t = 0
    for k in (True, 5, s):
        t = t * 2 + k
    return t


def f_for_none(a, b, x, y, s):
    t = 0
    for k in (None, 5):
        if k is not None:
            t += k
    return t


def f_try(a, b, x, y, s):
    try:
        return a // b
    except ZeroDivisionError:
        return 0


def f_try_finally(a, b, x, y, s):
    t = 0
    try:
        t = a // b
    finally:
        t += 1
    return t


def f_with(a, b, x, y, s):
    with math as q:
        return 1


def f_del(a, b, x, y, s):
    t = 3
    del t
    return t


def f_global(a, b, x, y, s):
    global _sum
    _sum = 3
    return _sum


def f_assert(a, b, x, y, s):
    assert b > 0, f"b is {b}"
    return b


def f_assert_tuple(a, b, x, y, s):
    t = (b > 0, "text")
    assert t
    return b


def f_assert_walrus(a, b, x, y, s):
    assert (k := b % 7) > 1
    return k


def f_raise_value(a, b, x, y, s):
    if b > 2:
        raise ValueError(b)
    return b


def f_raise_class(a, b, x, y, s):
    if b > 2:
        raise KeyError
    return b


def f_raise_from(a, b, x, y, s):
    if b > 2:
        raise KeyError from None
    return b


def f_raise_number(a, b, x, y, s):
    if b > 2:
        raise b
    return b


def f_raise_in_generator(a, b, x, y, s):
    return sum(k for k in raising_at(b % 7))


def raising_at(n):
    for k in range(9):
        if k == n:
            raise ValueError("no")
        yield k


def f_raise_unreached(a, b, x, y, s):
    return next(k for k in raising_at(3) if k >= b % 3)


def f_raise_stop(a, b, x, y, s):
    return sum(k for k in stopping_at(b % 7))


def stopping_at(n):
    for k in range(9):
        if k == n:
            return
        yield k


def f_raise_stop_iteration(a, b, x, y, s):
    return sum(k for k in raising_stop(b % 7))


def raising_stop(n):
    for k in range(9):
        if k == n:
            raise StopIteration
        yield k


def f_raise_stop_inside_next(a, b, x, y, s):
    return sum(k for k in next_inside(b % 3))


def next_inside(n):
    for k in range(3):
        yield next(j for j in range(n) if j > k)


def f_generator_next_in_generator(a, b, x, y, s):
    t = 0
    for k in next_inside(b % 3 + 2):
        t += k
    return t


def f_generator_mixed(a, b, x, y, s):
    return sum(k for k in mixed_yields(a, x, s))


def mixed_yields(a, x, s):
    yield a
    if s:
        yield x


def f_generator_mixed_angle(a, b, x, y, s):
    t = 0.0
    for k in mixed_yields(0, x, s):
        t = math.atan2(-k, -1.0)
    return t


def f_generator_of_generator(a, b, x, y, s):
    return sum(k * 2 for k in stopping_at(b % 4) for j in stopping_at(k))


def f_generator_from(a, b, x, y, s):
    return sum(k for k in yields_from(b % 4))


def yields_from(n):
    yield from stopping_at(n)


def f_generator_sent(a, b, x, y, s):
    return sum(k for k in yields_value(b % 4))


def yields_value(n):
    v = yield n
    yield 3 if v is None else v


def f_generator_variable_twice(a, b, x, y, s):
    g = stopping_at(b % 5)
    t = 0
    for k in g:
        t += k
    for k in g:
        t += k * 100
    return t


def f_generator_variable_break(a, b, x, y, s):
    g = stopping_at(b % 5)
    t = 0
    for k in g:
        if k == 1:
            break
    for k in g:
        t += k * 100
    return t


def f_generator_next_variable(a, b, x, y, s):
    g = stopping_at(b % 5)
    return next(g) * 10 + next(g)


def f_generator_next_call(a, b, x, y, s):
    return next(stopping_at(b % 5), -1)


def f_generator_zip(a, b, x, y, s):
    return sum(i * k for i, k in zip(stopping_at(3), stopping_at(b % 5)))


def f_generator_enumerate(a, b, x, y, s):
    return sum(i * k for i, k in enumerate(stopping_at(b % 5), 2))


def f_generator_truth(a, b, x, y, s):
    return 1 if stopping_at(3) else 2


def f_generator_len(a, b, x, y, s):
    return len(stopping_at(3))


def f_generator_is_none(a, b, x, y, s):
    return stopping_at(3) is None


def f_generator_either(a, b, x, y, s):
    g = stopping_at(3) if s else stopping_at(4)
    return sum(k for k in g)


def f_generator_either_two(a, b, x, y, s):
    g = stopping_at(3) if s else mixed_yields(1, 2, True)
    return sum(k for k in g)


def f_generator_in_value(a, b, x, y, s):
    return sum(k for k in Tinted(stopping_at(3), 1).tint)


def f_generator_in_none(a, b, x, y, s):
    g = None
    if s:
        g = stopping_at(3)
    return sum(k for k in g)


def f_generator_no_yield(a, b, x, y, s):
    t = 0
    for k in empty_generator():
        t += 1
    return t


def empty_generator():
    return
    yield 1


def f_generator_in(a, b, x, y, s):
    return 2 in stopping_at(b % 5)


def f_generator_list(a, b, x, y, s):
    return len(list(stopping_at(3)))


def f_generator_tuple_of(a, b, x, y, s):
    p, q = stopping_at(2)
    return p + q


def f_generator_expression_variable(a, b, x, y, s):
    g = (k for k in range(3))
    return sum(g)


def f_generator_max_of(a, b, x, y, s):
    return max(stopping_at(b % 5 + 1))


def f_chain_is(a, b, x, y, s):
    return s is True is not False


def f_chain_in(a, b, x, y, s):
    return 1 < b in (1, 2, 3)


def f_chain_in_chain(a, b, x, y, s):
    return b in (1, 2) in ((1, 2), (3, 4))


def f_chain_not_in(a, b, x, y, s):
    return 0 <= b not in (1, 2)


def f_chain_same(a, b, x, y, s):
    return a == x == b


def f_chain_mixed(a, b, x, y, s):
    return a <= x < b != s


def f_chain_is_none(a, b, x, y, s):
    return a < b is not None


def f_chain_truths(a, b, x, y, s):
    return (a < b) == s != (x > y)


def f_chain_truth_order(a, b, x, y, s):
    return s < (a > b) <= True


def f_in_truths(a, b, x, y, s):
    return b in (True, 3) or s in (0, 5)


def f_in_floats(a, b, x, y, s):
    return a in (0.5, 2.0**53, 7) or x in (1, 2**53 + 1)


def f_in_nan(a, b, x, y, s):
    return x in (x, 1.0)


def f_in_nan_constant(a, b, x, y, s):
    return math.nan in (math.nan, 1.0)


def f_in_static_nan(a, b, x, y, s):
    return NAN in NANS


NAN = math.nan
NANS = (NAN, 1.0)


def f_in_static_dynamic_nan(a, b, x, y, s):
    return x in NANS


def f_in_empty(a, b, x, y, s):
    return a in ()


def f_in_nested(a, b, x, y, s):
    return (a, b) in [(1, 2), (b, a), (a, b)]


def f_in_call(a, b, x, y, s):
    return b in pair_at(b)


def pair_at(b):
    return (b, 3)


def f_in_tuple_variable(a, b, x, y, s):
    t = (a, 1, b)
    return b in t


def f_in_tuple_variable_float(a, b, x, y, s):
    t = (x, 1.0, y)
    return y in t


def f_in_tuple_variable_mixed(a, b, x, y, s):
    t = (x, 1, b)
    return b in t


def f_in_dict(a, b, x, y, s):
    return b in {1: 2}


def f_in_dict_global(a, b, x, y, s):
    return b in TABLE


TABLE = {1: 2, 3: 4}


def f_dict_get(a, b, x, y, s):
    return TABLE.get(1, 3)


def f_dict_item(a, b, x, y, s):
    return TABLE[b]


def f_list_item(a, b, x, y, s):
    return LISTED[b]


LISTED = [3, 4, 5]


def f_list_len(a, b, x, y, s):
    return len(LISTED)


def f_list_append(a, b, x, y, s):
    LISTED.append(3)
    return len(LISTED)


def f_list_loop(a, b, x, y, s):
    t = 0
    for k in LISTED:
        t += k
    return t


def f_list_set(a, b, x, y, s):
    LISTED[0] = 9
    return LISTED[0]


def f_array_global(a, b, x, y, s):
    return ROW[b % 3]


ROW = np.array([1, 2, 3])


def f_named_tuple(a, b, x, y, s):
    return PAIR.left + PAIR[1]


class NT(NamedTuple):
    left: int
    right: float


PAIR = NT(3, 4.5)


def f_named_tuple_made(a, b, x, y, s):
    return NT(a, x).left


def f_named_tuple_whole(a, b, x, y, s):
    p = PAIR
    return p == (3, 4.5)


def f_named_tuple_truth(a, b, x, y, s):
    t = TRUE_TUPLE
    return 1 if t else 2


class TrueTuple(tuple):
    def __len__(self):
        return 77

    def __getitem__(self, k):
        return 50


TRUE_TUPLE = TrueTuple((1, 2))


def f_tuple_subclass_len(a, b, x, y, s):
    return len(TRUE_TUPLE)


def f_tuple_subclass_item(a, b, x, y, s):
    return TRUE_TUPLE[b % 2]


class Big(int):
    def __add__(self, other):
        return 1000


BIG = Big(3)


def f_int_subclass(a, b, x, y, s):
    return BIG + b


def f_int_subclass_in_tuple(a, b, x, y, s):
    return BIGS[b % 2] + 1


BIGS = (Big(3), 4)


def f_large_constant(a, b, x, y, s):
    return LARGE - LARGE + b


LARGE = 2**64


def f_large_tuple(a, b, x, y, s):
    return (2**63, 1)[b % 2]


def f_large_compare(a, b, x, y, s):
    return a < 2**63


def f_large_float(a, b, x, y, s):
    return float(2**63) + x


def f_unsigned(a, b, x, y, s):
    return (2**63 + 5) // 3


def f_unsigned_compare(a, b, x, y, s):
    return a < 9223372036854775813


def f_unsigned_minus(a, b, x, y, s):
    return 9223372036854775813 - a


def f_unsigned_shift(a, b, x, y, s):
    return 0xFFFFFFFFFFFFFFFF >> 3


def f_unsigned_and(a, b, x, y, s):
    return a & 0xFFFFFFFFFFFFFFFF


def f_unsigned_variable(a, b, x, y, s):
    v = 0xFFFFFFFFFFFFFFFF
    return v & a


def f_unsigned_helper(a, b, x, y, s):
    return helper_mixed(0xFFFFFFFFFFFFFFFF)


def f_walrus_if(a, b, x, y, s):
    if (k := a % 7) > 3:
        return k
    return -k


def f_walrus_call(a, b, x, y, s):
    return takes_three(k := b % 5, k, k)


def f_walrus_swap(a, b, x, y, s):
    return b + (b := 3)


def f_walrus_index(a, b, x, y, s):
    return (1, 2, 3)[(k := b % 3)] + k


def f_walrus_shadow(a, b, x, y, s):
    k = 1
    t = k + (k := 5) + k
    return t


def f_walrus_attribute(a, b, x, y, s):
    p = Position(1, 2)
    return p.y + (p := Position(5, 6)).y + p.x


def f_walrus_subscript(a, b, x, y, s):
    t = (1, 2)
    return t[0] + (t := (5, 6))[0]


def f_walrus_return(a, b, x, y, s):
    return (k := a)


def f_conditional_nested(a, b, x, y, s):
    return a if s else x if b > 3 else y if b > 0 else s


def f_conditional_truth(a, b, x, y, s):
    return (s if b > 3 else a) + 0


def f_conditional_truth_invert(a, b, x, y, s):
    return ~(s if b > 3 else a)


def f_conditional_truth_neg(a, b, x, y, s):
    return -(s if b > 3 else x)


def f_truth_variable(a, b, x, y, s):
    v = s
    if b > 3:
        v = a
    return v & 5


def f_truth_variable_is(a, b, x, y, s):
    v = True
    if b > 3:
        v = a
    return v is True


def f_truth_variable_not(a, b, x, y, s):
    v = s
    if b > 3:
        v = x
    return not v


def f_truth_xor(a, b, x, y, s):
    return (s ^ (a > 3)) + (s | True) + (s & b)


def f_truth_xor_is(a, b, x, y, s):
    return (s ^ (a > 3)) is True


def f_truth_and_int_is(a, b, x, y, s):
    return (s & b) is True


def f_truth_sum_is(a, b, x, y, s):
    return (s + 0) is True


def f_truth_shift(a, b, x, y, s):
    return (s << 63) + (s >> 1)


def f_truth_power(a, b, x, y, s):
    return 2**s + s**2 + x**s


def f_truth_round(a, b, x, y, s):
    return round(s) + int(s) + abs(s)


def f_truth_range(a, b, x, y, s):
    return sum(1 for _ in range(s))


def f_or_mixed(a, b, x, y, s):
    return (a or x) * 2


def f_and_mixed(a, b, x, y, s):
    return (a and x) * 2


def f_or_zero(a, b, x, y, s):
    return math.atan2(x or 0, -1)


def f_or_negative_zero(a, b, x, y, s):
    return math.atan2((x and 0.0) or -0.0, -1)


def f_and_chain(a, b, x, y, s):
    return (a and b and s) or x


def f_or_none(a, b, x, y, s):
    return (none_or(a, s) or None) is None


def f_atan_ints(a, b, x, y, s):
    return math.atan2(a, b)


def f_atan_zero(a, b, x, y, s):
    return math.atan2(-0.0 * b, -1)


def f_copysign_mixed(a, b, x, y, s):
    return math.copysign(a, x if s else 0)


def f_log_large(a, b, x, y, s):
    return math.log(a if s else x)


def f_log_two(a, b, x, y, s):
    return math.log2(a) + math.log10(b)


def f_log_base(a, b, x, y, s):
    return math.log(a, b)


def f_log_base_float(a, b, x, y, s):
    return math.log(x, 0.5)


def f_exp_large(a, b, x, y, s):
    return math.exp(b) + math.expm1(x)


def f_gcd_truth(a, b, x, y, s):
    return math.gcd(s, b)


def f_gcd_many(a, b, x, y, s):
    return math.gcd(a, b, 12) + math.gcd(a) + math.gcd()


def f_floor_truth(a, b, x, y, s):
    return math.floor(s) + math.ceil(a)


def f_fmod(a, b, x, y, s):
    return math.fmod(x, y)


def f_fmod_ints(a, b, x, y, s):
    return math.fmod(a, b)


def f_pow_three(a, b, x, y, s):
    return pow(a, 2, 7)


def f_pow_two(a, b, x, y, s):
    return pow(x, 2)


def f_math_keyword(a, b, x, y, s):
    return math.isclose(x, y, rel_tol=0.1)


def f_round_half(a, b, x, y, s):
    return round(b / 2) + round(-b / 2)


def f_round_digits(a, b, x, y, s):
    return round(x, 1)


def f_round_none(a, b, x, y, s):
    return round(x, None)


def f_int_base(a, b, x, y, s):
    return int("11", 2) + int("7")


def f_float_text(a, b, x, y, s):
    return float("1e3") + float(" 2.5 ") + float("-inf")


def f_int_empty(a, b, x, y, s):
    return int() + float() + bool()


def f_int_keyword(a, b, x, y, s):
    return int(x=3)


def f_bool_none(a, b, x, y, s):
    return bool(None)


def f_bool_tuple(a, b, x, y, s):
    return bool((a, b))


def f_bool_text(a, b, x, y, s):
    return bool("")


def f_len_text(a, b, x, y, s):
    return len("abc")


def f_min_text(a, b, x, y, s):
    return min("b", "a") == "a"


def f_min_none(a, b, x, y, s):
    return min(a, None)


def f_min_one(a, b, x, y, s):
    return min(a)


def f_min_nothing(a, b, x, y, s):
    return min()


def f_min_positions(a, b, x, y, s):
    return min(Position(1, 2), Position(3, 4)).y


def f_min_tuples(a, b, x, y, s):
    return min((a, 1), (b, 2))[1]


def f_min_nan(a, b, x, y, s):
    return min(math.nan, x) if s else max(x, math.nan)


def f_min_zero(a, b, x, y, s):
    return math.atan2(min(0.0, -0.0), -1) + math.atan2(max(-0.0, 0.0), -1)


def f_min_zero_mixed(a, b, x, y, s):
    return math.atan2(float(min(0, -0.0)), -1)


def f_max_key(a, b, x, y, s):
    return max(a, b, key=abs)


def f_sum_ints(a, b, x, y, s):
    return sum((1, 2, a))


def f_sum_text(a, b, x, y, s):
    return sum(("a", "b"))


def f_sum_keyword(a, b, x, y, s):
    return sum((a, b), start=x)


def f_sum_nothing(a, b, x, y, s):
    return sum(())


def f_any_tuple(a, b, x, y, s):
    return any((a > 3, s)) + all((a, b, x))


def f_any_mixed(a, b, x, y, s):
    return any((a, x, s))


def f_abs_smallest(a, b, x, y, s):
    return abs(a) + abs(s) + abs(x)


def f_divmod_truth(a, b, x, y, s):
    return divmod(a, s)[0] + divmod(s, b)[1]


def f_divmod_float(a, b, x, y, s):
    q, r = divmod(x, y)
    return q + r


def f_divmod_int_float(a, b, x, y, s):
    return divmod(a, x)[0] + divmod(y, b)[1]


def f_isinstance_bool(a, b, x, y, s):
    return isinstance(s, bool) + isinstance(a, (int, float))


def f_isinstance_tuple(a, b, x, y, s):
    return isinstance((a, b), tuple)


def f_isinstance_position(a, b, x, y, s):
    return isinstance(Position(1, 2), Position)


def f_isinstance_three(a, b, x, y, s):
    return isinstance(a, int, float)


def f_isinstance_any(a, b, x, y, s):
    return isinstance(a, Any)


def f_type_name(a, b, x, y, s):
    return type(a) is int


def f_callable(a, b, x, y, s):
    return callable(takes_three)


def f_hasattr(a, b, x, y, s):
    return hasattr(Position(1, 2), "y")


def f_hash(a, b, x, y, s):
    return hash(a)


def f_id(a, b, x, y, s):
    return id(a)


def f_ord(a, b, x, y, s):
    return ord("a")


def f_map(a, b, x, y, s):
    return sum(map(helper_mixed, (1, 2)))


def f_filter(a, b, x, y, s):
    return sum(k for k in filter(None, (0, 1, 2)))


def f_itertools(a, b, x, y, s):
    return sum(i * j for i, j in itertools.product(range(3), range(2)))


def f_builtins_abs(a, b, x, y, s):
    return builtins.abs(x) + builtins.max(a, b)


def f_print(a, b, x, y, s):
    print(a)
    return a


def f_ellipsis(a, b, x, y, s):
    ...
    return a


def f_docstring(a, b, x, y, s):
    "A text."
    "Another."
    return a


def f_annotated(a, b, x, y, s):
    k: int = x
    j: float
    return k


def f_annotated_int_float(a, b, x, y, s):
    k: float = b
    return k / 3 + k // 2


def f_starred_tuple(a, b, x, y, s):
    return (*(a, b), 3)[1]


def f_starred_target(a, b, x, y, s):
    p, *q = (a, b, 3)
    return p


def f_matmul(a, b, x, y, s):
    return a @ b


def f_complex(a, b, x, y, s):
    return (1 + 2j).real + b


def f_bytes(a, b, x, y, s):
    return b"abc"[0]


def f_format(a, b, x, y, s):
    return len(f"{a}")


def f_percent(a, b, x, y, s):
    return len("%d" % a)


def f_lambda_inside(a, b, x, y, s):
    return (lambda k: k + 1)(b)


def f_class_inside(a, b, x, y, s):
    class K:
        v = 3

    return K.v


def f_import_inside(a, b, x, y, s):
    import math as mm

    return mm.pi


def f_nonlocal(a, b, x, y, s):
    k = 3

    def inner():
        nonlocal k
        k = 4

    inner()
    return k


def f_comprehension(a, b, x, y, s):
    return [k for k in range(3)][1]


def f_deep(a, b, x, y, s):
    return (
        (
            (
                (
                    (
                        (
                            (
                                (
                                    (
                                        (
                                            (
                                                (
                                                    (
                                                        (
                                                            (
                                                                (
                                                                    (
                                                                        (
                                                                            (
                                                                                (
                                                                                    (
                                                                                        (
                                                                                            (
                                                                                                (
                                                                                                    (
                                                                                                        (
                                                                                                            (
                                                                                                                (
                                                                                                                    (
                                                                                                                        (
                                                                                                                            (
                                                                                                                                (
                                                                                                                                    (
                                                                                                                                        (
                                                                                                                                            (
                                                                                                                                                (
                                                                                                                                                    (
                                                                                                                                                        (
                                                                                                                                                            (
                                                                                                                                                                (
                                                                                                                                                                    (
                                                                                                                                                                        (
                                                                                                                                                                            (
                                                                                                                                                                                (
                                                                                                                                                                                    (
                                                                                                                                                                                        (
                                                                                                                                                                                            (
                                                                                                                                                                                                (
                                                                                                                                                                                                    (
                                                                                                                                                                                                        (
                                                                                                                                                                                                            (
                                                                                                                                                                                                                (
                                                                                                                                                                                                                    (
                                                                                                                                                                                                                        (
                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    (
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        (
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            (
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                (
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    a
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                                            )
                                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                                        )
                                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                                    )
                                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                                )
                                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                                + 1
                                                                                                                                                                                                                            )
                                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                                        )
                                                                                                                                                                                                                        * 2
                                                                                                                                                                                                                        + 1
                                                                                                                                                                                                                    )
                                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                                )
                                                                                                                                                                                                                * 2
                                                                                                                                                                                                                + 1
                                                                                                                                                                                                            )
                                                                                                                                                                                                            % 1009
                                                                                                                                                                                                        )
                                                                                                                                                                                                        * 2
                                                                                                                                                                                                        + 1
                                                                                                                                                                                                    )
                                                                                                                                                                                                    % 1009
                                                                                                                                                                                                )
                                                                                                                                                                                                * 2
                                                                                                                                                                                                + 1
                                                                                                                                                                                            )
                                                                                                                                                                                            % 1009
                                                                                                                                                                                        )
                                                                                                                                                                                        * 2
                                                                                                                                                                                        + 1
                                                                                                                                                                                    )
                                                                                                                                                                                    % 1009
                                                                                                                                                                                )
                                                                                                                                                                                * 2
                                                                                                                                                                                + 1
                                                                                                                                                                            )
                                                                                                                                                                            % 1009
                                                                                                                                                                        )
                                                                                                                                                                        * 2
                                                                                                                                                                        + 1
                                                                                                                                                                    )
                                                                                                                                                                    % 1009
                                                                                                                                                                )
                                                                                                                                                                * 2
                                                                                                                                                                + 1
                                                                                                                                                            )
                                                                                                                                                            % 1009
                                                                                                                                                        )
                                                                                                                                                        * 2
                                                                                                                                                        + 1
                                                                                                                                                    )
                                                                                                                                                    % 1009
                                                                                                                                                )
                                                                                                                                                * 2
                                                                                                                                                + 1
                                                                                                                                            )
                                                                                                                                            % 1009
                                                                                                                                        )
                                                                                                                                        * 2
                                                                                                                                        + 1
                                                                                                                                    )
                                                                                                                                    % 1009
                                                                                                                                )
                                                                                                                                * 2
                                                                                                                                + 1
                                                                                                                            )
                                                                                                                            % 1009
                                                                                                                        )
                                                                                                                        * 2
                                                                                                                        + 1
                                                                                                                    )
                                                                                                                    % 1009
                                                                                                                )
                                                                                                                * 2
                                                                                                                + 1
                                                                                                            )
                                                                                                            % 1009
                                                                                                        )
                                                                                                        * 2
                                                                                                        + 1
                                                                                                    )
                                                                                                    % 1009
                                                                                                )
                                                                                                * 2
                                                                                                + 1
                                                                                            )
                                                                                            % 1009
                                                                                        )
                                                                                        * 2
                                                                                        + 1
                                                                                    )
                                                                                    % 1009
                                                                                )
                                                                                * 2
                                                                                + 1
                                                                            )
                                                                            % 1009
                                                                        )
                                                                        * 2
                                                                        + 1
                                                                    )
                                                                    % 1009
                                                                )
                                                                * 2
                                                                + 1
                                                            )
                                                            % 1009
                                                        )
                                                        * 2
                                                        + 1
                                                    )
                                                    % 1009
                                                )
                                                * 2
                                                + 1
                                            )
                                            % 1009
                                        )
                                        * 2
                                        + 1
                                    )
                                    % 1009
                                )
                                * 2
                                + 1
                            )
                            % 1009
                        )
                        * 2
                        + 1
                    )
                    % 1009
                )
                * 2
                + 1
            )
            % 1009
        )
        * 2
        + 1
    ) % 1009


def f_deep_if(a, b, x, y, s):
    if a > 1:
        if b > 1:
            if x > 1:
                if y > 1:
                    if s:
                        for k in range(3):
                            for j in range(3):
                                for i in range(3):
                                    if i + j + k == b % 7:
                                        return i * 100 + j * 10 + k
                    return 5
                return 4
            return 3
        return 2
    return 1


exec("def made_by_exec(n):\n    return n + 1\n")


def f_exec(a, b, x, y, s):
    return made_by_exec(b)


def f_redefined(a, b, x, y, s):
    return redefined(b)


def redefined(n):
    return n + 1


def redefined(n):
    return n + 2


def f_default_late(a, b, x, y, s):
    return reads_global(b)


LATER = 5


def reads_global(n, k=LATER):
    return n % 9 * k + LATER


LATER = 6


# the sign of a zero that is a whole number in Python


def f_zero_divided(a, b, x, y, s):
    return math.atan2(-(0 if s else x) / 2, -1)


def f_zero_times_float(a, b, x, y, s):
    return math.atan2(-(0 if s else x) * 2.5, -1)


def f_zero_plus_zero(a, b, x, y, s):
    return math.atan2(-(0 if s else x) + -0.0, -1)


def f_zero_root(a, b, x, y, s):
    return math.copysign(1, math.sqrt(-(0 if s else abs(x))))


def f_zero_sine(a, b, x, y, s):
    return math.copysign(1, math.sin(-(0 if s else x)))


def f_zero_power(a, b, x, y, s):
    return math.copysign(1, (-(0 if s else x)) ** 1.0)


def f_zero_degrees(a, b, x, y, s):
    return math.copysign(1, math.degrees(-(0 if s else x)))


def f_zero_fmod(a, b, x, y, s):
    return math.copysign(1, math.fmod(-(0 if s else x), 3))


def f_zero_floordiv(a, b, x, y, s):
    return math.atan2((0 if s else x) // -3.5, -1)


def f_zero_rest(a, b, x, y, s):
    return math.atan2((7 if s else x) % -3.5 * -1, -1)


def f_zero_divmod(a, b, x, y, s):
    return math.atan2(divmod(7 if s else x, -7.0)[1], -1)


def f_zero_helper(a, b, x, y, s):
    return angle(-(0 if s else x) / 3)


def angle(v):
    return math.atan2(v, -1)


def f_zero_pow(a, b, x, y, s):
    return math.copysign(1, math.pow(-(0 if s else x), 3))


def f_zero_sum(a, b, x, y, s):
    return math.copysign(1, sum((-0.0, -(0 if s else x))))


def f_zero_sum_generator(a, b, x, y, s):
    return math.copysign(1, sum((-(0 if s else x) * 0.5 for k in range(2)), -0.0))


def f_zero_of_none(a, b, x, y, s):
    return math.atan2(-none_or(0, s) * 1.0, -1)


def f_zero_trunc(a, b, x, y, s):
    return math.atan2(math.trunc(-0.5 * b) * 1.0, -1)


# what is read more than once


@value
class Dice:
    rng: Any
    scale: int

    @property
    def roll(self):
        return self.rng.integers(6)

    def __getitem__(self, k):
        return self.rng.integers(k)

    def __add__(self, other):
        return self.rng.integers(6) + other

    def __neg__(self):
        return self.rng.integers(6)


def T_twice_in(state, action, *, rng):
    state.flag = Dice(rng, 1).roll in (1, 2, 3)


def T_twice_in_variable(state, action, *, rng):
    d = Dice(rng, 1)
    state.flag = d.roll in (1, 2, 3)
    state.m = rng.integers(1000)


def T_twice_in_item(state, action, *, rng):
    d = Dice(rng, 1)
    state.flag = d[6] in (1, 2, 3)
    state.m = rng.integers(1000)


def T_twice_in_sum(state, action, *, rng):
    d = Dice(rng, 1)
    state.flag = d + 1 in (1, 2, 3)
    state.m = rng.integers(1000)


def T_twice_in_negative(state, action, *, rng):
    d = Dice(rng, 1)
    state.flag = -d not in (1, 2, 3)
    state.m = rng.integers(1000)


def T_twice_in_right(state, action, *, rng):
    d = Dice(rng, 1)
    state.flag = 3 in (3, d.roll, d.roll)
    state.m = rng.integers(1000)


def T_twice_augmented(state, action, *, rng):
    d = Dice(rng, 1)
    state.agents[d.roll % 2].steps += 1
    state.m = rng.integers(1000)


def T_twice_augmented_item(state, action, *, rng):
    d = Dice(rng, 1)
    state.agents[d[2]].steps += 1
    state.m = rng.integers(1000)


def T_twice_augmented_power(state, action, *, rng):
    d = Dice(rng, 1)
    c = new_integers(state.scratch, 3)
    c[d[3]] += 4
    c[d[3]] **= 2
    state.n = c[0] * 100 + c[1] * 10 + c[2]
    state.m = rng.integers(1000)


def T_twice_isinstance(state, action, *, rng):
    state.flag = isinstance(state.grid[Dice(rng, 1).roll % 5, 0], (Wall, Floor, Key))
    state.m = rng.integers(1000)


def T_twice_unpacked(state, action, *, rng):
    d = Dice(rng, 1)
    a, b = d.roll, d.roll
    state.n = a * 10 + b


def T_twice_match(state, action, *, rng):
    match Dice(rng, 1).roll:
        case 0 | 1:
            state.n = 1
        case 2 | 3 | 4:
            state.n = 2
    state.m = rng.integers(1000)


def T_twice_chain(state, action, *, rng):
    state.flag = 1 < Dice(rng, 1).roll < 4
    state.m = rng.integers(1000)


def T_twice_min(state, action, *, rng):
    d = Dice(rng, 1)
    state.n = min(d.roll, 3) + max(d.roll, d.roll, 2) * 10
    state.m = rng.integers(1000)


def T_twice_start(state, action, *, rng):
    d = Dice(rng, 1)
    state.n = sum((k for k in range(3)), d.roll)
    state.m = rng.integers(1000)


def T_twice_key(state, action, *, rng):
    d = Dice(rng, 1)
    state.n = max((k * d.roll % 5 for k in range(4)), key=abs)
    state.m = rng.integers(1000)


def T_twice_enumerate(state, action, *, rng):
    t = 0
    for i, k in enumerate(range(3), Dice(rng, 1).roll):
        t += i
    state.n = t
    state.m = rng.integers(1000)


# builtins under other names


def shadowing(abs=None, len=None, float=None, bool=None, min=None, range=None, round=None, tuple=None):
    def f_abs(a, b, x, y, s):
        return abs(-3) + abs(x)

    def f_len(a, b, x, y, s):
        return len((1, 2, 3))

    def f_float(a, b, x, y, s):
        return float(-3) + float(x)

    def f_bool(a, b, x, y, s):
        return bool(-5)

    def f_min(a, b, x, y, s):
        return min(a, b)

    def f_range(a, b, x, y, s):
        t = 0
        for k in range(3):
            t += k
        return t

    def f_round(a, b, x, y, s):
        return round(x)

    def f_any(a, b, x, y, s):
        return any(k > a for k in (1, 2, 3)) + bool(3)

    return {f.__name__: f for f in (f_abs, f_len, f_float, f_bool, f_min, f_range, f_round, f_any)}


f_shadow_abs_float = shadowing(abs=float)["f_abs"]
f_shadow_abs_bool = shadowing(abs=bool)["f_abs"]
f_shadow_abs_own = shadowing(abs=helper_mixed)["f_abs"]
f_shadow_len_tuple = shadowing(len=max)["f_len"]
f_shadow_len_sum = shadowing(len=sum)["f_len"]
f_shadow_float_abs = shadowing(float=abs)["f_float"]
f_shadow_float_int = shadowing(float=int)["f_float"]
f_shadow_float_own = shadowing(float=helper_mixed)["f_float"]
f_shadow_bool_abs = shadowing(bool=abs)["f_bool"]
f_shadow_bool_float = shadowing(bool=float)["f_bool"]
f_shadow_bool_own = shadowing(bool=helper_mixed)["f_bool"]
f_shadow_any_bool = shadowing(bool=abs)["f_any"]
f_shadow_min_max = shadowing(min=max)["f_min"]
f_shadow_min_divmod = shadowing(min=divmod)["f_min"]
f_shadow_min_zip = shadowing(min=operator.add)["f_min"]
f_shadow_range_enumerate = shadowing(range=stopping_at)["f_range"]
f_shadow_round_floor = shadowing(round=math.floor)["f_round"]
f_shadow_round_float = shadowing(round=float)["f_round"]
f_shadow_round_abs = shadowing(round=abs)["f_round"]


# more words


def R_word(state, action, next_state):
    return WORDS_[state.n % 3]


def R_word_helper(state, action, next_state):
    return first_of(("left", 2))


def first_of(t):
    return t[0]


def R_none_or(state, action, next_state):
    return none_or(state.h, state.flag)


def R_orientation(state, action, next_state):
    return state.agent.orientation


def R_orientation_value(state, action, next_state):
    return state.agent.orientation.value


def R_tuple(state, action, next_state):
    return first_of((state.h, 1))


def R_mood(state, action, next_state):
    return mood_of(state.n)


def R_large(state, action, next_state):
    return state.n * 2


def R_same_states(state, action, next_state):
    return (
        is_same(state, next_state)
        + 2 * is_same(state.grid, next_state.grid)
        + 4 * is_same(state.agent, state.agents[1])
    )


def R_same_other(state, action, next_state):
    return is_same(state.grid, next_state.agent) + is_same(state, state.agent.position)


def R_write_next(state, action, next_state):
    next_state.n = 5
    return 1


def T_words_status_text(state, action):
    state.flag = is_same(state.grid[0, 0].status, "OPEN")


def T_words_color_text(state, action):
    state.flag = is_same(state.grid[0, 0].color, "RED")


def T_words_color_mood(state, action):
    state.flag = is_same(state.grid[0, 0].color, Mood.ANGRY)


def T_words_choice_character(state, action, *, rng):
    w = rng.choice(WORDS_)
    state.flag = rng.choice(w) == "l"


def T_words_set_of_colors(state, action):
    state.flag = state.n % 4 in {Color.RED, Color.GREEN}


def T_words_shuffled_colors(state, action, *, rng):
    for c in rng.permutation((Color.RED, Color.GREEN, Color.BLUE)):
        state.grid[0, 0] = Key(c)
        state.n = c


def T_words_color_loop_key(state, action):
    for k, c in enumerate(COLORS):
        state.grid[0, k] = Key(c)


def T_words_color_loop_range(state, action):
    for k in range(3):
        state.grid[0, k] = Key(COLORS[k])


def T_words_color_loop_number(state, action):
    for k in range(1, 3):
        state.grid[0, k] = Key(plus_zero(k))


def T_words_next_color(state, action):
    thing = state.grid[0, 0]
    if isinstance(thing, Key):
        state.grid[0, 0] = Key(cycle(thing.color))


def cycle(color):
    return COLORS[(color + 1) % 3]


def T_words_next_color_same(state, action):
    thing = state.grid[0, 0]
    state.grid[0, 0] = Key(next_color(thing.color))


def next_color(color):
    for c, d in zip(COLORS, (Color.GREEN, Color.BLUE, Color.RED)):
        if c == color:
            return d
    return Color.RED


def T_words_color_counts(state, action):
    c = new_integers(state.scratch, 5)
    for p in state.grid.positions():
        c[index_of(state.grid[p].color)] += 1
    state.n = max(v for v in c)


def index_of(color):
    return color


def T_words_color_match_helper(state, action):
    state.n = price(state.grid[0, 0].color)


def price(color):
    match color:
        case Color.RED:
            return 5
        case Color.GREEN:
            return 7
    return 0


def T_words_status_plus(state, action):
    state.n = state.grid[0, 0].status + 1


def T_words_status_truth(state, action):
    state.n = truth_of(state.grid[0, 0].status)


def T_words_status_make(state, action):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Door):
            state.grid[p] = Door((state.grid[p].status + 1) % 3, state.grid[p].color)


def T_words_status_order(state, action):
    state.flag = is_below(state.grid[0, 0].status, Door.Status.LOCKED)


def T_words_held_truth(state, action):
    state.n = truth_of(state.agent.grid_object)


def T_words_held_not(state, action):
    state.flag = not state.agent.grid_object


def T_words_held_or(state, action):
    state.grid[0, 0] = state.agent.grid_object or Floor()


def T_words_none_color(state, action):
    c = None
    if state.flag:
        c = state.grid[0, 0].color
    state.n = 5 if c else 6


def T_words_none_color_same(state, action):
    c = None
    for p in state.grid.positions():
        if isinstance(state.grid[p], Key):
            c = state.grid[p].color
    state.flag = c == Color.RED
