# ruff: noqa: F841
"""More rules in the style of a student: constants of numpy, arrays, masks, wrapped functions, numpy and math in rewards. `test_audit` runs them.

T_: transitions, R_: rewards, E_: terminations.
"""

import functools
import math

import numpy as np

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.world import Color, Door, Exit, Floor, Key, Orientation, Position, Wall
from tests.compiled.audit.rules import LST

G32 = np.float32(0.1)
U8 = np.uint8(200)
NB = np.bool_(True)
F64 = np.float64(0.3)
I64 = np.int64(7)
I32 = np.int32(2**31 - 1)
TUP32 = (np.float32(0.1), np.float32(0.7))
WTS = tuple(np.linspace(0, 1, 5))


def T_g32(state, action):
    state.h = G32 * state.agent.position.x


def T_u8(state, action):
    state.n = U8 + state.agent.position.x * 20


def T_u8b(state, action):
    state.n = U8 + 100


def T_nb(state, action):
    state.n = NB + NB


def T_f64(state, action):
    state.h = F64**0.7 + F64 % 0.07 + F64 * state.agent.position.y


def T_i64(state, action):
    state.n = I64 * 3 // 2 + state.agent.position.x % I64


def T_i32(state, action):
    state.n = I32 + state.agent.position.x


def T_tup32(state, action):
    state.h = TUP32[state.agent.position.x % 2] * 3


def T_wts(state, action):
    state.h = WTS[state.agent.position.y] * 3 + sum(w * w for w in WTS)


def T_augs(state, action):
    state.n **= 2
    state.n <<= 3
    state.n >>= 1
    state.n //= 7
    state.n %= 1000
    state.n ^= 5
    state.n |= 64
    state.n -= 3
    state.h /= 3
    state.h **= 2
    state.h //= 0.1


def T_augpos(state, action):
    state.agent.position += Position(0, 1)
    state.agents[1].position -= Position(1, 0)
    state.agents[0].energy *= 2


def T_hbig(state, action):
    state.h = state.agent.position.y * 2**60 + 2**53 + 1


def T_hbig2(state, action):
    k = state.agent.position.y * 2**57 + 2**53 + 1
    state.h = k + 0.5
    state.flag = k == float(k)


def T_cellnum(state, action):
    state.grid.set_number("visits", state.agent.position, 1.9)
    state.grid.set_number("visits", Position(0, 0), -1.9)
    state.grid.set_number("scent", Position(0, 0), 3)
    state.grid.set_number("scent", Position(0, 1), True)
    state.n = state.grid.number("visits", Position(0, 0)) * 10


def T_cellnope(state, action):
    state.n = state.grid.number("nope", state.agent.position)


def T_objin(state, action):
    o = state.grid[state.agent.position]
    state.n = (
        (o in (Key(Color.RED), Floor()))
        + 2 * (o == Key(Color.RED))
        + 4 * (o != Floor())
        + 8 * (o == state.grid[0, 0])
    )


def T_objis(state, action):
    o = state.grid[state.agent.position]
    state.n = o is Floor()


def T_objis2(state, action):
    o = state.grid[state.agent.position]
    q = state.grid[state.agent.position]
    state.n = o is q


def T_ori(state, action):
    o = -state.agent.orientation * Orientation.LEFT
    state.agent.orientation = o * state.agents[1].orientation
    p = Position(1, 2) * o
    state.n = p.y * 10 + p.x


def T_posmul(state, action):
    p = state.agent.position * 2


def T_sumagents(state, action):
    state.n = max(state.agents, key=_energy).position.y


def _energy(a):
    return a.energy + a.position.x


def T_maxgenkey(state, action):
    a = max((a for a in state.agents), key=_energy)
    a.energy = -1


def T_summask(state, action):
    m = state.grid.mask(True)
    state.n = sum(m)


def T_maskrow(state, action):
    m = state.grid.mask(True)
    for row in m:
        for v in row:
            state.n += v


def T_maskops(state, action):
    m = state.grid.mask(True)
    k = state.grid.mask(False)
    state.n = (m | k)[0, 0]


