"""The files of a dataset, which are written completely or not at all.

A dataset is a folder of parts. Part 17 of a writer, for which `3fa9c2` was drawn, consists of

- `000017-3fa9c2.steps-0.parquet`: the rows of its episodes; one file for each stream, that is, for each schema;
- `000017-3fa9c2.run`: a recorded run instead of rows;
- `000017-3fa9c2.episodes.parquet`: its index, a row for each episode, with the header in the file's metadata.

Each file is written under another name and renamed when it is complete, the index last. What has no index does not belong
to the dataset, such as the files of a writer that was killed. While a part is written there is a file
`000017-3fa9c2.writing`, locked by its writer, so that the next writer knows what it may remove.
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
PART_FILE = re.compile(
    r"(\d{6,})-([0-9a-f]{6,})\.(episodes\.parquet|steps-\d+\.parquet|run|writing)((?:\.part)*)"
)
PARQUET_END = b"PAR1"


def find_parts(folder: Path) -> list[str]:
    """Return the names of the parts of a dataset, in the order in which they were begun."""
    found = [
        m[0].removesuffix(INDEX)
        for m in map(PART_FILE.fullmatch, _names(folder))
        if m and m[0].endswith(INDEX)
    ]
    return sorted(found, key=lambda stem: (int(stem.partition("-")[0]), stem))


def has_only_parts(folder: Path) -> bool:
    """Return whether a folder has no other files than those of parts, finished or not."""
    return all(map(PART_FILE.fullmatch, _names(folder)))


def steps_kind(stream: int) -> str:
    """Return the end of the name of the file with the rows of one stream."""
    return f".steps-{stream}.parquet"


class PartNames:
    """The names of the parts that one writer adds to a folder."""

    def __init__(self, folder: Path) -> None:
        taken = [int(m[1]) for m in map(PART_FILE.fullmatch, _names(folder)) if m]
        self._next = max(taken, default=-1) + 1

    def next(self) -> str:
        """Return a new name, which no other part has: not of another writer, a copy of this one, or one after a fork either."""
        self._next += 1
        return f"{self._next - 1:06d}-{secrets.token_hex(3)}"


class PartFiles:
    """The files of one part while they are written.

    Use it as a context: if something fails, nothing is left behind.

    Args:
        folder: of the dataset.
        stem: the name of the part.
        sync: whether to wait for the disk, so that nothing is lost in a power failure.

    Attributes:
        checksums: of the files that have been written, by the ends of their names.
    """

    def __init__(self, folder: Path, stem: str, *, sync: bool) -> None:
        self._folder, self._stem, self._sync, self._done = folder, stem, sync, False
        self._made: list[Path] = []
        self.checksums: dict[str, str] = {}

    def __enter__(self) -> PartFiles:
        self._lock = _open_locked(self._folder / (self._stem + WRITING))
        return self

    def __exit__(self, *_: object) -> None:
        if not self._done:
            for path in self._made:
                path.unlink(missing_ok=True)
        self._lock.close()
        (self._folder / (self._stem + WRITING)).unlink(missing_ok=True)

    def write(self, kind: str, write: Callable[[Path], object]) -> None:
        """Write a file under another name, and rename it to `stem + kind` when it is complete."""
        path = self._folder / (self._stem + kind)
        unfinished = path.with_name(path.name + UNFINISHED)
        self._made += [unfinished, path]
        write(unfinished)
        self.checksums[kind] = checksum(unfinished)
        if self._sync:
            _sync(unfinished)
        unfinished.rename(path)

    def finish(self, write: Callable[[Path], object]) -> None:
        """Write the index, which makes the part belong to the dataset."""
        self.write(INDEX, write)
        self._done = True
        if self._sync:
            _sync(self._folder)


def checksum(path: Path) -> str:
    """Return a checksum of a file, as hexadecimal digits.

    Of Parquet files only the footer counts, which names the part and has the size of each page; pages have checksums of their
    own, which are verified when they are read. Of other files everything counts.
    """
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 8, 0))
        end = file.read()
        long = int.from_bytes(end[:4], "little") + 8 if end[4:] == PARQUET_END else size
        file.seek(max(size - long, 0))
        return hashlib.blake2b(file.read(), digest_size=20).hexdigest()


def leftovers(folder: Path) -> Iterator[Path]:
    """Return files of parts that were not finished, including those that are being written now.

    The next writer to a folder removes those of writers that were killed.
    """
    known = set(find_parts(folder))
    for name in sorted(_names(folder)):
        match = PART_FILE.fullmatch(name)
        if match and (match[4] or name.endswith(WRITING) or name.partition(".")[0] not in known):
            yield folder / name


def remove_leftovers(folder: Path) -> None:
    """Remove the files of writers that were killed. What other writers are writing stays."""
    for stem in sorted({path.name.partition(".")[0] for path in leftovers(folder)}):
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            with contextlib.suppress(FileNotFoundError):  # the part has no writer any more
                lock = stack.enter_context((folder / (stem + WRITING)).open("r+"))
                _lock(lock, wait=False)
            for path in leftovers(folder):  # listed again: the part may have been finished meanwhile
                if path.name.partition(".")[0] == stem:
                    path.unlink(missing_ok=True)  # the locked one is the last


def _open_locked(path: Path) -> IO[str]:
    """Return a file that is locked as long as it is open, if the system supports that."""
    while True:
        file = path.open("a")
        with contextlib.suppress(OSError):
            _lock(file, wait=True)
        if path.exists():
            return file
        file.close()  # another writer took it for a leftover, and removed it


def _lock(file: IO[str], *, wait: bool) -> None:
    """Lock a file.

    Raises:
        OSError: another process has locked it, or the system does not support that.
    """
    try:
        import fcntl
    except ImportError as error:
        raise OSError(f"files cannot be locked: {error}") from error
    fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


def _names(folder: Path) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 (only the names are needed)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # not supported for folders by some systems
            os.fsync(handle)
    finally:
        os.close(handle)
