"""The dashboard for teaching: an episode of the ghost world in which everything can be changed, with and without widgets."""

from gridarium.ghost.dashboard.dashboard import Dashboard
from gridarium.ghost.dashboard.settings import AGENTS, GHOSTS, DashboardSettings

__all__ = ["AGENTS", "GHOSTS", "Dashboard", "DashboardSettings"]
