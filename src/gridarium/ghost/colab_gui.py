"""The dashboard under CustomGridEnv's names, for notebooks that were written for it."""

from __future__ import annotations

from typing import Any

from gridarium.ghost.agents import MinimaxAgent, RandomPlayerAgent, ValueIterationAgent
from gridarium.ghost.dashboard import Dashboard


class ColabGUI:
    """Everything: ghost, sensors, filter, agents, tasks.

    The filter uses color and vision, if there is a vision sensor, unless `sensors` is given. Pictures have CustomGridEnv's
    look.

    Args:
        agent_class: the class of the agent.
        slip_probability: the probability that the agent slips.
        settings: further arguments for `Dashboard`.

    Attributes:
        dashboard: the dashboard that is shown.

    Raises:
        ValueError: an argument outside the allowed values.
    """

    hidden: tuple[str, ...] = ("goal",)
    has_tasks = True

    def __init__(
        self, agent_class: Any = RandomPlayerAgent, slip_probability: float = 0.1, **settings: Any
    ) -> None:
        self.dashboard = Dashboard(
            agent=agent_class, slip=slip_probability, **{"look": "original", **settings}
        )
        if "sensors" not in settings and self.dashboard.vision_sensor is not None:
            self.dashboard.set(sensors="both")
        self.view: Any = None

    def run(self) -> None:
        """Show the dashboard in the notebook.

        Raises:
            ImportError: ipywidgets or Pillow is not installed.
        """
        from gridarium.ghost.dashboard.view import DashboardView

        self.view = DashboardView(self.dashboard, hidden=self.hidden, tasks=self.has_tasks)
        self.view.display()


class PFColabGUI(ColabGUI):
    """The particle filter: no ghost, no tasks, and a goal that can be any cell. Arguments as of `ColabGUI`."""

    hidden = ("use_ghost", "ghost")
    has_tasks = False

    def __init__(
        self, agent_class: Any = ValueIterationAgent, slip_probability: float = 0.1, **settings: Any
    ) -> None:
        super().__init__(agent_class, slip_probability, **{"use_ghost": False, "goal": (3, 1), **settings})


class AdversarialColabGUI(ColabGUI):
    """The agent against the ghost, and a goal that can be any cell. Arguments as of `ColabGUI`."""

    hidden = ()
    has_tasks = False

    def __init__(
        self, agent_class: Any = MinimaxAgent, slip_probability: float = 0.1, **settings: Any
    ) -> None:
        super().__init__(agent_class, slip_probability, **{"goal": (3, 1), **settings})
