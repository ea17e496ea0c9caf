# ruff: noqa: B006, B007, E712, E714, E721, F841, PLW0120, SIM102
"""Rules in the style of a student, each with one thing that compiled code might do otherwise. `test_audit` runs them.

T_: transitions, R_: rewards, E_: terminations.
"""

import dataclasses
import enum
import functools
import itertools
import math
import typing
from types import SimpleNamespace

import numpy as np

from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.data_types.vectors import new_integers
from gridarium.world import (
    Action,
    Area,
    Ball,
    Box,
    Color,
    Door,
    Floor,
    Hidden,
    Key,
    NoneGridObject,
    Orientation,
    Position,
    Wall,
)
from tests.compiled.fuzz.world import BigLamp, Ice, Lamp


def T_boxcarry(state, action):
    for p in state.grid.positions():
        box = state.grid[p]
        if isinstance(box, Box):
            state.grid[p] = Floor()
            if isinstance(box.content, Key):
                state.n += 3
            q = p + Position(0, 1)
            if state.grid.contains(q):
                state.grid[q] = box
            if box.content == Key(Color.RED):
                state.n += 100


def T_boxswap(state, action):
    a = state.agent.grid_object
    cell = state.grid[state.agent.position]
    state.agent.grid_object = cell if cell.holdable else NoneGridObject()
    state.grid[state.agent.position] = a if not isinstance(a, NoneGridObject) else Floor()
    if isinstance(a, Box):
        state.h = 1.5


def T_alias(state, action):
    a = state.agent
    b = state.agents[0]
    p = a.position
    b.position = Position((p.y + 1) % state.grid.height, p.x)
    state.n = a.position.y * 10 + p.y
    a.energy += 0.1
    b.energy *= 3
    state.h = a.energy


def T_gridalias(state, action):
    g = state.grid
    old = g[0, 0]
    g[0, 0] = Wall()
    new = g[0, 0]
    state.n = isinstance(old, Wall) * 1 + isinstance(new, Wall) * 2 + (old == new) * 4


def T_divint(state, action):
    k = state.tick * 7919 + 123456789
    state.h = (k * k % (2**61 - 1)) / (2**61 - 1)


def T_hash01(state, action):
    k = (state.agent.position.y * 73856093) ^ (state.agent.position.x * 19349663) ^ (state.tick * 83492791)
    state.h = (k % 1000003) / 1000003
    state.n = k & 0xFF


def T_lcg(state, action):
    seed = state.n
    for _ in range(5):
        seed = (1103515245 * seed + 12345) % 2147483648
    state.n = seed


def T_decay(state, action):
    state.h = math.pow(0.9, state.tick) + math.pow(0.97, state.agent.position.y)


def T_npexp(state, action):
    d = abs(state.agent.position.y - 2) + abs(state.agent.position.x - 3)
    state.h = np.exp(-d / 3.0)


def T_mexp(state, action):
    d = abs(state.agent.position.y - 2) + abs(state.agent.position.x - 3)
    state.h = math.exp(-d / 3.0) + math.tanh(d) + math.log(d + 1) + math.sqrt(d)


def T_nptanh(state, action):
    state.h = np.tanh(0.37 * state.agent.position.x)


def T_while_else(state, action):
    y = state.agent.position.y
    while y > 0:
        if state.grid[y, state.agent.position.x].blocks_vision:
            break
        y -= 1
    else:
        state.n = any(isinstance(state.grid[p], Key) for p in state.grid.positions())
        state.h = 2 ** (y - 3)


def T_while_else2(state, action):
    y = state.agent.position.y
    while y > 3:
        y -= 1
    else:
        state.h = 2 ** (state.agent.position.x - 3)


def T_shift_sub(state, action):
    c = new_integers(state.scratch, 4)
    c[0] = 1
    c[0] <<= 64 + state.agent.position.x
    c[1] = 5
    c[1] >>= 66
    state.n = int(c[0]) + int(c[1]) * 3


