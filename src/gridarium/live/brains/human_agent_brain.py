"""The brain of an agent that a person controls."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from gridarium.live.brains.action_arguments import Reach, first_choice
from gridarium.live.brains.agent_brain import AgentBrain, Decision
from gridarium.live.perception import State


class HumanAgentBrain(AgentBrain):
    """Does what a person asks for by keys; what the action is done with is the nearest object.

    Args:
        memorize_for_ticks: as for `AgentBrain`.
        fov_occlusion: whether what is out of sight is not perceived, see `State.apply_occlusion`.
        max_carry_objects: the most objects that the agent carries.
        grab_range: how far away it grabs objects, in cells.
        drop_range: how far away it drops them.
        door_range: how far away it opens and closes doors.
        remove_range: how far away it removes objects.
        removes: the names of classes of objects that it removes; by default all objects but walls, doors, tiles, signals,
            and what is invisible. Agents are never removed.

    Attributes:
        key_action_map: the name of an action for each key, such as {"w": "MoveNorth", "ArrowUp": "MoveNorth"}. Keys have the
            names that browsers give them (`KeyboardEvent.key`).

    Source: MATRX, `matrx.agents.agent_types.human_agent`.
    """

    wants_user_input: ClassVar[bool] = True

    def __init__(
        self,
        memorize_for_ticks: int | None = None,
        fov_occlusion: bool = False,
        max_carry_objects: int = 3,
        grab_range: float = 1,
        drop_range: float = 1,
        door_range: float = 1,
        remove_range: float = 1,
        removes: Collection[str] | None = None,
    ) -> None:
        super().__init__(memorize_for_ticks)
        self.fov_occlusion = fov_occlusion
        self.reach = Reach(grab_range, drop_range, door_range, remove_range, max_carry_objects, removes)
        self._request: Decision | None = None

    def initialize(self) -> None:
        """See the base class; forgets what was requested, too."""
        super().initialize()
        self._request = None

    def request(self, action: str | None, action_kwargs: Mapping[str, Any] | None = None) -> None:
        """Have the agent do something at its next decision, in the place of keys: what was chosen from a menu.

        Args:
            action: the name of the action; None takes back what was requested.
            action_kwargs: its keyword arguments.
        """
        self._request = None if action is None else (action, dict(action_kwargs or {}))

    def filter_observations(self, state: State) -> State:
        """See the base class; removes what is out of sight, if that is asked for."""
        if self.fov_occlusion:
            state.apply_occlusion()
        return state

    def filter_user_input(self, user_input: Sequence[str] | None) -> list[str]:
        """The keys that stand for actions, in the order in which they were pressed."""
        return [key for key in user_input or () if key in self.key_action_map]

    def decide_on_action(self, state: State, user_input: Sequence[str] | None = None) -> Decision:
        """Do what was requested, otherwise choose the action of the key that was pressed last.

        Args:
            state: what the agent knows.
            user_input: the keys that were pressed since the last decision, in their order.

        Returns:
            The action with its keyword arguments: the ranges of this brain, and the nearest object with which it can be
            done, None if there is none; what is dropped is what was grabbed last. Without keys that stand for actions it
            idles.
        """
        requested, self._request = self._request, None
        if requested is not None:
            return requested
        keys = self.filter_user_input(user_input)
        if not keys:
            return None, {}
        action = self.key_action_map[keys[-1]]
        return action, first_choice(action, state, self.reach)

    def create_context_menu_for_self(
        self, clicked_object_id: str | None, click_location: tuple[int, int], self_selected: bool
    ) -> list[dict[str, Any]]:
        """Called when this agent's own person asks what it can do.

        Args:
            clicked_object_id: the object that was clicked; None for the floor.
            click_location: the cell that was clicked, (x, y).
            self_selected: whether the person had selected this agent before.

        Returns:
            Options, as from `create_context_menu_for_other`.
        """
        return self._menu(self.agent_id)
