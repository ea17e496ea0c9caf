"""What compiled rules may read unseen: a state notes who asks for its tick, but not who reads its numbers directly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gridarium.compiled.fingerprint import names_in

REVEALING = {"data", "getattr"}
"""Names without which code can read of a state only what that one notes."""
COPYING, TELLING_TIME = {"copy", "deepcopy", "fork"}, {"tick", "episode", "identical", "tobytes"}
"""Names without which nobody reads the tick of a copy, which notes it by itself."""


def reads_unseen(rules: Iterable[Any]) -> bool:
    """Whether rules may read the tick without asking for it: also where it cannot be told what code they run."""
    names = names_in(*rules)
    return names is None or bool(names & REVEALING) or bool(names & COPYING and names & TELLING_TIME)
