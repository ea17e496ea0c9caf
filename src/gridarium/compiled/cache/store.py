"""Storage of compiled programs: a private folder of the user, safe for concurrent processes.

The folder is `$GRIDARIUM_CACHE_DIR`, or `gridarium` under `$XDG_CACHE_HOME` or `~/.cache`. It must belong to the user
and be inaccessible to others; otherwise programs are compiled in memory. Programs are machine code, so a folder
that other users could write to is never used.

A program is a file `KEY.bin` (a checksum of both, then the program) with the source of its rules in `KEY.py` next to it. Files
are written under a temporary name and then renamed, so that they are complete; damaged files are ignored.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

CHECKSUM = 20
"""The number of bytes of the checksum before a program."""
_OURS = re.compile(r"[0-9a-f]{40}\.(bin|py|lock)|gridarium-\w+\.tmp")


def folder() -> Path:
    """The folder of compiled programs, which may not exist yet."""
    if given := os.environ.get("GRIDARIUM_CACHE_DIR"):
        return Path(given).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).expanduser().absolute() if base else Path.home() / ".cache") / "gridarium"


def usable(*, to_write: bool = True) -> str | None:
    """None if the folder can be used (it is created if missing), or the reason why not.

    Args:
        to_write: False where it may be one that is only read, as in the image of a container.
    """
    place = folder()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = place.stat()
    except OSError as error:
        return f"{place} cannot be created: {error.strerror}"
    if hasattr(os, "getuid"):
        if status.st_uid != os.getuid():
            return f"{place} belongs to another user"
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return f"{place} can be written to by others (chmod 700 it)"
    if not os.access(place, os.R_OK | os.X_OK | (os.W_OK if to_write else 0)):
        return f"{place} cannot be {'written to' if to_write else 'read'}"
    return None


def contains(key: str) -> bool:
    """Whether there is a program of a key; it may be damaged."""
    return (folder() / f"{key}.bin").exists()


def load(key: str) -> bytes | None:
    """Return the program of a key; None if there is none, or it is damaged or belongs to another user."""
    try:
        with (folder() / f"{key}.bin").open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                return None
            content = file.read()
    except OSError:
        return None
    return content[CHECKSUM:] if content[:CHECKSUM] == _checksum(key, content[CHECKSUM:]) else None


def save(key: str, program: bytes, page: str) -> None:
    """Store a program, and the source of its rules.

    Raises:
        OSError: it cannot be written.
    """
    _write(folder() / f"{key}.py", page.encode())
    _write(folder() / f"{key}.bin", _checksum(key, program) + program)


@contextlib.contextmanager
def only_one(key: str, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Lock a program against compilation by other processes, where the system supports it.

    Args:
        key: its key.
        waiting: called if another process compiles it, which may take long.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            lock = stack.enter_context((folder() / f"{key}.lock").open("w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if waiting is not None:
                    waiting()
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def contents() -> tuple[int, int]:
    """The number of stored programs, and their size in bytes."""
    files = _files()
    return sum(path.suffix == ".bin" for path in files), sum(_size(path) for path in files)


def clear() -> int:
    """Remove all programs, but no other files in the folder; return their number."""
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
    except OSError:  # removed in the meantime
        return 0


def _checksum(key: str, program: bytes) -> bytes:
    """Of a program under its key: a file of another name is not taken for it."""
    return hashlib.blake2b(key.encode() + program, digest_size=CHECKSUM).digest()


def _write(path: Path, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(prefix="gridarium-", suffix=".tmp", dir=folder())
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