def T_maskany(state, action):
    m = state.grid.mask(True)
    state.n = m.any() + m.sum()


def T_maskcopy(state, action):
    m = state.grid.mask(True)
    k = m
    k[0, 0] = False
    state.n = m[0, 0] * 1


def T_maskval(state, action):
    m = state.grid.mask(False)
    m[0, 0] = 2
    m[0, 1] = 0.5
    m[0, 2] += 1
    state.n = m[0, 0] + m[0, 1] + m[0, 2]


def T_maskeq(state, action):
    m = state.grid.mask(False)
    m[0, 0] = state.agent.position.y
    state.n = (m[0, 0] == 2) + 10 * (m[0, 0] + m[0, 0])


def T_maskarith(state, action):
    m = state.grid.mask(True)
    state.n = m[0, 0] - m[0, 1] + 3


def T_maskneg(state, action):
    m = state.grid.mask(True)
    state.n = -m[0, 0]


def T_maskis(state, action):
    m = state.grid.mask(True)
    if m[state.agent.position] is True:
        state.n = 7


def T_maskis2(state, action):
    m = state.grid.mask(True)
    hit = m[0, 0] and m[0, 1]
    if hit is True:
        state.n = 7
    if hit is not False:
        state.n += 20


def T_intarrmath(state, action):
    c = new_integers(state.scratch, 6)
    c[0] = 2**62
    c[1] = c[0] * 2 + c[0] * 2
    c[2] = -7
    c[3] = c[2] // 2 * 10 + c[2] % 3
    state.n = c[3] + (c[1] == 0)
    state.h = c[2] / 2 + abs(c[2]) + round(c[2] / 3) + c[2] ** 2


def T_intarrshift(state, action):
    c = new_integers(state.scratch, 6)
    c[0] = 70
    state.n = 1 << c[0]


def T_intarrshift2(state, action):
    c = new_integers(state.scratch, 6)
    c[0] = 40 + state.agent.position.x * 5
    state.n = (1 << c[0]) % 1000003


def T_intarrcmp(state, action):
    c = new_integers(state.scratch, 6)
    c[1] = 3
    hit = c[1] > 2
    state.n = hit + hit
    state.h = (c[1] > 2) + (c[1] < 9)


def T_intarrcmp2(state, action):
    c = new_integers(state.scratch, 6)
    c[1] = 3
    a = c[1] > 2
    b = c[1] < 9
    state.n = a - b


def T_intarrneg(state, action):
    c = new_integers(state.scratch, 6)
    state.n = -(c[1] == 0) + 5


def T_intarrbool(state, action):
    c = new_integers(state.scratch, 3)
    for p in state.grid.positions():
        near = c[p.y % 3] < p.x
        c[0] += near
        c[1] += near + near
    state.n = int(c[0]) * 100 + int(c[1])


def T_rngcmp(state, action, *, rng):
    r = rng.integers(6, size=5)
    state.n = (r[0] > 2) + (r[1] > 2) + (r[2] > 2) + (r[3] > 2)


def T_rngcmp2(state, action, *, rng):
    r = rng.random(4)
    hits = (r[0] < 0.5) + (r[1] < 0.5)
    state.n = hits
    state.flag = (r[2] < 0.5) ^ True


def T_rngscalar(state, action, *, rng):
    a = rng.random() < 0.5
    b = rng.integers(2) == 1
    state.n = a + b + a + b
    state.h = a - b
    if a is True:
        state.n += 100


def T_rngbinder(state, action, *, rng):
    v = rng.normal(size=3)
    n = rng.integers(1, 4, size=3)
    state.h = v[0] / n[0] + n[1] / n[2] + v[1] * n[1] + max(v[0], n[0]) + min(v[2], 1)


def T_rngfloor(state, action, *, rng):
    v = rng.random(3)
    state.n = int(v[0] * state.grid.height) + math.floor(v[1] * 7) + round(v[2] * 3)


