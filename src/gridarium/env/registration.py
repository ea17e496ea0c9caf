"""The ids of the catalogue's worlds in Gymnasium and PettingZoo: `gridarium/<World>-v<version>`.

A table says what the ids are made of, so that registering reads no files.
"""

from __future__ import annotations

from typing import NamedTuple

from gymnasium.envs.registration import register, registry

NAMESPACE = "gridarium"
GHOST_ID = f"{NAMESPACE}/CustomGridEnv-v0"
OWN_ID = f"{NAMESPACE}/World-v0"
"""The id of worlds that are not in the catalogue, whose `world` is given to `make`."""
SIZES = {
    "BlockedUnlockPickup": (),
    "Blokus": ("20x20-4p", "14x14-2p"),
    "Breakthrough": ("8x8",),
    "CollectBlocks": ("9x9-2ag", "13x13-3ag"),
    "ConnectFour": (),
    "Crossing": ("5x5", "7x7"),
    "DoorKey": ("5x5", "6x6", "8x8", "16x16"),
    "DynamicObstacles": ("5x5", "7x7", "8x8"),
    "Empty": ("4x4", "8x8"),
    "EmptyRandom": ("5x5", "8x8"),
    "Fetch": ("8x8",),
    "Foraging": (
        *("8x8-2p-3f", "8x8-2p-2f-coop", "2s-8x8-2p-2f-coop"),
        *("10x10-3p-3f", "15x15-3p-5f", "15x15-4p-5f"),
    ),
    "FourByThree": (),
    "FourRooms": ("7x7", "9x9", "19x19"),
    "GhostGrid": ("4x5",),
    "Go": ("9x9", "13x13", "19x19"),
    "Gomoku": ("15x15", "standard-15x15"),
    "Hex": ("11x11", "11x11-swap"),
    "KeyDoor": ("5x5", "7x7", "9x9"),
    "Kitchen": (
        *("CrampedRoom", "CoordinationRing", "ForcedCoordination", "CounterCircuit", "AsymmetricAdvantages"),
    ),
    "KuhnPoker": ("2p", "3p"),
    "LavaCrossing": ("9x9", "11x11"),
    "LavaGap": ("5x5", "7x7"),
    "LeducPoker": (),
    "MatrixGame": ("2x2", "3x3", "2x2x2"),
    "Memory": ("5x5", "9x9", "13x13"),
    "MemoryFourRooms": ("7x7", "9x9"),
    "MemoryNineRooms": ("10x10", "13x13"),
    "MultiRoom": ("N2", "N4", "N6"),
    "NineRooms": ("10x10", "13x13"),
    "Othello": (),
    "Pursuit": ("16x16-surround", "16x16-catch2"),
    "RockPaperScissors": ("2p", "3p"),
    "Snake": ("7x7-2p", "11x11-2p", "11x11-4p"),
    "Sokoban": ("7x7-2", "10x10-3", "10x10-5"),
    "Taxi": ("5x5",),
    "TaxiTown": ("5x5",),
    "Teleport": ("5x5", "7x7"),
    "TicTacToe": ("2p", "3p", "4p"),
    "TwoAgents-DoorKey": ("8x8",),
    "TwoAgents-Empty": ("8x8",),
    "TwoAgents-FourRooms": ("9x9",),
    "TwoAgents-Helper": ("8x8",),
    "Tron": ("19x19-4p", "15x15-4p", "15x15-2p", "15x15-4p-near"),
    "Unlock": (),
    "UnlockPickup": (),
    "Warehouse": ("tiny-2ag", "tiny-4ag", "small-4ag"),
}
"""For each family of worlds what its worlds are called after its name; a family without these is one world."""
AGENTS = {
    "Blokus": 4,
    "CollectBlocks": 2,
    "Foraging": 2,
    "GhostGrid": 2,
    "Kitchen": 2,
    "Pursuit": 8,
    "Tron": 4,
    "Warehouse": 2,
} | {
    **dict.fromkeys(("Breakthrough", "ConnectFour", "Go", "Gomoku", "Hex", "Othello", "TicTacToe"), 2),
    **dict.fromkeys(("KuhnPoker", "LeducPoker", "MatrixGame", "RockPaperScissors", "Snake"), 2),
    **{name: 2 for name in SIZES if name.startswith("TwoAgents-")},
    **{"Foraging-10x10-3p-3f": 3, "Foraging-15x15-3p-5f": 3, "Foraging-15x15-4p-5f": 4},
    **{"Warehouse-tiny-4ag": 4, "Warehouse-small-4ag": 4},
    **{"CollectBlocks-13x13-3ag": 3, "Snake-11x11-4p": 4, "Tron-15x15-2p": 2},
    **{"TicTacToe-3p": 3, "TicTacToe-4p": 4, "Blokus-14x14-2p": 2, "KuhnPoker-3p": 3},
    **{"MatrixGame-2x2x2": 3, "RockPaperScissors-3p": 3},
}
"""The number of agents in families with several, and in those of their worlds that have another."""


class CatalogueEntry(NamedTuple):
    """A world of the catalogue, or a family of worlds, which is made in any `size`.

    Attributes:
        name: its name.
        agents: the number of its agents.
        version: part of its id.
    """

    name: str
    agents: int = 1
    version: int = 0

    @property
    def id(self) -> str:
        """Its id in both registries."""
        return f"{NAMESPACE}/{self.name}-v{self.version}"


def listed() -> tuple[CatalogueEntry, ...]:
    """The worlds of the catalogue; all have version 0 so far."""
    return tuple(
        CatalogueEntry(name, AGENTS.get(name, AGENTS.get(family, 1)))
        for family, sizes in SIZES.items()
        for name in ([f"{family}-{size}" for size in sizes] or [family])
    )


def families() -> tuple[CatalogueEntry, ...]:
    """The families of worlds that are not called as one of their worlds: those that take a `size`."""
    return tuple(CatalogueEntry(family, AGENTS.get(family, 1)) for family, sizes in SIZES.items() if sizes)


def register_gymnasium() -> None:
    """Register the worlds for `gymnasium.make` and `make_vec`; those with several agents say what makes them instead."""
    given = {world.id: {"world": world.name} for world in (*listed(), *families())}
    for name, kwargs in {**given, OWN_ID: {}}.items():
        if name not in registry:
            register(
                id=name,
                entry_point="gridarium.env.gym_env:GridariumEnv",
                vector_entry_point="gridarium.env.vector_env:GridariumVectorEnv",
                kwargs=kwargs,
            )
    if GHOST_ID not in registry:
        register(id=GHOST_ID, entry_point="gridarium.ghost.env:CustomGridEnv", kwargs={"render_mode": None})


def register_pettingzoo() -> None:
    """Register the worlds with several agents, for `pettingzoo.make` (from version 1.27 on), if it is installed."""
    try:
        import pettingzoo
    except ImportError:
        return
    if not hasattr(pettingzoo, "register"):
        return
    given = {world.id: {"world": world.name} for world in (*listed(), *families()) if world.agents > 1}
    for name, kwargs in {**given, OWN_ID: {}}.items():
        if name not in pettingzoo.parallel_registry:
            for kind in ("parallel", "aec"):
                entry = f"gridarium.env.pettingzoo_env:{kind}_env"
                pettingzoo.register(kind, name, entry, kwargs=kwargs)