def T_pow_sub(state, action):
    c = new_integers(state.scratch, 4)
    c[0] = 2
    c[0] **= state.agent.position.x - 2
    state.n = int(c[0])


def T_pow_items(state, action):
    c = new_integers(state.scratch, 4)
    c[1], c[2] = 3, 2
    for i in (1, 2):
        c[i] **= c[i - 1] + c[i]
    state.n = int(c[1]) * 1000 + int(c[2])


def T_div_sub(state, action):
    c = new_integers(state.scratch, 4)
    c[0] = 7
    c[0] = c[0] / 2
    c[1] = 2.9
    c[2] -= 2.9
    c[3] = True
    state.n = int(c[0]) * 1000 + int(c[1]) * 100 + int(c[2]) * 10 + int(c[3])


def T_intarr(state, action):
    c = new_integers(state.scratch, 9)
    for p in state.grid.positions():
        c[p.y + p.x - 5] += 1
    t = 0
    for v in c:
        t = t * 5 + v
    state.n = int(t) + len(c)


def T_maskneg(state, action):
    m = state.grid.mask()
    m[-1, -1] = True
    m[0, 0] = 5
    state.n = sum(m[p] for p in state.grid.positions()) + m[-1, -1]


def T_maskpos(state, action):
    m = state.grid.mask(True)
    m[state.agent.position] = False
    k = 0
    for p in state.grid.positions():
        if m[p] and not m[p.y, p.x] is False:
            k += 1
        if m[p.y, p.x] is True:
            k += 100
    state.n = k


def T_istrue(state, action):
    hit = state.agent.position.y > 2
    if hit is True:
        state.n += 1
    if state.agent.active is True:
        state.n += 10
    if (state.grid[0, 0].blocks_movement) is False:
        state.n += 100
    if state.agent.hot is True:
        state.n += 1000


def T_isfloat(state, action, *, rng):
    r = rng.random(3) < 0.5
    if r[0] is True:
        state.n += 1
    if r[1] == True:
        state.n += 10
    if not r[2]:
        state.n += 100


def T_npbool(state, action, *, rng):
    r = rng.random(3) < 0.5
    state.n = r[0] * 2 + r[1] * 3
    state.h = r[2] / 2


def T_npbool2(state, action, *, rng):
    r = rng.random(3) < 0.5
    state.n = int(r[0]) - int(r[1]) + r[2] * 5


def T_npboolsub(state, action, *, rng):
    r = rng.random(3) < 0.5
    state.n = r[0] - r[1]


def T_npboolneg(state, action, *, rng):
    r = rng.random(3) < 0.5
    state.n = -r[0]


def T_npboolxor(state, action, *, rng):
    r = rng.random(3) < 0.5
    state.n = (r[0] ^ r[1]) + 2 * (r[0] & r[1]) + 4 * (r[0] | r[2])


def T_npintdiv(state, action, *, rng):
    r = rng.integers(-5, 6, size=4)
    state.n = r[0] // 2 + r[1] % 3
    state.h = r[2] / 3


def T_npintpow(state, action, *, rng):
    r = rng.integers(1, 6, size=4)
    state.n = r[0] ** 2 + 2 ** r[1]
    state.h = r[0] ** 0.5 + 1.5 ** r[2]


def T_npfloatpow(state, action, *, rng):
    r = rng.random(4)
    state.h = r[0] ** 0.37 + r[1] ** 2 + r[2] % 0.3 + r[3] // 0.01


def T_npfloatmath(state, action, *, rng):
    r = rng.normal(size=4)
    state.h = abs(r[0]) + round(r[1] * 10) + min(r[2], 0) + max(r[3], 0.0) + int(r[0] * 5) + math.floor(r[1])


def T_rngview(state, action, *, rng):
    r = rng.integers(10, size=(3, 4))
    row = r[1]
    r[1, 2] = 77
    row[0] = 55
    state.n = int(row[2]) * 1000 + int(r[1, 0])
    c = r[0].astype(int)


