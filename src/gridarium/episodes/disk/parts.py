"""The files of a dataset, and how they come to be: whole, or not at all.

A dataset is a folder of parts. Part 17 of a writer that drew `3fa9c2` consists of

- `000017-3fa9c2.steps-0.parquet`: the rows of its episodes; one file for each form that they have;
- `000017-3fa9c2.run`: recorded runs in the place of rows, where it has any;
- `000017-3fa9c2.episodes.parquet`: its index, a row for each episode, with the header in the file's metadata.

Each file is written under another name and renamed when it is complete, the index last. What has no index does not belong
to the dataset: a writer that was killed leaves nothing else behind.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

INDEX = ".episodes.parquet"
RUN = ".run"
UNFINISHED = ".part"
OURS = re.compile(r"(\d{6,})-([0-9a-f]{6,})\.(episodes\.parquet|steps-\d+\.parquet|run)(\.part)?")


def stems(folder: Path) -> list[str]:
    """The parts of a dataset, in the order in which they were begun."""
    found = [
        m[0].removesuffix(INDEX) for m in map(OURS.fullmatch, _names(folder)) if m and m[0].endswith(INDEX)
    ]
    return sorted(found, key=lambda stem: (int(stem.partition("-")[0]), stem))


def untouched(folder: Path) -> bool:
    """Whether a folder holds nothing but what a writer leaves there that has written nothing, or was killed."""
    return all(map(OURS.fullmatch, _names(folder)))


def steps_file(folder: Path, stem: str, stream: int) -> Path:
    """The file with the rows of one form."""
    return folder / f"{stem}.steps-{stream}.parquet"


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
        sync: whether to wait until the disk has what was written, so that it outlasts a power failure too.
    """

    def __init__(self, *, sync: bool) -> None:
        self._sync, self._done = sync, False
        self._made: list[Path] = []

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *_: object) -> None:
        if not self._done:
            for path in self._made:
                path.unlink(missing_ok=True)

    def write(self, path: Path, write: Callable[[Path], object]) -> None:
        """Have a file written under another name, and give it its own when it is complete."""
        unfinished = path.with_name(path.name + UNFINISHED)
        self._made += [unfinished, path]
        write(unfinished)
        if self._sync:
            _sync(unfinished)
        unfinished.rename(path)

    def finish(self, path: Path, write: Callable[[Path], object]) -> None:
        """Write the last file, with which the part belongs to the dataset."""
        self.write(path, write)
        self._done = True
        if self._sync:
            _sync(path.parent)


def leftovers(folder: Path) -> Iterator[Path]:
    """Files of parts that were never finished. One that is being written right now looks the same."""
    known = set(stems(folder))
    for name in sorted(_names(folder)):
        match = OURS.fullmatch(name)
        if match and (match[4] or name.partition(".")[0] not in known):
            yield folder / name


def _names(folder: Path) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 (the texts are all that is needed)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some systems cannot for folders
            os.fsync(handle)
    finally:
        os.close(handle)
