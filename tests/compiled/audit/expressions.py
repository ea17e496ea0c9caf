# ruff: noqa: F841, PLW0120, PLW2901, RUF005
"""Functions of two whole numbers, two floats and a truth value. `test_audit` compares what they give on awkward numbers."""

import math

import numpy as np


def f001(a, b, x, y, s):
    return math.pow(x, y)


def f002(a, b, x, y, s):
    return a / b


def f003(a, b, x, y, s):
    return a == x


def f004(a, b, x, y, s):
    return a < x


def f005(a, b, x, y, s):
    return min(a, x)


def f006(a, b, x, y, s):
    return max(a, x)


def f007(a, b, x, y, s):
    return min(x, y)


def f008(a, b, x, y, s):
    return max(x, y)


def f009(a, b, x, y, s):
    return x // y


def f010(a, b, x, y, s):
    return x % y


def f011(a, b, x, y, s):
    return divmod(x, y)[0]


def f012(a, b, x, y, s):
    return divmod(x, y)[1]


def f013(a, b, x, y, s):
    return divmod(a, b)[0]


def f014(a, b, x, y, s):
    return divmod(a, b)[1]


def f015(a, b, x, y, s):
    return a // b


def f016(a, b, x, y, s):
    return a % b


def f017(a, b, x, y, s):
    return a % x


def f018(a, b, x, y, s):
    return a // x


def f019(a, b, x, y, s):
    return x**a


def f020(a, b, x, y, s):
    return x**y


def f021(a, b, x, y, s):
    return x**2


def f022(a, b, x, y, s):
    return x**3


def f023(a, b, x, y, s):
    return a**2


def f024(a, b, x, y, s):
    return a**3


def f025(a, b, x, y, s):
    return a**b


def f026(a, b, x, y, s):
    return x**0.5


def f027(a, b, x, y, s):
    return math.log(x, 2)


def f028(a, b, x, y, s):
    return math.log(x, y)


def f029(a, b, x, y, s):
    return math.atan2(x, y)


def f030(a, b, x, y, s):
    return math.exp(x)


def f031(a, b, x, y, s):
    return math.sin(x) + math.cos(y)


def f032(a, b, x, y, s):
    return math.tanh(x)


def f033(a, b, x, y, s):
    return math.ldexp(x, a)


def f034(a, b, x, y, s):
    return math.degrees(x)


def f035(a, b, x, y, s):
    return math.radians(x)


def f036(a, b, x, y, s):
    return math.copysign(x, y)


def f037(a, b, x, y, s):
    return math.erf(x)


def f038(a, b, x, y, s):
    return math.erfc(x)


def f039(a, b, x, y, s):
    return math.exp2(x)


def f040(a, b, x, y, s):
    return math.gcd(a, b)


def f041(a, b, x, y, s):
    return math.floor(x)


def f042(a, b, x, y, s):
    return math.ceil(x)


def f043(a, b, x, y, s):
    return math.trunc(x)


def f044(a, b, x, y, s):
    return round(x)


def f045(a, b, x, y, s):
    return int(x)


def f046(a, b, x, y, s):
    return math.fabs(x)


def f047(a, b, x, y, s):
    return abs(a)


def f048(a, b, x, y, s):
    return abs(x)


def f049(a, b, x, y, s):
    return math.isfinite(x)


def f050(a, b, x, y, s):
    return math.nextafter(x, y)


def f051(a, b, x, y, s):
    return np.exp(x)


def f052(a, b, x, y, s):
    return np.sin(x)


def f053(a, b, x, y, s):
    return np.cos(x)


def f054(a, b, x, y, s):
    return np.log(x)


def f055(a, b, x, y, s):
    return np.tanh(x)


def f056(a, b, x, y, s):
    return np.sqrt(x)


def f057(a, b, x, y, s):
    return np.power(x, y)


def f058(a, b, x, y, s):
    return np.hypot(x, y)


def f059(a, b, x, y, s):
    return np.arctan2(x, y)


def f060(a, b, x, y, s):
    return np.sign(x)


