"""What came of an action: a sentence and whether it succeeded."""

from __future__ import annotations


class ActionResult:
    """The expected or actual result of an action; the base of results with constants of their own.

    Args:
        result: the reason for the success or failure, usually one of the constants of this class or of a subclass.
        succeeded: whether the action succeeded, or is expected to.

    Source: MATRX 2.3.3, with its texts.
    """

    IDLE_ACTION = "The action is None, hence the agent will idle which always succeeds. "
    """Given whenever a brain decides upon None."""
    AGENT_WAS_REMOVED = "Agent {AGENT_ID} was removed during this tick, cannot perform anymore actions. "
    """Given when the agent is not in the world any more; {AGENT_ID} is replaced."""
    ACTION_SUCCEEDED = "The action succeeded."
    ACTION_NOT_POSSIBLE = (
        "The `is_possible(...)` method returned False. Signalling that the action was not possible. "
    )
    AGENT_NOT_CAPABLE = (
        "The action could not be performed, as the agent is not capable of performing this action. "
    )
    """Given when the action is not among those of the agent."""
    UNKNOWN_ACTION = "The action is not known to the environment."
    """Given when no imported subclass of `Action`, and no action of the world, has the name."""
    NO_ACTION_GIVEN = "There was no action given to perform, automatic succeed. "
    """Deprecated: use `IDLE_ACTION`."""

    def __init__(self, result: str, succeeded: bool) -> None:
        self.result, self.succeeded = result, succeeded

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ActionResult):
            return NotImplemented
        return (self.result, self.succeeded) == (other.result, other.succeeded)

    def __hash__(self) -> int:
        return hash((self.result, self.succeeded))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.result!r}, {self.succeeded})"
