"""The base class of loggers: when they log, and where to."""

from __future__ import annotations

import functools
import inspect
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import numpy as np

from gridarium.live.goals import WorldGoal
from gridarium.live.loggers.table_files import CsvFile, ParquetFile, Scalar, TableFile
from gridarium.live.world_interface import WorldInterface

Row: TypeAlias = Mapping[str, Any]
MOST_ROWS_KEPT = 1000
MOST_SECONDS_KEPT = 1.0


class GridWorldLogger:
    """Writes a table about a world. Override `log`.

    Each world has a folder of its own, and each run of it a file: `logs/world_1/LogActions_2026-11-27_131500.csv`. The
    first columns are `world_id` and `tick_nr`. Rows are written once they are a second old or a thousand, when `run` of the world
    returns, when the world is done or closed, and when a session of it in the browser ends; a CSV file is complete at all times, a
    Parquet file when the world is done or closed.

    Args:
        log_strategy: when to log: a number k for the ticks 0, k, 2k and so on, or one of `LOG_ON_FIRST_TICK`,
            `LOG_ON_LAST_TICK` and `LOG_ON_GOAL_REACHED`.
        save_path: the folder; relative to the current one.
        file_name: how the file's name begins; by default the name of the class.
        file_extension: ".csv" or ".parquet" (needs `gridarium[storage]`).
        delimiter: the character between the values of a CSV file.

    Raises:
        ValueError: an argument is not possible.
    """

    LOG_ON_LAST_TICK: ClassVar[str] = "log_last_tick"
    LOG_ON_FIRST_TICK: ClassVar[str] = "log_first_tick"
    LOG_ON_GOAL_REACHED: ClassVar[str] = "log_on_reached_goal"
    columns: ClassVar[tuple[str, ...]] = ()
    """The columns that are known beforehand; others are added when rows have them."""

    def __init__(
        self,
        log_strategy: int | str = 1,
        save_path: str | Path = "logs",
        file_name: str = "",
        file_extension: str = ".csv",
        delimiter: str = ";",
    ) -> None:
        names = (self.LOG_ON_FIRST_TICK, self.LOG_ON_LAST_TICK, self.LOG_ON_GOAL_REACHED)
        is_number = isinstance(log_strategy, int) and not isinstance(log_strategy, bool)
        if log_strategy not in names and not (is_number and int(log_strategy) > 0):
            raise ValueError(f"log_strategy is a number of ticks from 1 on, or {names}; got {log_strategy!r}")
        if file_extension not in (".csv", ".parquet"):
            raise ValueError(f"file_extension is '.csv' or '.parquet', not {file_extension!r}")
        if len(delimiter) != 1:
            raise ValueError(f"delimiter is a single character, not {delimiter!r}")
        if re.search(r"[/\\\0]", file_name):
            raise ValueError(
                f"file_name is a name without folders, which are the save_path; got {file_name!r}"
            )
        self.log_strategy = log_strategy
        self.save_path = Path(save_path)
        self.file_name = file_name or type(self).__name__
        self.file_extension, self.delimiter = file_extension, delimiter
        self._table: TableFile | None = None
        self._path: Path | None = None
        self._last_tick = -1
        self._waiting: list[dict[str, Scalar]] = []
        self._waiting_since = 0.0
        self._reached: set[int] = set()

    def log(
        self, grid_world: WorldInterface, agent_data: Mapping[str, Mapping[str, Any]]
    ) -> Row | Sequence[Row] | None:
        """A row of the table, or several; None for nothing.

        May also be written with the parameters `(self, world_state, agent_data, grid_world)`; `world_state` is then the
        state of the whole world.

        Args:
            grid_world: the world.
            agent_data: what each agent's `get_log_data` returned, by the agent's id.

        Returns:
            Values by column: None, bools, numbers and texts; all else is written as JSON.
        """
        raise NotImplementedError(f"{type(self).__name__} does not override log")

    @property
    def path(self) -> Path | None:
        """The file, the last one if there were several; None as long as nothing was logged."""
        return self._path

    def record(
        self,
        grid_world: WorldInterface,
        agent_data: Mapping[str, Mapping[str, Any]],
        last_tick: bool = False,
        goal_status: Sequence[tuple[WorldGoal, bool]] = (),
    ) -> None:
        """Log where the strategy says so. The world calls it in each tick, before agents act.

        A world that begins again begins another file.

        Args:
            grid_world: the world.
            agent_data: see `log`.
            last_tick: whether the world is done.
            goal_status: the goals, and whether each is reached.

        Raises:
            TypeError: `log` did not return rows.
        """
        tick = grid_world.current_nr_ticks
        if tick == self._last_tick:
            return
        if tick < self._last_tick:
            self.close()
            self.begin()
        self._last_tick = tick
        if self._is_due(tick, last_tick, goal_status):
            logged = (
                self.log(grid_world.world_state, agent_data, grid_world)  # type: ignore[call-arg]
                if _wants_state(type(self).log)
                else self.log(grid_world, agent_data)
            )
            self._keep(self._rows(logged), grid_world)
        if last_tick:
            self.close()

    def begin(self) -> None:
        """Forget what belongs to the last run; called when a world begins again."""
        self._last_tick = -1
        self._reached = set()

    def flush(self) -> None:
        """Write all rows."""
        if self._table is not None and self._waiting:
            self._table.append(self._waiting)
            self._waiting = []

    def close(self) -> None:
        """Write all rows and complete the file. What is logged afterwards goes to another file."""
        self.flush()
        if self._table is not None:
            self._table.close()
            self._table = None

    def _is_due(self, tick: int, last_tick: bool, goal_status: Sequence[tuple[WorldGoal, bool]]) -> bool:
        if isinstance(self.log_strategy, int):
            return tick % self.log_strategy == 0
        if self.log_strategy == self.LOG_ON_FIRST_TICK:
            return tick == 0
        if self.log_strategy == self.LOG_ON_LAST_TICK:
            return last_tick
        reached = {id(goal) for goal, is_reached in goal_status if is_reached}
        new, self._reached = reached - self._reached, reached
        return bool(new)

    def _rows(self, logged: object) -> list[Row]:
        if logged is None:
            return []
        rows = [logged] if isinstance(logged, Mapping) else logged
        if not isinstance(rows, Sequence) or not all(isinstance(row, Mapping) for row in rows):
            raise TypeError(
                f"{type(self).__name__}.log returned {logged!r}; a row is a dict, several are a list of dicts"
            )
        return [row for row in rows if row]

    def _keep(self, rows: Sequence[Row], grid_world: WorldInterface) -> None:
        if not rows:
            return
        if self._table is None:
            self._table = self._new_table(grid_world.world_id)
            self._path = self._table.path
        now = time.monotonic()
        if not self._waiting:
            self._waiting_since = now
        place: dict[str, Scalar] = {"world_id": grid_world.world_id, "tick_nr": grid_world.current_nr_ticks}
        self._waiting += [{**place, **{str(k): as_scalar(v) for k, v in row.items()}} for row in rows]
        if len(self._waiting) >= MOST_ROWS_KEPT or now - self._waiting_since > MOST_SECONDS_KEPT:
            self.flush()

    def _new_table(self, world_id: str) -> TableFile:
        folder = self.save_path / (re.sub(r"[^\w-]", "_", world_id) or "world")
        stem = f"{self.file_name}_{datetime.now():%Y-%m-%d_%H%M%S}"
        path, number = folder / f"{stem}{self.file_extension}", 1
        while path.exists():
            number += 1
            path = folder / f"{stem}_{number}{self.file_extension}"
        columns = ("world_id", "tick_nr", *self.columns)
        if self.file_extension == ".csv":
            return CsvFile(path, columns, self.delimiter)
        return ParquetFile(path, columns)


def as_scalar(value: Any) -> Scalar:
    """A value as a cell of a table holds it; what is not a bool, a number or a text becomes JSON."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return json.dumps(value, default=str, ensure_ascii=False)


@functools.lru_cache(maxsize=256)
def _wants_state(function: Callable[..., Any]) -> bool:
    """Whether `log` is written with `(self, world_state, agent_data, grid_world)`."""
    parameters = inspect.signature(function).parameters.values()
    return sum(p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters) == 4