def f061(a, b, x, y, s):
    return np.floor(x)


def f062(a, b, x, y, s):
    return np.minimum(x, y)


def f063(a, b, x, y, s):
    return np.maximum(a, b)


def f064(a, b, x, y, s):
    return np.abs(a)


def f065(a, b, x, y, s):
    return np.mod(a, b)


def f066(a, b, x, y, s):
    return np.round(x)


def f067(a, b, x, y, s):
    return np.rint(x)


def f068(a, b, x, y, s):
    return np.float64(x) / y


def f069(a, b, x, y, s):
    return np.int64(a) // b


def f070(a, b, x, y, s):
    return np.int64(x)


def f071(a, b, x, y, s):
    return np.logical_and(a, b)


def f072(a, b, x, y, s):
    return np.isnan(x)


def f073(a, b, x, y, s):
    return np.arctan(x)


def f074(a, b, x, y, s):
    return np.log1p(x)


def f075(a, b, x, y, s):
    return np.expm1(x)


def f076(a, b, x, y, s):
    return np.cbrt(x)


def f077(a, b, x, y, s):
    return np.exp2(x)


def f078(a, b, x, y, s):
    return np.log2(x)


def f079(a, b, x, y, s):
    return np.log10(x)


def f080(a, b, x, y, s):
    return np.sinh(x)


def f081(a, b, x, y, s):
    return np.arcsin(x)


def f082(a, b, x, y, s):
    return np.tan(x)


def f083(a, b, x, y, s):
    return np.floor_divide(a, b)


def f084(a, b, x, y, s):
    return np.left_shift(a, b)


def f085(a, b, x, y, s):
    return np.trunc(x)


def f086(a, b, x, y, s):
    return np.sum((x, y))


def f087(a, b, x, y, s):
    return np.max((x, y))


def f088(a, b, x, y, s):
    return np.mean((x, y))


def f089(a, b, x, y, s):
    return np.float64(a)


def f090(a, b, x, y, s):
    return np.deg2rad(x)


def f091(a, b, x, y, s):
    return np.square(a)


def f092(a, b, x, y, s):
    return np.bitwise_and(a, b)


def f093(a, b, x, y, s):
    return np.int64(a) + b


def f094(a, b, x, y, s):
    return np.heaviside(x, y)


def f095(a, b, x, y, s):
    return np.sinc(x)


def f096(a, b, x, y, s):
    return -np.abs(x)


def f097(a, b, x, y, s):
    return s + s


def f098(a, b, x, y, s):
    return -s


def f099(a, b, x, y, s):
    return s & a


def f100(a, b, x, y, s):
    return s | a


def f101(a, b, x, y, s):
    return s ^ s


def f102(a, b, x, y, s):
    return s << a


def f103(a, b, x, y, s):
    return s // a


def f104(a, b, x, y, s):
    return s**a


def f105(a, b, x, y, s):
    return s / a


def f106(a, b, x, y, s):
    return abs(s)


def f107(a, b, x, y, s):
    return max(s, a)


def f108(a, b, x, y, s):
    return min(s, x)


def f109(a, b, x, y, s):
    return divmod(s, a)[0]


def f110(a, b, x, y, s):
    return round(s)


def f111(a, b, x, y, s):
    return +s


def f112(a, b, x, y, s):
    return s % a


def f113(a, b, x, y, s):
    return s == a


def f114(a, b, x, y, s):
    return s < x


def f115(a, b, x, y, s):
    return s is True


def f116(a, b, x, y, s):
    return (a > b) is True


def f117(a, b, x, y, s):
    return a and x


def f118(a, b, x, y, s):
    return a or x


def f119(a, b, x, y, s):
    return s and a


def f120(a, b, x, y, s):
    return s or x


def f121(a, b, x, y, s):
    return not a


def f122(a, b, x, y, s):
    return a if s else x


def f123(a, b, x, y, s):
    return (a if s else x) / 3


def f124(a, b, x, y, s):
    v = a
    if s:
        v = x
    return v * 3


def f125(a, b, x, y, s):
    while a > 5:
        a -= 1
        if a == 7:
            break
    else:
        return int(x)
    return 0


