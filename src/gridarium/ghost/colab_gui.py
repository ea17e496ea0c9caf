"""The desk under its familiar names, for notebooks that were written for CustomGridEnv."""

from __future__ import annotations

from typing import Any

from gridarium.ghost.agents import MinimaxAgent, RandomPlayerAgent, ValueIterationAgent
from gridarium.ghost.desk import Desk


class ColabGUI:
    """Everything: ghost, sensors, filter, agents, tasks.

    The filter learns from color and vision, where there is a vision sensor, unless `sensors` says otherwise. Pictures
    have the familiar look.

    Args:
        agent_class: who plays.
        slip_probability: how likely the agent slips.
        desk: further arguments for `Desk`.

    Attributes:
        desk: what is shown.

    Raises:
        ValueError: an argument outside what is allowed.
    """

    hidden: tuple[str, ...] = ("goal",)
    errands = True

    def __init__(
        self, agent_class: Any = RandomPlayerAgent, slip_probability: float = 0.1, **desk: Any
    ) -> None:
        self.desk = Desk(agent=agent_class, slip=slip_probability, **{"look": "familiar", **desk})
        if "sensors" not in desk and self.desk.vision_sensor is not None:
            self.desk.set(sensors="both")
        self.view: Any = None

    def run(self) -> None:
        """Show it in the notebook's cell.

        Raises:
            ImportError: ipywidgets or Pillow is not installed.
        """
        from gridarium.ghost.desk.view import DeskView

        self.view = DeskView(self.desk, hidden=self.hidden, errands=self.errands)
        self.view.display()


class PFColabGUI(ColabGUI):
    """The particle filter: no ghost, no tasks, but a goal that can be put anywhere. Arguments as of `ColabGUI`."""

    hidden = ("use_ghost", "ghost")
    errands = False

    def __init__(
        self, agent_class: Any = ValueIterationAgent, slip_probability: float = 0.1, **desk: Any
    ) -> None:
        super().__init__(agent_class, slip_probability, **{"use_ghost": False, "goal": (3, 1), **desk})


class AdversarialColabGUI(ColabGUI):
    """The agent against the ghost, and a goal that can be put anywhere. Arguments as of `ColabGUI`."""

    hidden = ()
    errands = False

    def __init__(self, agent_class: Any = MinimaxAgent, slip_probability: float = 0.1, **desk: Any) -> None:
        super().__init__(agent_class, slip_probability, **{"goal": (3, 1), **desk})
