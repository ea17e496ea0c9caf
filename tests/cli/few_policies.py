"""Policies for the tests of the command line, good and bad."""


def waiting(actions):
    return actions[0] if actions[0].is_turn() else next(a for a in actions if a.is_turn())


def asking(future):
    return 0


def nothing(view):
    return None


def unheard_of(view):
    return 77


def raising(view):
    raise ValueError("boo")
