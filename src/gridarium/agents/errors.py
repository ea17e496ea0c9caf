"""Why planning may be impossible."""


class PlanningError(Exception):
    """A planner cannot plan for a world, or not with these settings; the message says why."""


class ClockMatters(PlanningError):
    """A rule asks for the tick (or the episode), so that the same step may bring something else at another one."""