def T_rngsum(state, action, *, rng):
    v = rng.random(30)
    t = 0
    for x in v:
        t += x
    state.h = t / len(v) + sum(x for x in v) + max(x for x in v)


def T_rngdivz(state, action, *, rng):
    v = rng.integers(2, size=2)
    state.h = 1.0 / v[0]


def T_rngidx(state, action, *, rng):
    r = rng.integers(5, size=2)
    state.grid[r[0], r[1]] = Wall()
    state.agent.position = Position(r[0], r[1])
    state.n = (1, 2, 3, 4, 5)[r[0]]


def T_rngreuse(state, action, *, rng):
    state.n = rng.integers(1000)
    state.h = state.rng.random() + rng.random()


def T_rngshuffle_rows(state, action, *, rng):
    r = rng.integers(10, size=(4, 2))
    rng.shuffle(r)
    state.n = int(r[0, 0]) * 1000 + int(r[1, 1])


def T_rngpermarr(state, action, *, rng):
    r = rng.permutation(rng.integers(10, size=(3, 2)))
    state.n = int(r[0, 0]) * 1000 + int(r[1, 1])


def T_choiceagents(state, action, *, rng):
    a = state.agents[rng.integers(len(state.agents))]
    a.energy -= 1


def T_choicearr(state, action, *, rng):
    r = rng.integers(10, size=6)
    state.n = rng.choice(r) + rng.choice(5)


def T_choicep(state, action, *, rng):
    state.n = rng.choice(3, p=(0.1, 0.1, 0.8)) + rng.choice((10, 20), p=[0.5, 0.5])


def T_choicepbad(state, action, *, rng):
    state.n = rng.choice(3, p=(0.1, 0.1, 0.7))


def T_int0(state, action, *, rng):
    state.n = rng.integers(state.agent.position.x)


def T_uniform(state, action, *, rng):
    state.h = rng.uniform(5, 2) + rng.uniform(high=3.0) + rng.normal(loc=1, scale=state.agent.position.y)


def T_normalneg(state, action, *, rng):
    state.h = rng.normal(0, -1.0)


def T_randsize0(state, action, *, rng):
    r = rng.random(0)
    state.n = len(r) + 5


def T_intbig(state, action, *, rng):
    state.n = rng.integers(-(2**62), 2**62) % 1009 + rng.integers(2**63 - 1) % 7


def T_wraps_rule_base(state, action, *, k: int = 5):
    state.n = k


def logged(f):
    @functools.wraps(f)
    def inner(state, action, *, k: int = 2):
        f(state, action, k=k)
        state.h = k

    return inner


T_wraps_rule = logged(T_wraps_rule_base)


def double(f):
    @functools.wraps(f)
    def inner(a, b=10):
        return 2 * f(a, b)

    return inner


@double
def addup(a, b=1):
    return a + b


def T_wraps_helper(state, action):
    state.n = addup(state.agent.position.y)


def T_wraps_helper2(state, action):
    state.n = addup(state.agent.position.y, 3)


def checked(f):
    @functools.wraps(f)
    def inner(a, lo=0, hi=2):
        v = f(a)
        return max(lo, min(hi, v))

    return inner


@checked
def plain_h(a):
    return a + 1


def T_wraps_helper3(state, action):
    state.n = plain_h(state.agent.position.y)


def T_wraps_helper4(state, action):
    state.n = plain_h(state.agent.position.y, 1, 4)


@checked
def plain_hi(a, hi=100):
    return a + 1 + hi


def T_wraps_helper5(state, action):
    state.n = plain_hi(state.agent.position.y)


def default_mut(a, k=LST):
    return a + k[0]


def T_deflist(state, action):
    state.n = default_mut(state.agent.position.y)


def default_cls(c, kind=Wall):
    return isinstance(c, kind)


def T_defcls(state, action):
    state.n = default_cls(state.grid[0, 0]) + 2 * default_cls(state.grid[0, 0], Door)


def default_ori(o=Orientation.LEFT):
    return o.quarter_turns