def T_rngmore(state, action, *, rng):
    state.n = rng.integers(3, 9, endpoint=True) + rng.integers(low=2, high=5)
    state.h = rng.normal() + rng.normal(1.0) + rng.uniform() + rng.uniform(2, 5) + rng.random()


def T_rngexp(state, action, *, rng):
    state.h = rng.exponential(2.0)


def T_rngpois(state, action, *, rng):
    state.n = rng.poisson(2.0)


def T_rngchoice(state, action, *, rng):
    c = rng.choice((Color.RED, Color.BLUE))
    state.grid[0, 0] = Key(c)
    o = rng.choice((Orientation.LEFT, Orientation.RIGHT))
    state.agent.orientation = o
    k = rng.choice((1, 2.5))
    state.h = k


def T_rngchoice2(state, action, *, rng):
    k = rng.choice((True, 3))
    state.n = k


def T_rngperm(state, action, *, rng):
    x = rng.permutation(6)
    y = rng.permutation(x)
    rng.shuffle(x)
    state.n = int(x[0]) + int(y[1]) * 10 + len(x) * 100


def T_rngpick_free(state, action, *, rng):
    n = 0
    for p in state.grid.positions():
        if isinstance(state.grid[p], Floor):
            n += 1
    if n:
        k = rng.integers(n)
        for p in state.grid.positions():
            if isinstance(state.grid[p], Floor):
                if k == 0:
                    state.agent.position = p
                    break
                k -= 1


def T_reservoir(state, action, *, rng):
    best = Position(-1, -1)
    seen = 0
    for p in state.grid.positions():
        if state.grid[p].holdable:
            seen += 1
            if rng.random() * seen < 1:
                best = p
    if seen:
        state.grid[best] = Floor()


def T_bfs(state, action):
    h, w = state.grid.height, state.grid.width
    dist = new_integers(state.scratch, h * w)
    queue = new_integers(state.scratch, h * w)
    for i in range(h * w):
        dist[i] = -1
    s = state.agent.position
    queue[0] = s.y * w + s.x
    dist[queue[0]] = 0
    head, tail = 0, 1
    while head < tail:
        cur = queue[head]
        head += 1
        y, x = divmod(cur, w)
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            ny, nx = y + dy, x + dx
            if (
                0 <= ny < h
                and 0 <= nx < w
                and not state.grid[ny, nx].blocks_movement
                and dist[ny * w + nx] < 0
            ):
                dist[ny * w + nx] = dist[cur] + 1
                queue[tail] = ny * w + nx
                tail += 1
    total = 0
    for i, d in enumerate(dist):
        total += i * d
    state.n = int(total)


def T_nearest(state, action):
    best = None
    bd = 10**9
    for p in state.grid.positions():
        if isinstance(state.grid[p], (Key, Ball)):
            d = abs(p.y - state.agent.position.y) + abs(p.x - state.agent.position.x)
            if d < bd:
                best, bd = p, d
    if best is not None:
        state.agent.position = best
        state.n = bd


def T_nearest2(state, action):
    target = None
    for p in state.grid.positions():
        if isinstance(state.grid[p], Door):
            if target is None or Position.manhattan_distance(
                p, state.agent.position
            ) < Position.manhattan_distance(target, state.agent.position):
                target = p
    if target:
        dy = target.y - state.agent.position.y
        state.n = dy if dy else 99


def T_minkey(state, action):
    me = state.agent.position
    d, y, x = min((abs(p.y - me.y) + abs(p.x - me.x), p.y, p.x) for p in state.grid.positions() if p != me)
    state.n = d * 100 + y * 10 + x


def T_posfloat(state, action):
    p = state.agent.position
    q = Position(p.y / 2, p.x * 1.0)
    state.agent.position = q
    state.h = q.y


def T_posbool(state, action):
    p = state.agent.position
    q = Position(p.y > 2, p.x > 1)
    state.n = (q.y + q.x) * 3
    state.agent.position = q


