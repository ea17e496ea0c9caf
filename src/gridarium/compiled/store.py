"""Where compiled programs are kept: a folder of the user's own, safe under several processes at once.

The folder is `$GRIDARIUM_CACHE_DIR`, or `gridarium` under `$XDG_CACHE_HOME` or `~/.cache`. It must belong to the user
and be closed to others; otherwise programs are compiled in memory. Programs are numba's own cache files, which it
reads with pickle: that is why a folder that somebody else could write to is never used.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path


def folder() -> Path:
    """Where compiled programs are kept, whether or not it exists yet."""
    if given := os.environ.get("GRIDARIUM_CACHE_DIR"):
        return Path(given).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).expanduser() if base else Path.home() / ".cache") / "gridarium"


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
    if not os.access(place, os.W_OK | os.X_OK):
        return f"{place} cannot be written to"
    return None


def module_file(key: str, text: str) -> Path:
    """The file that holds a program's text, written once and never changed.

    Raises:
        OSError: it cannot be written.
    """
    path = folder() / f"{key}.py"
    if not path.exists():
        handle, temporary = tempfile.mkstemp(suffix=".tmp", dir=folder())
        try:
            with os.fdopen(handle, "w") as file:
                file.write(text)
            with contextlib.suppress(FileExistsError):
                os.link(temporary, path)
        finally:
            Path(temporary).unlink()
    return path


@contextlib.contextmanager
def only_one(key: str) -> Iterator[None]:
    """While this lasts, other processes that want to compile the same program wait."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (folder() / f"{key}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)


def contents() -> tuple[int, int]:
    """How many programs are kept, and how many bytes they take."""
    if not folder().exists():
        return 0, 0
    files = [p for p in folder().rglob("*") if p.is_file()]
    return sum(p.suffix == ".py" and p.parent == folder() for p in files), sum(
        p.stat().st_size for p in files
    )


def clear() -> int:
    """Remove all programs; returns how many there were."""
    count, _ = contents()
    if folder().exists():
        for path in folder().iterdir():
            if path.name == "__pycache__":
                shutil.rmtree(path, ignore_errors=True)
            elif path.suffix in (".py", ".lock", ".tmp"):
                path.unlink(missing_ok=True)
    return count