def T_defori(state, action):
    state.n = default_ori() + default_ori(state.agent.orientation)


def R_true(state, action, next_state):
    return next_state.agent.position == state.agent.position


def R_none(state, action, next_state):
    if state.agent.position.y > 2:
        return 1


def R_mixed(state, action, next_state):
    if state.agent.position.y > 2:
        return 1
    if state.agent.position.x > 2:
        return 0.5
    return False


def R_mut(state, action, next_state):
    next_state.agent.energy += 1
    next_state.grid[0, 0] = Wall()
    return 1.0


def R_mut2(state, action, next_state):
    state.agent.energy += 1
    return state.agent.energy


def R_inf(state, action, next_state):
    return float("inf") if state.agent.position.y == 2 else -math.inf


def R_nan(state, action, next_state):
    return math.nan


def R_big(state, action, next_state):
    return 2**62 * (state.agent.position.y + 0) + 1


def R_eq(state, action, next_state):
    return (state == next_state) + (state.grid == next_state.grid) * 2 + (state.agent == next_state.agent) * 4


def R_cells(state, action, next_state):
    return sum(state.grid[p] != next_state.grid[p] for p in state.grid.positions())


def R_tuple(state, action, next_state):
    return (1, 2)


def R_pos(state, action, next_state):
    return state.agent.position


def R_npf32(state, action, next_state):
    return G32


def R_bool(state, action, next_state):
    return state.agent.active and next_state.agent.active and 3


def R_and(state, action, next_state):
    return state.agent.position.y and state.agent.position.x * 0.5


def R_or(state, action, next_state):
    return state.agent.position.y or state.h or 0.25


def R_dist(state, action, next_state):
    def_ = 0
    best = math.inf
    for p in next_state.grid.positions():
        if isinstance(next_state.grid[p], Exit):
            best = min(best, Position.euclidean_distance(p, next_state.agent.position))
    return -best


def R_potential(state, action, next_state):
    return 0.99 * phi(next_state) - phi(state)


def phi(s):
    return -math.sqrt((s.agent.position.y - 3.3) ** 2 + (s.agent.position.x - 1.7) ** 2)


def R_gauss(state, action, next_state):
    return math.exp(
        -((next_state.agent.position.y - 2) ** 2 + (next_state.agent.position.x - 1) ** 2) / 2 / 0.7**2
    )


def R_npgauss(state, action, next_state):
    return float(
        np.exp(
            -((next_state.agent.position.y - 2) ** 2 + (next_state.agent.position.x - 1) ** 2) / (2 * 0.7**2)
        )
    )


def R_nplog(state, action, next_state):
    return (
        np.log(1 + state.agent.position.y)
        - np.log10(2 + state.agent.position.x)
        + np.log1p(state.agent.position.y)
    )


def R_npdist(state, action, next_state):
    return -np.hypot(state.agent.position.y - 3, state.agent.position.x - 1)


def R_npsig(state, action, next_state):
    return 1 / (1 + np.exp(-0.7 * state.agent.position.x))


def R_npcos(state, action, next_state):
    return np.cos(0.1 * state.tick) + np.sin(0.3 * state.tick)


def R_nplin(state, action, next_state):
    return np.linalg.norm((state.agent.position.y, state.agent.position.x))


def R_mpow(state, action, next_state):
    return math.pow(0.99, state.tick)


def R_mpow2(state, action, next_state):
    return 0.99**state.tick


def R_mpow3(state, action, next_state):
    return math.pow(state.agent.position.y - 2, 0.5)


def R_npower(state, action, next_state):
    return np.power(0.99, state.tick)


def R_nppow_int(state, action, next_state):
    return np.power(state.agent.position.y, 2) + np.power(2.0, -state.agent.position.x)


def R_npdiv(state, action, next_state):
    return np.divide(state.agent.position.y, state.agent.position.x)


def R_npmean(state, action, next_state):
    return np.mean([state.agent.position.y, state.agent.position.x])


def R_npclip(state, action, next_state):
    return np.clip(state.agent.position.y, 1, 2)