def T_gridfloat(state, action):
    state.n = isinstance(state.grid[state.agent.position.y / 1, 0], Wall)


def T_postuple(state, action):
    if state.agent.position == (1, 1):
        state.n = 1
    else:
        state.n = 2


def T_posin(state, action):
    if state.agent.position in ((1, 1), (2, 2)):
        state.n = 1
    if state.agent.position in (Position(1, 1), Position(2, 2)):
        state.n += 5
    if state.agent.position.yx in ((1, 1), (2, 2)):
        state.n += 50


def T_postruth(state, action):
    if state.agent.position:
        state.n += 1
    if not state.agent.grid_object:
        state.n += 2
    if state.grid[0, 0]:
        state.n += 4
    if state.agent:
        state.n += 8
    if action:
        state.n += 16
    if state.agent.orientation:
        state.n += 32


def T_badstatus(state, action):
    state.grid[1, 1] = Door(state.agent.position.y, Color.RED)


def T_badori(state, action):
    state.agent.orientation = Orientation(state.agent.position.y)


def T_oriint(state, action):
    state.agent.orientation = state.agent.position.y % 4


def T_oriadd(state, action):
    state.agent.orientation = Orientation((state.agent.orientation.value + 1) % 4)


def T_held_none(state, action):
    state.agent.grid_object = None


def T_posset_tuple(state, action):
    state.agent.position = (1, 2)


def T_intfield(state, action):
    state.n = state.agent.position.y / 2
    state.n += 0.75
    state.agent.steps = True + 1
    state.agent.hot = state.agent.position.x
    state.h = True


def T_boolfield(state, action):
    state.flag = 5
    state.n = state.flag + state.flag
    state.flag = 0.0
    state.n += state.flag


def T_boolfield2(state, action):
    state.flag = float("nan")
    state.n = state.flag * 1


def T_intnan(state, action):
    state.n = float("nan") if state.agent.position.y == 1 else 2.0


def T_intinf(state, action):
    state.n = int(1e18 * 10.0**state.agent.position.y)


def T_helper_types(state, action):
    state.h = _h1(state.agent.position.y) // 2
    state.n = _h1(state.agent.position.x) * 3


def _h1(k):
    if k > 2:
        return 7
    return 2.5


def T_helper_none(state, action):
    r = _h2(state)
    if r is None:
        state.n = -1
    else:
        state.n = r.y


def _h2(state):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Key):
            return p
    return None


def T_helper_none2(state, action):
    r = _h3(state)
    state.n = r if r else -5


def _h3(state):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Key):
            return p.y


def T_fall(state, action):
    for x in range(state.grid.width):
        for y in range(state.grid.height - 2, -1, -1):
            if isinstance(state.grid[y, x], Ball) and isinstance(state.grid[y + 1, x], Floor):
                state.grid.swap((y, x), (y + 1, x))


def T_life(state, action):
    alive = state.grid.mask()
    for p in state.grid.positions():
        c = 0
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                if dy or dx:
                    q = Position(p.y + dy, p.x + dx)
                    c += state.grid.contains(q) and isinstance(state.grid[q], Wall)
        alive[p] = c == 3 or (c == 2 and isinstance(state.grid[p], Wall))
    for p in state.grid.positions():
        if alive[p]:
            state.grid[p] = Wall()
        elif isinstance(state.grid[p], Wall):
            state.grid[p] = Floor()


def T_diffuse(state, action):
    for p in state.grid.positions():
        t = 0.0
        n = 0
        for o in Orientation:
            q = p + Position.from_orientation(o)
            if state.grid.contains(q):
                t += state.grid.number("scent", q)
                n += 1
        state.grid.set_number(
            "scent", p, 0.5 * state.grid.number("scent", p) + 0.5 * t / n + (p == state.agent.position)
        )
    state.grid.set_number(
        "visits", state.agent.position, state.grid.number("visits", state.agent.position) + 1
    )


