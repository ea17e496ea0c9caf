"""A small font of strokes: every printable ASCII character and the ellipsis on a lattice of 5 x 7 points."""

from __future__ import annotations

WIDTH, HEIGHT, TAIL = 4, 6, 2
"""The lattice's last column, the row of the baseline, and how far tails reach below; row 0 is the top of capitals."""
ADVANCE = 6
"""From one character to the next, in columns."""

# For each character its strokes; a stroke is a path of points, each written as column and row.
STROKES = {
    "!": "2024 26", '"': "1012 3032", "#": "1016 3036 0242 0444", "$": "41100102133344453605 2026",
    "%": "0010110100 3545463635 0640", "&": "4602011020310405162644", "'": "2022", "(": "30212536",
    ")": "10212516", "*": "2125 0244 0442", "+": "2125 0343", ",": "2517", "-": "0343", ".": "26", "/": "0640",
    "0": "103041453616050110 1432", "1": "112026 1636", "2": "01103041420646", "3": "01103041423313 334445361605",
    "4": "36300444", "5": "400003334445361605", "6": "4130100105163645443303", "7": "004026",
    "8": "103041423313020110 1304051636454433", "9": "0516364541301001021343", ":": "22 25", ";": "22 2517",
    "<": "300336", "=": "0242 0444", ">": "104316", "?": "01103041422324 26", "@": "3616050110304144242242",
    "A": "0602204246 0444", "B": "0006 0030414233 033344453606", "C": "4130100105163645", "D": "00063645413000",
    "E": "40000646 0333", "F": "400006 0333", "G": "41301001051636454323", "H": "0006 4046 0343",
    "I": "1030 2026 1636", "J": "4045361605", "K": "0006 401346 0313", "L": "000646", "M": "0600234046",
    "N": "06004640", "O": "103041453616050110", "P": "06003041423303", "Q": "103041453616050110 2446",
    "R": "06003041423303 2346", "S": "413010010213334445361605", "T": "0040 2026", "U": "000516364540",
    "V": "002640", "W": "0016233640", "X": "0046 4006", "Y": "002340 2326", "Z": "00400646", "[": "30101636",
    "\\": "0046", "]": "10303616", "^": "022042", "_": "0646", "`": "1021",
    "a": "12324346 441405163645", "b": "0006 0312324345361605", "c": "4332120305163645",
    "d": "4046 4332120305163645", "e": "044443321203051636", "f": "40302126 1232", "g": "42473818 4332120305163645",
    "h": "0006 0312324346", "i": "2226 20", "j": "22271808 20", "k": "0006 3205 1436", "l": "102026 1636",
    "m": "0602122326 23324346", "n": "0206 0312324346", "o": "123243453616050312", "p": "0208 0312324345361605",
    "q": "4248 4332120305163645", "r": "0206 03123243", "s": "4212031434453606", "t": "20253646 1232",
    "u": "0205163645 4246", "v": "022642", "w": "0216233642", "x": "0246 4206", "y": "0226 4218", "z": "02420646",
    "{": "30212213242536", "|": "2026", "}": "10212233242516", "~": "03123443", "…": "06 26 46",
}  # fmt: skip


def has(text: str) -> bool:
    """Whether the font has all characters of a text."""
    return all(character in STROKES for character in text)


def columns(text: str) -> int:
    """The number of columns between the first and the last one of a text."""
    return ADVANCE * (len(text) - 1) + WIDTH


def strokes(text: str, left: float, top: float, unit: float) -> list[tuple[tuple[float, float], ...]]:
    """The strokes of a text on a lattice with this corner and spacing; unknown characters are left out."""
    paths = []
    for i, character in enumerate(text):
        for path in STROKES.get(character, "").split():
            pairs = [(int(path[k]), int(path[k + 1])) for k in range(0, len(path), 2)]
            paths.append(
                tuple((left + unit * (ADVANCE * i + column), top + unit * row) for column, row in pairs)
            )
    return paths