def R_npabsdiff(state, action, next_state):
    return np.abs(state.agent.position.y - 2.5) + np.square(state.agent.position.x) + np.fabs(-2)


def R_npround(state, action, next_state):
    return np.round(state.agent.position.y / 2) + np.ceil(0.3) + np.rint(2.5)


def R_npround2(state, action, next_state):
    return np.round(state.h, 1)


def R_nparound(state, action, next_state):
    return np.around(state.h * 1.37, 2)


def R_npisclose(state, action, next_state):
    return np.isclose(state.h, 0.37)


def R_npwhere(state, action, next_state):
    return np.where(state.h > 0, 1.0, 2.0)


def R_npmaxtuple(state, action, next_state):
    return np.max((state.h, 0.5))


def R_npargmax(state, action, next_state):
    return np.argmax((state.h, 0.5, 3))


def R_npint(state, action, next_state):
    return np.int64(state.h) + np.float64(3)


def R_npbit(state, action, next_state):
    return np.bitwise_xor(state.n, 5) + np.invert(state.n) + np.right_shift(state.n, 2)


def R_npgcd(state, action, next_state):
    return np.gcd(state.agent.position.y, 6)


def R_npnan(state, action, next_state):
    return np.nan_to_num(state.h) + np.isnan(state.h) + np.isinf(state.h)


def R_npdeg(state, action, next_state):
    return (
        np.degrees(state.h)
        + np.radians(state.h)
        + np.deg2rad(3.0)
        + np.arctan2(state.h, 1)
        + np.reciprocal(3.0)
        + np.cbrt(state.h)
    )


def R_npfmod(state, action, next_state):
    return np.fmod(state.h, 0.7) + np.remainder(state.h, 0.7) + np.floor_divide(state.h, 0.7)


def R_npexp2(state, action, next_state):
    return np.exp2(state.h) + np.expm1(state.h)


def R_nplogaddexp(state, action, next_state):
    return np.logaddexp(state.h, 1.3)


def R_npsinc(state, action, next_state):
    return np.sinc(state.h)


def R_npsign(state, action, next_state):
    return np.sign(-0.0 * state.agent.position.y)


def R_npcopysign(state, action, next_state):
    return np.copysign(state.h, -1.0) + np.signbit(state.h)


def R_npdot(state, action, next_state):
    return np.dot((1.0, 2.0), (state.h, 3.0))


def R_mdiv(state, action, next_state):
    return math.fsum((0.1, state.h))


def R_mexp2(state, action, next_state):
    return math.exp2(state.h) if hasattr(math, "exp2") else 0


def R_mldexp(state, action, next_state):
    return math.ldexp(state.h, state.agent.position.y)


def R_mfrexp(state, action, next_state):
    return math.frexp(state.h)[1]


def R_matan2(state, action, next_state):
    return (
        math.atan2(state.h, -0.0)
        + math.erf(state.h)
        + math.erfc(state.h)
        + math.asinh(state.h)
        + math.atan(state.h)
    )


def R_mtrig(state, action, next_state):
    return (
        math.sinh(state.h)
        + math.cosh(state.h)
        + math.tan(state.h)
        + math.tanh(state.h)
        + math.exp(state.h)
        + math.expm1(state.h)
        + math.log1p(abs(state.h))
        + math.log2(1 + abs(state.h))
    )


def R_mlogbase(state, action, next_state):
    return math.log(3 + state.agent.position.y, 2) + math.log(8, 2 + state.agent.position.x)


def R_mlogint(state, action, next_state):
    return math.log(2**40 + state.n) + math.log10(10 + state.n * state.n) + math.log2(1 + state.n * state.n)


def E_int(state, action, next_state):
    return state.agent.position.y - 2


def E_obj(state, action, next_state):
    return state.agent.grid_object


def E_none(state, action, next_state):
    pass


def E_float(state, action, next_state):
    return state.h


def E_nan(state, action, next_state):
    return math.nan


def E_pos(state, action, next_state):
    return state.agent.position