def T_walls(state, action):
    for p in state.grid.positions():
        q = Position(p.y, p.x + 1)
        if state.grid.contains(q):
            state.grid.set_wall(p, q, not state.grid.has_wall(p, q))


def T_match(state, action):
    match action:
        case Action.MOVE_FORWARD:
            state.n = 1
        case Action.TURN_LEFT | Action.TURN_RIGHT:
            state.n = 2
        case _:
            state.n = 3


def T_match2(state, action):
    match state.agent.position.yx:
        case (0, x):
            state.n = x
        case (y, 0):
            state.n = y * 10
        case (y, x) if y == x:
            state.n = 1000
        case _:
            state.n = -1


def T_match3(state, action):
    match state.grid[state.agent.position]:
        case Floor():
            state.n = 1
        case Door(status=Door.Status.OPEN):
            state.n = 2
        case Key():
            state.n = 3
        case _:
            state.n = 4


def T_match4(state, action):
    match state.agent.position:
        case Position(y=1):
            state.n = 1
        case Position(x=x):
            state.n = x


def T_agents(state, action):
    for i, a in enumerate(state.agents):
        a.energy += i
        if a == state.agent:
            a.steps += 1
        if a is state.agent:
            a.steps += 100


def T_agents2(state, action):
    tot = sum(a.energy for a in state.agents)
    mx = max(a.position.y for a in state.agents)
    first, second = state.agents[0], state.agents[-1]
    first.energy, second.energy = second.energy, first.energy
    state.n = mx
    state.h = tot


def T_agentswap(state, action):
    a, b = state.agents[0], state.agents[1]
    a.position, b.position = b.position, a.position
    a.grid_object, b.grid_object = b.grid_object, a.grid_object


def T_agents_oob(state, action):
    state.agents[state.agent.position.y].energy = 3


def T_tupleunpack(state, action):
    (y, x), o = state.agent.position.yx, state.agent.orientation
    a, *b = (y, x, 3)
    state.n = y * x


def T_unpack2(state, action):
    y, x = state.agent.position.yx
    y, x = x, y
    h, w = state.grid.shape
    if y < h and x < w:
        state.agent.position = Position(y, x)


CFG = SimpleNamespace(speed=2, decay=0.5)


@dataclasses.dataclass
class Conf:
    rate: float = 0.25
    k: int = 3


CONF = Conf()


class Namespace:
    A = 3
    B = (1, 2, 3)


def T_cfg(state, action):
    state.n = CFG.speed
    state.h = CONF.rate * CONF.k + Namespace.A + Namespace.B[1]


TABLE = ((1, 2, 3), (4, 5, 6), (7, 8, 9))
LST = [3, 1, 2]
ARR = np.array([0.5, 1.5, 2.5])
DCT = {1: 2}


def T_table(state, action):
    state.n = TABLE[state.agent.position.y % 3][state.agent.position.x % 3]


def T_table_oob(state, action):
    state.n = TABLE[state.agent.position.y][state.agent.position.x]


def T_table_neg(state, action):
    state.n = TABLE[-1 - state.agent.position.y % 3][-2]


def T_list(state, action):
    state.n = LST[state.agent.position.y % 3] + len(LST) + (2 in LST)


def T_listloop(state, action):
    for v in LST:
        state.n = state.n * 3 + v
    state.n = state.n % 1000


def T_arr(state, action):
    state.h = ARR[state.agent.position.y % 3]


def T_str(state, action):
    m = "fast" if state.agent.position.y > 2 else "slow"
    state.n = 3 if m == "fast" else 1


def T_strlen(state, action):
    state.n = len("abc")


def T_closure(state, action):
    pass


def make(k, f=0.5):
    def rule(state, action):
        state.n += k
        state.h += f * k

    return rule


T_closure3 = make(3)
T_closure5 = make(5, 0.1)
lam = [(lambda n, k=k: n * k) for k in range(3)]
T_lams_f = tuple(lam)


def T_lams(state, action):
    state.n = sum(f(state.agent.position.y + 1) for f in T_lams_f)


