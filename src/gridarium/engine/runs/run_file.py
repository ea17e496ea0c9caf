"""The file of a run: a zip archive with `run.json` and numpy arrays. It contains no pickles or code.

Files are not trusted: every array's type, shape and range is checked before it is used.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.kernel_args import Autoreset
from gridarium.engine.runs.start import Start
from gridarium.engine.runs.whole_file import replacing
from gridarium.engine.threads.memory import Snapshot

FORMAT, VERSION = "gridarium run", 1
HEADER, REMARKS = "run.json", "remarks.json"
MAX_HEADER = 1 << 22
EPOCH = (1980, 1, 1, 0, 0, 0)
STATE_ARRAYS = ("cells", "layers", "data", "bodies")
ARRAYS = {
    "actions": ("u1 u2", "steps worlds agents"),
    "begun": ("i8", "m 2"),
    "checked": ("i8", "c"),
    "hashes": ("u8", "c worlds"),
    "rewards": ("f8", "r worlds agents"),
    "starts": ("i8", "s 3"),
    "start_worlds": ("i8", "n"),
    "start_keys": ("i8", "n"),
    "start_episodes": ("i8", "n"),
    "cells": ("u4", "p height width"),
    "layers": ("i8", "p layers height width"),
    "data": ("i8", "p data"),
    "bodies": ("i8", "p agents body"),
}
"""The types and shape of each array; dimensions of the same name are equal. `starts` holds (at, worlds, 1 for states
or 2 for states in which episodes go on, else 0)."""

Arrays = dict[str, npt.NDArray[Any]]


def write(path: str | Path, run: Mapping[str, Any]) -> None:
    """Write the fields of a run; an existing file is replaced atomically."""
    arrays = {name: run[name] for name in ("actions", "begun", "checked", "hashes", "rewards")}
    arrays |= _starts_to_arrays(run["starts"])
    header = {
        "format": FORMAT,
        "version": VERSION,
        "autoreset": run["autoreset"].name,
        "library": run["library"],
        "program": run["program"],
        "description": run["description"],
    }
    with replacing(path) as unfinished, zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_entry(HEADER), json.dumps(header, indent=1, ensure_ascii=False).encode())
        if run["remarks"]:
            remarks = json.dumps(run["remarks"], indent=1, ensure_ascii=False)
            archive.writestr(_entry(REMARKS), remarks.encode())
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, _little(array), (1, 0), allow_pickle=False)
            archive.writestr(_entry(f"{name}.npy"), data.getvalue())


def read(path: str | Path, *, max_bytes: int) -> dict[str, Any]:
    """Read the fields of a run.

    Raises:
        ValueError: not a run, or a damaged, newer or too large one.
        OSError: there is no such file, or it cannot be opened.
    """
    with Path(path).open("rb") as file:
        try:
            return _read(file, max_bytes)
        except ValueError as error:
            raise ValueError(f"{path} cannot be read as a Gridarium run: {error}") from error
        except (
            Exception
        ) as error:  # broken archives and array headers raise many exceptions, even those of tokenize
            raise ValueError(f"{path} is not a Gridarium run, or is damaged: {error}") from error


def _read(file: IO[bytes], max_bytes: int) -> dict[str, Any]:
    with zipfile.ZipFile(file) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if size > max_bytes:
            raise ValueError(f"it holds {size} bytes, more than the allowed {max_bytes} (max_bytes)")
        header, remarks = _header(archive), _remarks(archive)
        names = [n for n in ARRAYS if n not in STATE_ARRAYS or f"{n}.npy" in archive.namelist()]
        arrays = {name: _array(_bytes(archive, f"{name}.npy")) for name in names}
    _check(arrays)
    kept = {name: arrays[name] for name in ("actions", "begun", "checked", "hashes", "rewards")}
    named = {name: str(header[name]) for name in ("library", "program")}
    return {
        "description": dict(header["description"]),
        "autoreset": Autoreset[header["autoreset"]],
        "starts": _starts_from_arrays(arrays),
        "remarks": remarks,
        **kept,
        **named,
    }


def _bytes(archive: zipfile.ZipFile, name: str) -> bytes:
    """Read an entry, with at most its declared size in memory."""
    entry = archive.getinfo(name)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{name} is compressed in another way than runs are")
    with archive.open(entry) as file:
        return file.read(entry.file_size)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _little(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<"))


def _header(archive: zipfile.ZipFile) -> dict[str, Any]:
    if HEADER not in archive.namelist():
        raise ValueError(f"there is no {HEADER} in it")
    if archive.getinfo(HEADER).file_size > MAX_HEADER:
        raise ValueError(f"{HEADER} is larger than {MAX_HEADER} bytes")
    try:
        header = json.loads(_bytes(archive, HEADER))
    except RecursionError:
        raise ValueError(f"{HEADER} is nested too deeply") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError(f"{HEADER} does not identify it as a run")
    version = header.get("version")
    if not isinstance(version, int) or version < 1:
        raise ValueError(f"its format has an invalid version: {version!r}")
    if version > VERSION:
        written = f"a newer Gridarium ({header.get('library')})"
        raise ValueError(f"{written} wrote it, in format {version}; this one reads formats up to {VERSION}")
    return header


def _remarks(archive: zipfile.ZipFile) -> dict[int, str]:
    if REMARKS not in archive.namelist():
        return {}
    found = json.loads(_bytes(archive, REMARKS))
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise ValueError(f"{REMARKS} holds something else than texts by steps")
    return {int(step): text for step, text in found.items()}


def _array(data: bytes) -> npt.NDArray[Any]:
    file = io.BytesIO(data)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("an array is in another format")
    shape, columns_first, kind = np.lib.format.read_array_header_1_0(file)
    if kind.hasobject or columns_first:
        raise ValueError(f"an array holds {kind}, or is ordered by columns")
    return np.frombuffer(data, kind, offset=file.tell()).reshape(shape)


def _check(arrays: Arrays) -> None:
    sizes: dict[str, int] = {"2": 2, "3": 3}
    for name, array in arrays.items():
        kinds, dimensions = ARRAYS[name]
        if array.dtype.str[1:] not in kinds.split():
            raise ValueError(f"{name} holds {array.dtype}, not {kinds}")
        if array.ndim != len(dimensions.split()):
            raise ValueError(f"{name} has {array.ndim} dimensions, not those of [{dimensions}]")
        for dimension, size in zip(dimensions.split(), array.shape, strict=True):
            if sizes.setdefault(dimension, size) != size:
                raise ValueError(f"{name} has shape {array.shape}; {dimension} is {sizes[dimension]}")
    steps, worlds = sizes["steps"], sizes["worlds"]
    if worlds < 1 or sizes["agents"] < 1 or sizes["r"] not in (0, sizes["c"]):
        raise ValueError("it has no worlds or agents, or not as many sums of rewards as checks")
    _in_range("begun", arrays["begun"][:, 0], steps)
    _in_range("begun", arrays["begun"][:, 1], worlds - 1)
    _in_range("checked", arrays["checked"], steps)
    _in_range("starts", arrays["starts"][:, 0], steps)
    _in_range("starts", arrays["starts"][:, 2], 2)
    _in_range("start_worlds", arrays["start_worlds"], worlds - 1)
    _in_range("start_episodes", arrays["start_episodes"], (1 << 62))
    if (np.diff(arrays["starts"][:, 0]) < 0).any():
        raise ValueError("starts are not in order")


def _in_range(name: str, numbers: npt.NDArray[np.int64], last: int) -> None:
    if numbers.size and not (numbers.min() >= 0 and numbers.max() <= last):
        raise ValueError(f"{name} holds numbers outside 0 to {last}")


def _starts_to_arrays(starts: tuple[Start, ...]) -> Arrays:
    none = np.zeros(0, np.int64)
    table = [(s.at, len(s.worlds), (s.states is not None) + s.goes_on) for s in starts]
    arrays = {
        "starts": np.array(table, np.int64).reshape(-1, 3),
        "start_worlds": np.concatenate([none, *(s.worlds for s in starts)]),
        "start_keys": np.concatenate([none, *(s.keys for s in starts)]),
        "start_episodes": np.concatenate([none, *(s.episodes for s in starts)]),
    }
    states = [s.states.arrays() for s in starts if s.states is not None]
    if states:
        arrays |= {
            name: np.concatenate(parts) for name, parts in zip(STATE_ARRAYS, zip(*states), strict=True)
        }
    return arrays


def _starts_from_arrays(arrays: Arrays) -> tuple[Start, ...]:
    starts, begun, n, p = [], set[int](), 0, 0
    for at, count, in_states in arrays["starts"].tolist():
        if count < 0 or n + count > len(arrays["start_worlds"]):
            raise ValueError("starts name more worlds than there are")
        worlds, keys, episodes = (arrays[f"start_{k}"][n : n + count] for k in ("worlds", "keys", "episodes"))
        n += count
        if in_states == 2 and not begun.issuperset(worlds.tolist()):
            raise ValueError("an episode goes on that has not begun")
        begun.update(worlds.tolist())
        states = None
        if in_states:
            states = Snapshot(*(arrays[name][p : p + count] for name in STATE_ARRAYS))
            p += count
            if len(states.cells) != count:
                raise ValueError("starts name more states than there are")
        starts.append(Start(at, worlds, keys, episodes, states, in_states == 2))
    return tuple(starts)
