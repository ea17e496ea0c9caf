"""Why an action has failed, in words for the person who wanted it. No web code."""

from __future__ import annotations

from gridarium.live import AgentBody, AgentBrain
from gridarium.live.actions import (
    CloseDoorActionResult,
    DropObjectResult,
    GrabObjectResult,
    MoveActionResult,
    OpenDoorActionResult,
)
from gridarium.live.brains.action_arguments import RANGES
from gridarium.rules.results import ActionResultCode
from gridarium.view.live_server.choices import STEPS, in_words

LONGEST_REASON = 160
NOTHING_NEAR = "there is nothing near for that"
IN_WORDS = {
    MoveActionResult.RESULT_OUT_OF_BOUNDS: "that is outside the world",
    MoveActionResult.RESULT_OCCUPIED: "another agent is there",
    MoveActionResult.RESULT_NOT_PASSABLE_OBJECT: "something is in the way",
    GrabObjectResult.NOT_IN_RANGE: "it is out of reach",
    GrabObjectResult.RESULT_CARRIES_OBJECT: "no more can be carried",
    GrabObjectResult.RESULT_OBJECT_UNMOVABLE: "it cannot be moved",
    DropObjectResult.RESULT_NO_OBJECT: "nothing is carried",
    DropObjectResult.RESULT_NO_OBJECT_CARRIED: "nothing is carried",
    DropObjectResult.RESULT_OBJECT: "there is no room for it",
    OpenDoorActionResult.NOT_IN_RANGE: "it is out of reach",
    OpenDoorActionResult.DOOR_ALREADY_OPEN: "it is open already",
    CloseDoorActionResult.DOOR_ALREADY_CLOSED: "it is closed already",
    CloseDoorActionResult.DOOR_BLOCKED: "something stands in it",
    ActionResultCode.BLOCKED.text: "something is in the way",
    ActionResultCode.CONFLICT.text: "another agent wanted the same",
    ActionResultCode.FAILED.text: "that has no effect here",
}
"""Shorter words for the results of the built-in actions; those of one's own are told as they are."""


def why_failed(body: AgentBody, brain: AgentBrain) -> str:
    """Why the action that an agent has done in this tick has failed, such as "Grab: it is out of reach".

    Empty if it has not failed; if the agent is busy, so that its last result is an old one; and for a step against something, where
    that turns the agent.
    """
    action, result = brain.previous_action, brain.previous_action_result
    if result is None or result.succeeded or action is None or body.is_blocked:
        return ""
    if body.shows_core and action in STEPS and result.result == ActionResultCode.BLOCKED.text:
        return ""
    reason = IN_WORDS.get(result.result, result.result.strip())
    if action in RANGES and body.current_action_args.get("object_id", "") is None:
        reason = NOTHING_NEAR
    text = f"{in_words(action)}: {reason}"
    return text if len(text) <= LONGEST_REASON else f"{text[: LONGEST_REASON - 1]}…"