sq, cu = (lambda v: v * v), (lambda v: v * v * v)


def T_twolam(state, action):
    state.n = sq(state.agent.position.y) + cu(state.agent.position.x)


def deco(scale):
    def d(f):
        @functools.wraps(f)
        def w(v, k=2):
            return f(v, k) * scale

        return w

    return d


@deco(10)
def decorated(v, k=7):
    return v + k


def T_deco(state, action):
    state.n = decorated(state.agent.position.y)


@functools.lru_cache(None)
def cached(v):
    return v * v


def T_cached(state, action):
    state.n = cached(state.agent.position.y)


def T_defaults(state, action, *, k: int = 3, w: float = 0.5, who=(1, 2)):
    state.n = k + who[1]
    state.h = w


def T_mutdefault(state, action, *, memo=[0]):
    memo[0] += 1
    state.n = memo[0]


def T_funcattr(state, action):
    T_funcattr.calls += 1
    state.n = T_funcattr.calls


T_funcattr.calls = 0
COUNTER = itertools.count()


def T_counter(state, action):
    state.n = next(COUNTER)


def T_raise(state, action):
    if state.agent.position.y == 3:
        raise KeyError(f"at {state.agent.position} {state.n=}")
    state.n += 1


def T_assert(state, action):
    state.grid[0, 0] = Wall()
    assert state.agent.position.x < 3, (state.agent, "boo")


def T_zero(state, action):
    state.grid[0, 0] = Wall()
    state.n = 10 // (state.agent.position.x - 2)


def T_float0(state, action):
    state.h = 1.0 / (state.agent.position.x - 2)


def T_mod0(state, action):
    state.h = 5.5 % (state.agent.position.x - 2.0)


def T_oob(state, action):
    state.grid[state.agent.position.y + 2, state.agent.position.x] = Wall()


def T_negidx(state, action):
    state.grid[state.agent.position.y - 2, state.agent.position.x] = Wall()


def T_kindattr(state, action):
    for p in state.grid.positions():
        c = state.grid[p]
        if isinstance(c, Lamp):
            state.n += c.reach + c.weights[1]
            state.h += c.power
            if c.lit:
                state.grid[p] = Lamp(Lamp.Status.OFF)
            else:
                state.grid[p] = BigLamp(Lamp.Status.ON)


def T_kindattr2(state, action):
    c = state.grid[state.agent.position]
    state.n = c.reach


def T_status(state, action):
    for p in state.grid.positions():
        c = state.grid[p]
        if isinstance(c, Ice) and c.status < Ice.Status.GONE:
            state.grid[p] = Ice(Ice.Status(c.status + 1), c.color)


def T_status2(state, action):
    for p in state.grid.positions():
        c = state.grid[p]
        if isinstance(c, Ice):
            state.grid[p] = Ice(c.status + 1, c.color)


def T_typeis(state, action):
    c = state.grid[state.agent.position]
    if type(c) is Lamp:
        state.n = 1
    elif type(c) == BigLamp:
        state.n = 2
    elif type(c) in (Door, Key):
        state.n = 3


def T_colorcmp(state, action):
    c = state.grid[state.agent.position].color
    state.n = (
        (c == Color.RED) + 2 * (c is Color.BLUE) + 4 * (c in (Color.RED, Color.GREEN)) + 8 * (c != Color.NONE)
    )


def T_colorval(state, action):
    state.n = state.grid[state.agent.position].color.value


def T_actionval(state, action):
    state.n = action.value * 3 + (action == Action.WAIT)


def T_actioncmp(state, action):
    if action in (Action.TURN_LEFT, Action.TURN_RIGHT) or action is Action.ACTUATE:
        state.n = 1
    if action.name == "WAIT":
        state.n = 2


def T_subgrid(state, action):
    g = state.grid.subgrid(Area((-1, 1), (-1, 1)) + state.agent.position)
    n = 0
    for p in g.positions():
        n += g[p].blocks_movement
    g[0, 0] = Wall()
    state.n = n


