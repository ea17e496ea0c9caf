"""The teacher's desk: the ghost world with everything to switch, button by button, with and without widgets."""

from gridarium.ghost.desk.desk import Desk
from gridarium.ghost.desk.switches import AGENTS, GHOSTS, Switches

__all__ = ["AGENTS", "GHOSTS", "Desk", "Switches"]