def f126(a, b, x, y, s):
    while a > 5:
        a -= 1
    else:
        a = 1 << b
    return a


def f127(a, b, x, y, s):
    while a > 5:
        a -= 1
    else:
        a = 2**b
    return a


def f128(a, b, x, y, s):
    while a > 5:
        a -= 1
    else:
        a = round(x)
    return a


def f129(a, b, x, y, s):
    while a > 5:
        a -= 1
    else:
        x = math.sqrt(y)
    return x


def f130(a, b, x, y, s):
    match s:
        case True:
            return 1
        case _:
            return 2


def f131(a, b, x, y, s):
    match a:
        case True:
            return 1
        case 0:
            return 2
        case n if n > 5:
            return n
        case _:
            return 3


def f132(a, b, x, y, s):
    return a in (1, 2, True)


def f133(a, b, x, y, s):
    return x in (1, 2, 0.0)


def f134(a, b, x, y, s):
    return a in range(5)


def f135(a, b, x, y, s):
    return x in range(5)


def f136(a, b, x, y, s):
    return (1, 2, 3)[a]


def f137(a, b, x, y, s):
    return (1, 2, 3)[-1]


def f138(a, b, x, y, s):
    return (a, b) < (b, a)


def f139(a, b, x, y, s):
    return (a, x) == (b, y)


def f140(a, b, x, y, s):
    return (a, b) + (1, 2) == (a, b, 1, 2)


T = ((0, 1), (1, 0), (0, -1), (-1, 0))


def f141(a, b, x, y, s):
    t = 0
    for dy, dx in T:
        t = t * 3 + dy * 2 + dx
    return t


def f142(a, b, x, y, s):
    return T[a][0]


def f143(a, b, x, y, s):
    return T[a % 4][1]


def f144(a, b, x, y, s):
    return len(T) + len((a, b))


def f145(a, b, x, y, s):
    return max((x, y))


def f146(a, b, x, y, s):
    return sum((a, b))


def f147(a, b, x, y, s):
    return (a, b, a)[1:][0]


def f148(a, b, x, y, s):
    return a < b <= x


def f149(a, b, x, y, s):
    return a != b != a


def f150(a, b, x, y, s):
    return ~a


def f151(a, b, x, y, s):
    return a >> b


def f152(a, b, x, y, s):
    return a << b


def f153(a, b, x, y, s):
    return a & b | a ^ b


def f154(a, b, x, y, s):
    return a * b


def f155(a, b, x, y, s):
    return a - b


def f156(a, b, x, y, s):
    return x * a


def f157(a, b, x, y, s):
    return float(a)


def f158(a, b, x, y, s):
    return bool(x)


def f159(a, b, x, y, s):
    return bool(a)


def f160(a, b, x, y, s):
    return 1 if x else 2


def f161(a, b, x, y, s):
    return float(s)


def f162(a, b, x, y, s):
    return int(s)


def f163(a, b, x, y, s):
    return x - y * a


def f164(a, b, x, y, s):
    return math.sqrt(x * x + y * y)


def f165(a, b, x, y, s):
    return math.hypot(x, y)


def f166(a, b, x, y, s):
    return max(x, y, 0)


def f167(a, b, x, y, s):
    return min(a, b, x)


def f168(a, b, x, y, s):
    return max(a, 0.5)


def f169(a, b, x, y, s):
    return max(0, x)


def f170(a, b, x, y, s):
    return min(1.0, max(-1.0, x))


def f171(a, b, x, y, s):
    return a.real


def f172(a, b, x, y, s):
    return x.is_integer()


def f173(a, b, x, y, s):
    return a.bit_length()


def f174(a, b, x, y, s):
    return x.real


def f175(a, b, x, y, s):
    return complex(x, y)


def f176(a, b, x, y, s):
    return abs(complex(x, y))


def f177(a, b, x, y, s):
    return 1j * x


def f178(a, b, x, y, s):
    return isinstance(a, int)


def f179(a, b, x, y, s):
    return isinstance(x, int)