def T_areapos(state, action):
    a = Area((1, 2), (1, 3))
    for p in a.positions("border"):
        if state.grid.contains(p):
            state.grid[p] = Floor()
    state.n = a.height * a.width + a.contains(state.agent.position)


def T_gen(state, action):
    for p in ring(state.agent.position, 1):
        if state.grid.contains(p):
            state.grid[p] = Floor()
            state.n += 1


def ring(p, r):
    for dy in range(-r, r + 1):
        for dx in range(-r, r + 1):
            if max(abs(dy), abs(dx)) == r:
                yield Position(p.y + dy, p.x + dx)


def T_gen2(state, action):
    g = ring(state.agent.position, 1)
    a = next(g)
    state.n = a.y


def T_genmut(state, action):
    state.n = sum(1 for p in live(state) if _clearcell(state, p))


def live(state):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Wall):
            yield p


def _clearcell(state, p):
    q = Position(p.y, p.x + 1)
    if state.grid.contains(q):
        state.grid[q] = Floor()
    return True


def T_ternmix(state, action):
    v = 1 if state.agent.position.y > 2 else 0.5
    state.h = v / 2
    state.n = (3 if state.agent.hot else 4) + (state.agent.position.x or 7) + (state.agent.position.y and 5)


def T_noneopt(state, action):
    best = None
    for p in state.grid.positions():
        if isinstance(state.grid[p], Door):
            v = p.y * 1.5
            if best is None or v > best:
                best = v
    state.h = best if best is not None else -1


def T_sortagents(state, action):
    order = sorted(range(len(state.agents)), key=lambda i: state.agents[i].energy)
    state.n = order[0]


def T_intmix(state, action):
    x = 0
    for k in range(4):
        x = x + k / 2
        x = x // 1
    state.h = x
    n = 5
    n /= 2
    state.h += n


def T_bigint(state, action):
    a = 2**40 + state.tick
    b = a * 1000003
    state.n = b % 1000007 + (b >> 20) % 17 - (-b) % 13 + (-b) // 7 % 11


def T_bits(state, action):
    m = 0
    for i, p in enumerate(state.grid.positions()):
        if isinstance(state.grid[p], Wall) and i < 62:
            m |= 1 << i
    c = 0
    while m:
        m &= m - 1
        c += 1
    state.n = c


def T_popneg(state, action):
    x = -5 - state.agent.position.y
    state.n = (x >> 1) + (x & 7) + (x ^ 3) + (~x) + (x | 1)


def T_round(state, action):
    v = state.agent.position.y * 0.5
    state.n = round(v) + round(v + 0.5) + round(-v) + int(-v) + math.floor(-v) + math.ceil(-v)
    state.h = round(v * 3) / 7


def T_minmax(state, action):
    a, b = state.agent.position.yx
    state.n = max(a, b, 2) - min(a, b) + max(a - 3, 0)
    state.h = max(a / 2, b, 0.5) + min(a, 0.5)


def T_chain(state, action):
    a, b = state.agent.position.yx
    state.n = (0 <= a < b <= 4) + 2 * (a == b != 3) + 4 * (a < b > 1)


def T_setattr_other(state, action):
    o = state.seen_by(1)
    o.agent.energy = 7.0
    o.agent.position = state.agent.position
    o.n = 55


def T_forelse(state, action):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Key):
            break
    else:
        state.n = 77


def T_loopvar(state, action):
    for i in range(4):
        if i == state.agent.position.y:
            break
    state.n = i
    for p in state.grid.positions():
        pass
    state.agent.position = p


def T_shadow(state, action):
    sum = 0
    max = 5
    for len in range(3):
        sum += len * max
    state.n = sum


def T_globalshadow(state, action):
    LST = 4
    TABLE = state.agent.position.y
    state.n = LST + TABLE


def T_namedtuple(state, action):
    pt = Pt(1, state.agent.position.y)
    state.n = pt.a + pt.b


