"""The files of a dataset, and how they come to be: whole, or not at all.

A dataset is a folder of parts. Part 17 of a writer that drew `3fa9c2` consists of

- `000017-3fa9c2.steps-0.parquet`: the rows of its episodes; one file for each form that they have;
- `000017-3fa9c2.run`: recorded runs in the place of rows, where it has any;
- `000017-3fa9c2.episodes.parquet`: its index, a row for each episode, with the header in the file's metadata.

Each file is written under another name and renamed when it is complete, the index last. What has no index does not belong
to the dataset: a writer that was killed leaves nothing else behind. While a part is written there is a file
`000017-3fa9c2.writing`, which its writer holds locked as long as it lives, so that the next writer knows what it may remove.
The index has a checksum of each of the other files.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

INDEX = ".episodes.parquet"
RUN = ".run"
WRITING = ".writing"
UNFINISHED = ".part"
OURS = re.compile(r"(\d{6,})-([0-9a-f]{6,})\.(episodes\.parquet|steps-\d+\.parquet|run|writing)((?:\.part)*)")
PARQUET_END = b"PAR1"


def stems(folder: Path) -> list[str]:
    """The parts of a dataset, in the order in which they were begun."""
    found = [
        m[0].removesuffix(INDEX) for m in map(OURS.fullmatch, _names(folder)) if m and m[0].endswith(INDEX)
    ]
    return sorted(found, key=lambda stem: (int(stem.partition("-")[0]), stem))


def untouched(folder: Path) -> bool:
    """Whether a folder holds nothing but what a writer leaves there that has written nothing, or was killed."""
    return all(map(OURS.fullmatch, _names(folder)))


def steps_kind(stream: int) -> str:
    """How the name of the file with the rows of one form ends."""
    return f".steps-{stream}.parquet"


class Stems:
    """The names of the parts that one writer adds to a folder."""

    def __init__(self, folder: Path) -> None:
        taken = [int(m[1]) for m in map(OURS.fullmatch, _names(folder)) if m]
        self._next, self._drawn = max(taken, default=-1) + 1, secrets.token_hex(3)

    def next(self) -> str:
        """A name that no other part has."""
        self._next += 1
        return f"{self._next - 1:06d}-{self._drawn}"


class Files:
    """The files of one part while they are written.

    Use it as a context: if something fails, nothing is left behind.

    Args:
        folder: of the dataset.
        stem: the name of the part.
        sync: whether to wait until the disk has what was written, so that it outlasts a power failure too.

    Attributes:
        checksums: of what has been written, each under its name without the part's.
    """

    def __init__(self, folder: Path, stem: str, *, sync: bool) -> None:
        self._folder, self._stem, self._sync, self._done = folder, stem, sync, False
        self._made: list[Path] = []
        self.checksums: dict[str, str] = {}

    def __enter__(self) -> Files:
        self._lock = _held(self._folder / (self._stem + WRITING))
        return self

    def __exit__(self, *_: object) -> None:
        if not self._done:
            for path in self._made:
                path.unlink(missing_ok=True)
        self._lock.close()
        (self._folder / (self._stem + WRITING)).unlink(missing_ok=True)

    def write(self, kind: str, write: Callable[[Path], object]) -> None:
        """Have a file written under another name, and give it its own, `stem + kind`, when it is complete."""
        path = self._folder / (self._stem + kind)
        unfinished = path.with_name(path.name + UNFINISHED)
        self._made += [unfinished, path]
        write(unfinished)
        self.checksums[kind] = checksum(unfinished)
        if self._sync:
            _sync(unfinished)
        unfinished.rename(path)

    def finish(self, write: Callable[[Path], object]) -> None:
        """Write the index, with which the part belongs to the dataset."""
        self.write(INDEX, write)
        self._done = True
        if self._sync:
            _sync(self._folder)


def checksum(path: Path) -> str:
    """What tells a file from all others, as hexadecimal digits.

    Of rows the end is taken, which names their part and tells how large each page of them is; the pages have checksums of
    their own, which are looked at when they are read. Of anything else all is taken.
    """
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 8, 0))
        end = file.read()
        long = int.from_bytes(end[:4], "little") + 8 if end[4:] == PARQUET_END else size
        file.seek(max(size - long, 0))
        return hashlib.blake2b(file.read(), digest_size=20).hexdigest()


def leftovers(folder: Path) -> Iterator[Path]:
    """Files of parts that were never finished. One that is being written right now looks the same.

    The next writer to a folder removes those of writers that do not live any more.
    """
    known = set(stems(folder))
    for name in sorted(_names(folder)):
        match = OURS.fullmatch(name)
        if match and (match[4] or name.endswith(WRITING) or name.partition(".")[0] not in known):
            yield folder / name


def remove_leftovers(folder: Path) -> None:
    """Remove what writers that were killed have left behind. What a living one is writing stays."""
    for stem in sorted({path.name.partition(".")[0] for path in leftovers(folder)}):
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            with contextlib.suppress(FileNotFoundError):  # then nobody writes that part any more
                lock = stack.enter_context((folder / (stem + WRITING)).open("r+"))
                _lock(lock, wait=False)
            for path in leftovers(folder):  # looked at anew: by now it may have been finished
                if path.name.partition(".")[0] == stem:
                    path.unlink(missing_ok=True)  # the one that is locked is the last


def _held(path: Path) -> IO[str]:
    """A file that is locked as long as it is open, where the system can do that."""
    while True:
        file = path.open("a")
        with contextlib.suppress(OSError):
            _lock(file, wait=True)
        if path.exists():
            return file
        file.close()  # somebody took it for one that was left behind, and removed it


def _lock(file: IO[str], *, wait: bool) -> None:
    """Lock a file.

    Raises:
        OSError: somebody else has locked it, or the system cannot do that.
    """
    try:
        import fcntl
    except ImportError as error:
        raise OSError(f"files cannot be locked: {error}") from error
    fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


def _names(folder: Path) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 (the texts are all that is needed)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some systems cannot for folders
            os.fsync(handle)
    finally:
        os.close(handle)
