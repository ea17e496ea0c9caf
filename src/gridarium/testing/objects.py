"""`check_object`: whether a kind of objects can be created, compared, stored, serialized, drawn and used by rules."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence

from gridarium import draw
from gridarium.rules import transition_functions
from gridarium.testing.differential import compare
from gridarium.testing.problems import NotConforming, require
from gridarium.testing.states import every_object, random_states
from gridarium.world.colors import Color
from gridarium.world.geometry import Position
from gridarium.world.objects import FLAGS, Floor, GridObject, Hidden, NoneGridObject, Wall
from gridarium.world.state import State
from gridarium.world.text_form.json import from_json, to_json
from gridarium.world.text_form.state_text import from_text, to_text
from gridarium.world.vocabulary import Vocabulary


def check_object(
    kind: type[GridObject],
    *,
    colors: Sequence[Color] = (Color.RED, Color.YELLOW),
    others: Sequence[type[GridObject]] = (),
    compiled: bool = True,
) -> None:
    """Check a kind of objects, in every status and color.

    Args:
        kind: the class.
        colors: the colors to try.
        others: further kinds to put next to it (and into it, if it is a container).
        compiled: whether to compare rules that move among such objects and pick them up, interpreted and compiled.

    Raises:
        NotConforming: a check failed.
    """
    is_kind = (
        isinstance(kind, type)
        and issubclass(kind, GridObject)
        and kind not in (GridObject, NoneGridObject, Hidden)
    )
    require(is_kind, f"a kind of objects must be a subclass of GridObject for cells, not {kind!r}")
    vocabulary = Vocabulary([Floor, Wall, kind, *others], colors)
    own = [thing for thing in every_object(vocabulary) if type(thing) is kind]
    require(own, f"{kind.__name__} has neither statuses nor colors to try")
    for thing in own:
        _check_value(thing)
        _check_number(thing, vocabulary)
        _check_in_state(thing, vocabulary)
    distinct = {vocabulary.encode(thing) for thing in own}
    require(
        len(distinct) == len(own),
        f"{kind.__name__}: two objects get the same number, so they cannot be distinguished",
    )
    if compiled:
        states = random_states(vocabulary, 8, (4, 5), agents=2)
        for rule in (transition_functions.move_agent, transition_functions.pickndrop):
            compare("transition", rule, states)


def _check_value(thing: GridObject) -> None:
    for what, same in (
        ("pickle", pickle.loads(pickle.dumps(thing))),
        ("copy.deepcopy", copy.deepcopy(thing)),
        ("its constructor", type(thing)(*(getattr(thing, name) for name in thing.parameters()))),
    ):
        require(
            same == thing and hash(same) == hash(thing),
            f"{thing!r} differs after {what}: {same!r}",
        )
    require(thing != Wall() or isinstance(thing, Wall), f"{thing!r} equals a wall")
    try:
        thing.status = thing.status
    except AttributeError:
        return
    raise NotConforming(f"{thing!r} can be modified; objects must be immutable")


def _check_number(thing: GridObject, vocabulary: Vocabulary) -> None:
    word = vocabulary.encode(thing)
    require(
        vocabulary.decode(word) == thing,
        f"{thing!r} is {vocabulary.decode(word)!r} after encoding and decoding",
    )
    for flag, bit in FLAGS.items():
        holds = getattr(thing, flag)
        require(isinstance(holds, bool), f"{thing!r}.{flag} must be True or False, not {holds!r}")
        differs = f"{thing!r}.{flag} is {holds} interpreted, {bool(word & bit)} compiled; declare it as a class attribute"
        require(holds == bool(word & bit), differs)


def _check_in_state(thing: GridObject, vocabulary: Vocabulary) -> None:
    state = State.blank((3, 4), vocabulary)
    state.grid[Position(1, 2)] = thing
    require(
        state.grid[Position(1, 2)] == thing,
        f"{thing!r} is {state.grid[Position(1, 2)]!r} after putting it in a cell",
    )
    if thing.holdable:
        state.agent.grid_object = thing
        require(
            state.agent.grid_object == thing, f"{thing!r} is {state.agent.grid_object!r} after picking it up"
        )
    for what, back in (
        ("text", from_text(to_text(state), vocabulary)),
        ("JSON", from_json(to_json(state), vocabulary)),
    ):
        require(back.identical(state), f"a state with {thing!r} differs after writing and reading {what}")
    require(draw.text(state), f"{thing!r} cannot be shown as text")
    picture = draw.rgb(state, tile=8)
    require(picture.shape == (24, 32, 3), f"{thing!r} cannot be drawn")