class Pt(typing.NamedTuple):
    a: int
    b: int


@value
class Vec:
    y: float
    x: float

    def __add__(self, o):
        return Vec(self.y + o.y, self.x + o.x)

    @property
    def norm(self):
        return math.sqrt(self.y * self.y + self.x * self.x)


def T_vec(state, action):
    v = Vec(state.agent.position.y, 0.5) + Vec(1, 2)
    state.h = v.norm
    state.n = v.y


@value
class VecI:
    y: int
    x: int


def T_veci(state, action):
    v = VecI(state.agent.position.y / 2, 2.9)
    state.n = v.y * 10 + v.x
    state.flag = v == VecI(1, 2)


def T_enumcls(state, action):
    m = Mode.RUN if state.agent.position.y > 1 else Mode.STOP
    state.n = m.value + (m == Mode.RUN)


class Mode(enum.Enum):
    STOP = 3
    RUN = 9


class Lev(enum.IntEnum):
    LO = 1
    HI = 5


def T_intenum(state, action):
    m = Lev.LO if state.agent.position.y > 1 else Lev.HI
    state.n = m * 2 + Lev.HI


def T_npwhere(state, action):
    state.n = np.abs(state.agent.position.y - 3) + np.sign(state.agent.position.x - 2)


def T_npfloor(state, action):
    state.n = int(np.floor(state.agent.position.y / 2))
    state.h = np.sqrt(state.agent.position.x) + np.pi


def T_npargs(state, action):
    state.h = np.minimum(state.h, 3) + np.maximum(1, state.agent.position.y)


def T_atan(state, action):
    state.h = (
        math.atan2(state.agent.position.y - 2, state.agent.position.x - 1)
        + math.sin(state.tick)
        + math.cos(0.1 * state.tick)
        + math.degrees(1.5)
    )


def T_negzero(state, action):
    state.h = -0.0 * state.agent.position.y


def T_minzero(state, action):
    state.h = max(-0.0, 0.0 * state.agent.position.y)


def T_sumfloat(state, action):
    state.h = sum(0.1 * p.y for p in state.grid.positions())


def T_contentchain(state, action):
    n = 0
    for p in state.grid.positions():
        c = state.grid[p]
        if isinstance(c, Box):
            inner = c.content
            if isinstance(inner, Door):
                n += 1 + (inner.status == Door.Status.OPEN)
            if inner.holdable:
                n += 10
            state.grid[p] = inner
            if c.content == inner:
                n += 100
    state.n = n


def T_boxmake(state, action):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Key):
            state.grid[p] = Box(state.grid[p])
        elif isinstance(state.grid[p], Box) and isinstance(state.grid[p].content, Ball):
            state.grid[p] = Box(Key(state.grid[p].content.color))


def T_boxbox(state, action):
    for p in state.grid.positions():
        if isinstance(state.grid[p], Box):
            state.grid[p] = Box(state.grid[p])


def T_boxfloor(state, action):
    state.grid[0, 0] = Box(Floor())


def T_boxnone(state, action):
    state.grid[0, 0] = Box(state.agent.grid_object)


def T_holdhidden(state, action):
    state.agent.grid_object = Wall()


def T_puthidden(state, action):
    state.grid[0, 0] = Hidden()


def T_putnone(state, action):
    state.grid[0, 0] = NoneGridObject()


def T_tickset(state, action):
    state.tick = 5


def T_data(state, action):
    state.data[0] += 1


def T_cells(state, action):
    state.n = state.cells[0, 0] * 2**20 + state.grid.cells[1, 1]


def T_cells2(state, action):
    state.h = state.cells[0, 0] - 5


def T_outofworld(state, action):
    state.agent.position = Position(state.agent.position.y - 1, state.agent.position.x)


def T_result(state, action):
    state.agent.result = 3


def T_resultneg(state, action):
    state.agent.result = state.agent.position.y - 2


def T_active(state, action):
    state.agent.active = state.agent.position.y != 2
