"""The parts that episodes of one agent and of several have in common, and their representation as HTML."""

from __future__ import annotations

import builtins
import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any, Self, TypeVar, cast

import numpy as np

from gridarium.episodes.errors import EpisodeError, EpisodeOverError

Method = TypeVar("Method", bound=Callable[..., Any])

MAX_STEPS, MAX_LETTERS = 10, 60


class EpisodeBase:
    """The interface that both classes of episodes share.

    Attributes:
        id_: chunks of one episode have the same id.
        is_terminated, is_truncated: how the episode ended, if it has.
        start_time, last_step_time: when the reset and the last step were added, in seconds, or None.
    """

    __slots__ = ("_custom_data", "id_", "is_terminated", "is_truncated", "last_step_time", "start_time")

    id_: str
    is_terminated: bool
    is_truncated: bool
    start_time: float | None
    last_step_time: float | None
    _custom_data: dict[str, Any]

    def __len__(self) -> int:
        """Return the number of steps after the lookback."""
        raise NotImplementedError

    def slice(self, slice_: builtins.slice, *, len_lookback_buffer: int | None = None) -> Self:
        """Return the steps in a range, as an episode."""
        raise NotImplementedError

    def __getitem__(self, item: builtins.slice) -> Self:
        if not isinstance(item, builtins.slice):
            raise NotImplementedError(f"an episode is cut with slices, as in episode[2:5], got {item!r}")
        return self.slice(item)

    @property
    def is_done(self) -> bool:
        """True if the episode is over: terminated or truncated, with several agents for all of them."""
        return self.is_terminated or self.is_truncated

    @property
    def custom_data(self) -> dict[str, Any]:
        """Data of the user's own."""
        return self._custom_data

    def env_steps(self) -> int:
        """Return the number of the environment's steps."""
        return len(self)

    def get_duration_s(self) -> float:
        """Return the seconds from the reset to the last step."""
        if self.start_time is None or self.last_step_time is None:
            return 0.0
        return self.last_step_time - self.start_time

    def _check_cut(self, len_lookback_buffer: int) -> None:
        """Check that a chunk with this lookback can follow.

        Raises:
            EpisodeOverError: the episode is over.
            EpisodeError: a negative number.
        """
        self._check_goes_on()
        if len_lookback_buffer < 0:
            raise EpisodeError(f"len_lookback_buffer is 0 or more, got {len_lookback_buffer}")

    def _check_goes_on(self) -> None:
        if self.is_done:
            raise EpisodeOverError(f"{self!r} is over: nothing can follow")

    def _check_next(self, other: EpisodeBase, t: int, t_started: int) -> None:
        """Check that a chunk belongs to this episode, which ends at step `t`, and begins there.

        Raises:
            EpisodeError: it does not.
        """
        if self.id_ != other.id_:
            raise EpisodeError(f"chunks of different episodes: {self.id_} and {other.id_}")
        self._check_goes_on()
        if t != t_started:
            raise EpisodeError(f"the chunk begins at step {t_started}, expected {t}")

    def _end_as(self, other: EpisodeBase) -> None:
        """Take over how the chunk ends that was added last."""
        self.is_terminated, self.is_truncated = other.is_terminated, other.is_truncated
        self.last_step_time = other.last_step_time or self.last_step_time
        self._custom_data.update(other.custom_data)


def method_like(method: Method, name: str, doc: str) -> Method:
    """Return a getter or setter like another one, for another kind of data.

    It has the same signature and the same code, in which the kind of data is replaced, so that it is as fast.

    Args:
        method: `get_<kind>` or `set_<kind>`, which uses `kind` as the name of an attribute or as a text.
        name: of the other kind.
        doc: the docstring.
    """
    assert isinstance(method, FunctionType)
    verb, _, kind = method.__name__.partition("_")
    code, full = method.__code__, f"{verb}_{name}"
    names, constants = (
        tuple(name if x == kind else x for x in old) for old in (code.co_names, code.co_consts)
    )
    qualified = method.__qualname__.replace(method.__name__, full)
    code = code.replace(co_names=names, co_consts=constants, co_name=full, co_qualname=qualified)
    made = FunctionType(code, method.__globals__, full, method.__defaults__, method.__closure__)
    made.__kwdefaults__, made.__annotations__ = method.__kwdefaults__, method.__annotations__
    made.__doc__, made.__module__ = doc, method.__module__
    return cast(Method, made)


def episode_as_html(title: str, about: str, columns: Mapping[str, Sequence[Any]], steps: int) -> str:
    """Return an episode's title and summary, and a table of its last steps.

    Args:
        title: text.
        about: a summary in a line of text.
        columns: name -> one item for each step that is shown.
        steps: how many steps there are in all.
    """
    omitted = f"<p>The last {MAX_STEPS} of {steps} steps:</p>" if steps > MAX_STEPS else ""
    table = _table(columns, zip(*columns.values(), strict=True))
    return f"<h4>{html.escape(title)}</h4><p>{about}</p>{omitted}{table}"


def _table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{_cell(item)}</td>" for item in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cell(item: Any) -> str:
    """Format an item in a few letters: numbers and small arrays as they are, large ones by their shape."""
    return html.escape(_short(item))


def _short(item: Any) -> str:
    if isinstance(item, dict):
        return ", ".join(f"{key}: {_short(part)}" for key, part in item.items())
    if isinstance(item, tuple):
        return ", ".join(map(_short, item))
    array = np.asarray(item)
    if array.dtype == object or array.size > 8:
        text = str(item) if array.dtype == object else f"{array.dtype}{list(array.shape)}"
    else:
        text = np.array2string(array, precision=4)
    return text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 1] + "…"
