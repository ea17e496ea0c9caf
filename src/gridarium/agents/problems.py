"""Why planning may be impossible."""


class CannotPlan(Exception):
    """A world is none of those that a planner can plan for, or not with these settings; the message says why."""
