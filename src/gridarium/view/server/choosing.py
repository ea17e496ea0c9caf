"""What people are to choose in a session, as a message: legal actions only.

Where no person is asked, the message has only its first three entries.

    {
      "type": "choice",
      "agent": 1,                              the agent that a person is asked for; null if none is
      "turn": "Yellow's turn",                 whose turn it is; empty where all agents act, or the episode is over
      "prompt": "Drop: choose a column.",      what is to be chosen next
      "begun": false,                          whether a part of an action has been chosen, see `Cancel`
      "actions": ["DROP"],                     the names of legal actions, without arguments
      "cells": [0, 1, ...],                    cells that can be clicked: y * width + x
      "hints": ["DROP(0)", "DROP(1)", ...],    what a click on each would choose; missing if there are very many cells
      "picked": [],                            cells that have been chosen
      "options": [{"text": "DROP(0)", "label": "DROP(0)"}, ...],       to choose from, by sending the text as `Enter`
      "listed": false,                         whether the options are needed, since there are no cells to click for them
      "example": "DROP(0)",                    an action that can be typed
      "digits": "0123456"                      digits that choose something at once
    }
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.view.action_choice import ActionChoice
from gridarium.view.game import Game
from gridarium.view.matches import agents_in_words, capitalized, takes_turns
from gridarium.view.server.policies import PolicyAssignment
from gridarium.view.web.messages import Reply, RequestError

MOST_HINTS = 1024


class Choosing:
    """The choice of the person whose turn it is, and the message about it.

    Args:
        game: the game.
        policies: who plays which agents.

    Attributes:
        message: the present one; None in worlds where there is nothing to say.
        changes: the number of messages so far.
    """

    def __init__(self, game: Game, policies: PolicyAssignment) -> None:
        self._game, self._policies = game, policies
        world = game.world
        self._needed = world.actions.take_arguments or world.spec.has_masks or takes_turns(world)
        self._choice: ActionChoice | None = None
        self.message: Reply | None = None
        self.changes = 0

    @property
    def choice(self) -> ActionChoice:
        """The choice under way.

        Raises:
            RequestError: no person is asked for anything.
        """
        if self._choice is None:
            raise RequestError("nobody is asked for an action now")
        return self._choice

    def begin(self) -> None:
        """Ask anew: the game, or who plays, has changed."""
        game, acting = self._game, self._game.acting
        asked = [agent for agent in self._policies.people if agent in acting]
        self._choice = (
            ActionChoice(game.world, game.state, game.legal[asked[0]]) if self._needed and asked else None
        )
        self._agent = asked[0] if self._choice else None
        self.update()

    def update(self) -> None:
        """Make the message about what has been chosen."""
        if not self._needed:
            return
        world, acting = self._game.world, self._game.acting
        turn = f"{agents_in_words(world, acting)}'s turn" if takes_turns(world) and acting else ""
        message: Reply = {"type": "choice", "agent": self._agent, "turn": capitalized(turn)}
        if self._choice is not None:
            message |= described(self._choice)
        if message != self.message:
            self.message, self.changes = message, self.changes + 1


def described(choice: ActionChoice) -> Reply:
    """A choice as plain data."""
    cells = _places(choice.cells)
    width = choice.world.spec.shape.width
    hints = [choice.hint(*divmod(place, width)) for place in cells] if len(cells) <= MOST_HINTS else []
    return {
        "prompt": choice.prompt,
        "begun": choice.begun,
        "actions": choice.legal_names,
        "cells": cells,
        "picked": _places(choice.picked),
        "options": [{"text": option.text, "label": option.label} for option in choice.options],
        "listed": not choice.by_cells,
        "example": choice.example,
        "digits": "".join(digit for digit in "0123456789" if choice.completes(digit)),
    } | ({"hints": hints} if hints else {})


def _places(mask: npt.NDArray[np.bool_]) -> list[int]:
    found: list[int] = np.flatnonzero(mask).tolist()
    return found
