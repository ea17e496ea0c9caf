"""Where compiled programs are kept: a folder of the user's own, safe under several processes at once.

The folder is `$GRIDARIUM_CACHE_DIR`, or `gridarium` under `$XDG_CACHE_HOME` or `~/.cache`. It must belong to the user
and be closed to others; otherwise programs are compiled in memory. A program is read with pickle: that is why a
folder that somebody else could write to is never used.

A program is a file `KEY.bin` (a checksum, then the program) with a page `KEY.py` beside it that shows its rules. Files
are written under another name and then renamed, so that what is found is whole; what is damaged is not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

CHECKSUM = 20
"""Bytes of checksum before a program."""
_OURS = re.compile(r"[0-9a-f]{40}\.(bin|py|lock)|gridarium-\w+\.tmp")


def folder() -> Path:
    """Where compiled programs are kept, whether or not it exists yet."""
    if given := os.environ.get("GRIDARIUM_CACHE_DIR"):
        return Path(given).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).expanduser().absolute() if base else Path.home() / ".cache") / "gridarium"


def usable() -> str | None:
    """None if the folder can be used (it is made where missing), or the reason why not."""
    place = folder()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = place.stat()
    except OSError as error:
        return f"{place} cannot be made: {error.strerror}"
    if hasattr(os, "getuid"):
        if status.st_uid != os.getuid():
            return f"{place} belongs to somebody else"
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return f"{place} can be written to by others (chmod 700 it)"
    if not os.access(place, os.R_OK | os.W_OK | os.X_OK):
        return f"{place} cannot be written to"
    return None


def load(key: str) -> bytes | None:
    """The program of that key, or None if there is none, or it is damaged or not the user's own."""
    try:
        with (folder() / f"{key}.bin").open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                return None
            content = file.read()
    except OSError:
        return None
    return content[CHECKSUM:] if content[:CHECKSUM] == _checksum(content[CHECKSUM:]) else None


def save(key: str, program: bytes, page: str) -> None:
    """Keep a program, and the page that shows its rules.

    Raises:
        OSError: it cannot be written.
    """
    _write(folder() / f"{key}.py", page.encode())
    _write(folder() / f"{key}.bin", _checksum(program) + program)


@contextlib.contextmanager
def only_one(key: str) -> Iterator[None]:
    """While this lasts, other processes that want to compile the same program wait, where the system can do that."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            lock = stack.enter_context((folder() / f"{key}.lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def contents() -> tuple[int, int]:
    """How many programs are kept, and how many bytes they take."""
    files = _files()
    return sum(path.suffix == ".bin" for path in files), sum(_size(path) for path in files)


def clear() -> int:
    """Remove all programs, and nothing else that may lie in the folder; returns how many there were."""
    files = _files()
    for path in files:
        path.unlink(missing_ok=True)
    return sum(path.suffix == ".bin" for path in files)


def _files() -> list[Path]:
    try:
        return [path for path in folder().iterdir() if _OURS.fullmatch(path.name)]
    except OSError:
        return []


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # removed meanwhile
        return 0


def _checksum(program: bytes) -> bytes:
    return hashlib.blake2b(program, digest_size=CHECKSUM).digest()


def _write(path: Path, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(prefix="gridarium-", suffix=".tmp", dir=folder())
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
