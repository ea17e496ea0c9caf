"""The keys with which people act in the worlds that come along."""

KEYS = {
    "w": "MoveNorth",
    "d": "MoveEast",
    "s": "MoveSouth",
    "a": "MoveWest",
    "ArrowUp": "MoveNorth",
    "ArrowRight": "MoveEast",
    "ArrowDown": "MoveSouth",
    "ArrowLeft": "MoveWest",
    "q": "GrabObject",
    "e": "DropObject",
    "r": "OpenDoorAction",
    "f": "CloseDoorAction",
}
"""To walk, to grab and drop, to open and close doors."""
