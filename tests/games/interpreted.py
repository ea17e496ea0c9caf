"""Games whose worlds are not compiled, which takes longer than a few games do."""

from gridarium.games import WorldGame


def interpreted(game: type[WorldGame]) -> type[WorldGame]:
    """The class of such a game."""
    return type(game.__name__, (game,), {"compiled": False})