def f180(a, b, x, y, s):
    return isinstance(s, int)


def f181(a, b, x, y, s):
    return type(a) is int


def f182(a, b, x, y, s):
    return sum(x for _ in range(10))


def f183(a, b, x, y, s):
    return max(x * k for k in (-1.0, 1.0))


def f184(a, b, x, y, s):
    return min(x * k for k in (-1.0, 1.0))


def f185(a, b, x, y, s):
    return max(x * k for k in range(-1, 2))


def f186(a, b, x, y, s):
    return min((x if k else y) for k in range(2))


def f187(a, b, x, y, s):
    return math.fabs(a)


def f188(a, b, x, y, s):
    return math.sqrt(a)


def f189(a, b, x, y, s):
    return math.floor(a)


def f190(a, b, x, y, s):
    return math.floor(a / b)


def f191(a, b, x, y, s):
    return math.isqrt(a)


def f192(a, b, x, y, s):
    return math.exp(a)


def f193(a, b, x, y, s):
    return a * 1.0 // b


def f194(a, b, x, y, s):
    return (a * a + b * b) ** 0.5


def f195(a, b, x, y, s):
    return 10**a


def f196(a, b, x, y, s):
    return 0.9**a


def f197(a, b, x, y, s):
    return x**-1


def f198(a, b, x, y, s):
    return x**-2


def f199(a, b, x, y, s):
    return pow(x, 2)


def f200(a, b, x, y, s):
    return pow(a, b, 7)


def f201(a, b, x, y, s):
    __total = 5
    return sum(a + __total for k in range(3))


def f202(a, b, x, y, s):
    __item = 5
    return max(k + __item for k in range(3))


def f203(a, b, x, y, s):
    sum = 0
    for k in range(3):
        sum += k
    return sum


def f204(a, b, x, y, s):
    for i in range(3):
        i += a
    return i


def f205(a, b, x, y, s):
    t = 0
    for i, (p, q) in enumerate(zip(range(a % 7), range(3)), start=2):
        t += i * p * q
    return t


def f206(a, b, x, y, s):
    t = 0
    for i, k in enumerate(range(5)):
        if k == 2:
            continue
        if k == 4:
            break
        t = t * 10 + i
    else:
        t = -1
    return t


def f207(a, b, x, y, s):
    best = None
    for k in range(5):
        if best is None or (k * a) % 7 < best:
            best = (k * a) % 7
    return best


def f208(a, b, x, y, s):
    best = None
    bi = None
    for k in range(5):
        v = (k * a) % 7 + x
        if best is None or v < best:
            best = v
            bi = k
    return bi


def f209(a, b, x, y, s):
    r = 0
    for k in reversed(range(5)):
        r = r * 10 + k
    return r


def f210(a, b, x, y, s):
    for k in range(10, 0, -3):
        a += k
    return a


def f211(a, b, x, y, s):
    n = 3
    for k in range(n):
        n += 5
        a += k
    return a + n


def f212(a, b, x, y, s):
    a, b = b, a
    return a - b


def f213(a, b, x, y, s):
    a = b = 3
    a += 1
    return a * 10 + b


def f214(a, b, x, y, s):
    x += a
    x //= 3
    return x


def f215(a, b, x, y, s):
    a /= 3
    return a


def f216(a, b, x, y, s):
    a **= 2
    return a


def f217(a, b, x, y, s):
    a <<= b
    return a


def f218(a, b, x, y, s):
    def_ = a
    if a > 3:
        z = 1
    else:
        z = 2.5
    return z // 2


def f219(a, b, x, y, s):
    h = (a * 2654435761) & 0xFFFFFFFF
    return h / 4294967296


def f220(a, b, x, y, s):
    h = a * 6364136223846793005 + 1442695040888963407
    return h >> 33


def f221(a, b, x, y, s):
    return a % (2**31) / 2**31


def f222(a, b, x, y, s):
    return (a % (2**62)) / (2**62)


def f223(a, b, x, y, s):
    return int(a * 0.1)


def f224(a, b, x, y, s):
    return int(a / b)


