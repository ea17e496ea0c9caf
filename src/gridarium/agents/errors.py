"""Why planning may be impossible."""


class CannotPlan(Exception):
    """A world is none of those that a planner can plan for, or not with these settings; the message says why."""


class ClockMatters(CannotPlan):
    """A rule asks for the tick (or the episode), so that the same step may bring something else at another one."""