def f225(a, b, x, y, s):
    return round(a / b)


def f226(a, b, x, y, s):
    return a // b * b + a % b == a


def f227(a, b, x, y, s):
    return int(float(a))


def f228(a, b, x, y, s):
    return float(a) == a


def f229(a, b, x, y, s):
    return a * 1.0 < b


def f230(a, b, x, y, s):
    return x == x and x != y


def f231(a, b, x, y, s):
    return -a


def f232(a, b, x, y, s):
    return -x


def f233(a, b, x, y, s):
    return 0 - x


def f234(a, b, x, y, s):
    return x * 0


def f235(a, b, x, y, s):
    return x / 1e-300


def f236(a, b, x, y, s):
    return 1 / x


def f237(a, b, x, y, s):
    return math.sinh(x)


def f238(a, b, x, y, s):
    return math.acosh(x)


def f239(a, b, x, y, s):
    return math.asinh(x)


def f240(a, b, x, y, s):
    return math.atanh(x)


def f241(a, b, x, y, s):
    return math.expm1(x)


def f242(a, b, x, y, s):
    return math.log1p(x)


def f243(a, b, x, y, s):
    return math.log(a)


def f244(a, b, x, y, s):
    return math.log10(x)


def f245(a, b, x, y, s):
    return math.log2(x)


def f246(a, b, x, y, s):
    return math.isclose(x, y)


def f247(a, b, x, y, s):
    return math.frexp(x)[0]


def f248(a, b, x, y, s):
    return math.tan(x)


def f249(a, b, x, y, s):
    return math.acos(x)


def f250(a, b, x, y, s):
    return math.pow(a, b)


def f251(a, b, x, y, s):
    return math.inf if s else math.nan


def f252(a, b, x, y, s):
    return math.isnan(a)


def f253(a, b, x, y, s):
    return math.fabs(s)


def f254(a, b, x, y, s):
    return math.gcd(a, b, 6)


def f255(a, b, x, y, s):
    return math.copysign(a, b)


def f256(a, b, x, y, s):
    return math.ceil(a / b)


def f257(a, b, x, y, s):
    return -(-a // b)


def f258(a, b, x, y, s):
    return a if a > b else b if b > 0 else x


def f259(a, b, x, y, s):
    return any(k == a for k in range(10)) + all(k != b for k in range(3))


def f260(a, b, x, y, s):
    return next((k for k in range(10) if k * k > a), None)


def f261(a, b, x, y, s):
    return next((k for k in range(10) if k * k > a), None) is None


def f262(a, b, x, y, s):
    return next(k for k in range(10) if k * k > a)


def f263(a, b, x, y, s):
    return min(((k * a) % 7, k) for k in range(5))[1]


def f264(a, b, x, y, s):
    return max(((k * x), k) for k in range(5))[1]


def f265(a, b, x, y, s):
    return sum(1.0 / (k - 3) for k in range(a % 7))


def f266(a, b, x, y, s):
    return sum((k for k in range(3)), x)


def f267(a, b, x, y, s):
    return sum((0.1 for k in range(10)), start=0.0)


def f268(a, b, x, y, s):
    return max((k for k in range(0)), default=a)


def f269(a, b, x, y, s):
    return sum(k * j for k in range(3) for j in range(k) if j != a)


def f270(a, b, x, y, s):
    return len(range(a % 9, b % 13, 2))


def f271(a, b, x, y, s):
    return range(10)[a]


def f272(a, b, x, y, s):
    return (x, y)[s]


def f273(a, b, x, y, s):
    return (10, 20)[a > b]


def f274(a, b, x, y, s):
    return [1, 2, 3][a % 3]


def f275(a, b, x, y, s):
    return {0: 1, 1: 2}.get(a, 5)


def f276(a, b, x, y, s):
    return a // True


def f277(a, b, x, y, s):
    return 5 % -3 + a % -3 + -7 // 2


def f278(a, b, x, y, s):
    return x % -3


def f279(a, b, x, y, s):
    return int("12") + a


def f280(a, b, x, y, s):
    return a and b and x
