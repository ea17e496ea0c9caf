"""The frame of tree search: that of a batch, followed by the addresses and settings of the trees; the words of a tree."""

from __future__ import annotations

from enum import IntEnum

from gridarium.engine.kernel_args import FRAME_LENGTH


class SearchArg(IntEnum):
    """Indices in a frame, after those of a batch (`KernelArg`). `..._ARRAY` and `..._TABLE` are addresses.

    The batch's worlds are those of the simulations, one for each tree.
    """

    ROOT_ARRAYS = FRAME_LENGTH
    """The first of four: cells, layers, data and agent rows of the states where simulations begin."""
    LEAF_ARRAYS = FRAME_LENGTH + 4
    """The first of four: the states where rollouts begin, one for each tree; used for more than one rollout."""
    ROOT_COUNT = FRAME_LENGTH + 8
    """The number of root states of each tree; each simulation begins in one drawn at random."""
    TREE_ARRAY = FRAME_LENGTH + 9
    """int64[trees, TREE_LENGTH]."""
    NODE_ARRAY = FRAME_LENGTH + 10
    """int64[trees, capacity, NODE_LENGTH]."""
    CAPACITY = FRAME_LENGTH + 11
    PATH_ARRAY = FRAME_LENGTH + 12
    """int64[trees, path]: the nodes that a simulation has come through; -1 for its rollouts."""
    DISCOUNT_ARRAY = FRAME_LENGTH + 13
    """float64[trees, path]: the discount from each decision to the next one."""
    RETURN_ARRAY = FRAME_LENGTH + 14
    """float64[trees, path, agents]: the discounted rewards from each decision to the next one."""
    PATH_LENGTH = FRAME_LENGTH + 15
    VALUE_ARRAY = FRAME_LENGTH + 16
    """float64[trees, agents]: the value of the leaf, then the return of the simulation."""
    PRIOR_ARRAY = FRAME_LENGTH + 17
    """float64[trees, actions]: the prior probabilities at the leaf."""
    LEGAL_ARRAY = FRAME_LENGTH + 18
    """uint8[trees, actions]: the legal actions at the leaf."""
    LIST_ARRAY = FRAME_LENGTH + 19
    """int64[threads, 2, actions]: the indices of legal actions, and the node of each action; 0 between two uses."""
    VISIT_ARRAY = FRAME_LENGTH + 20
    """int64[trees, actions]: how often each action of the root was tried."""
    TOTAL_ARRAY = FRAME_LENGTH + 21
    """float64[trees, actions]: the sums of their returns."""
    ROOT_PRIOR_ARRAY = FRAME_LENGTH + 22
    """float64[trees, actions]: their prior probabilities."""
    IDLE_TABLE = FRAME_LENGTH + 23
    """int64[agents]: the integer of each agent's idle action."""
    TARGET = FRAME_LENGTH + 24
    """The number of simulations of each tree after this call."""
    METHOD = FRAME_LENGTH + 25
    """How actions are selected, see `Method`."""
    BRANCHING = FRAME_LENGTH + 26
    """What distinguishes nodes, see `Branching`."""
    AGENT = FRAME_LENGTH + 27
    """The only agent that decides; -1 if each decides when it is its turn."""
    OTHERS = FRAME_LENGTH + 28
    """What the other agents do, see `OthersModel`."""
    ROLLOUTS = FRAME_LENGTH + 29
    HORIZON = FRAME_LENGTH + 30
    DISCOUNT = FRAME_LENGTH + 31
    """The bits of a float64, as the next one."""
    EXPLORATION = FRAME_LENGTH + 32
    OUTPUT_TABLE = FRAME_LENGTH + 33
    """int64[outputs, 2]: address and bytes of one agent's part of each output array."""
    OUTPUT_COUNT = FRAME_LENGTH + 34


SEARCH_FRAME_LENGTH = FRAME_LENGTH + 40


class Method(IntEnum):
    """How actions are selected in the tree, and leaves evaluated.

    Attributes:
        UCT: by upper confidence bounds; leaves by random rollouts.
        PUCT: by bounds weighted with priors; leaves by priors and values that are given.
        GUMBEL: as PUCT, but below the root such that visits follow the improved policy.
    """

    UCT = 0
    PUCT = 1
    GUMBEL = 2


class Branching(IntEnum):
    """What distinguishes the nodes of a tree.

    Attributes:
        ACTIONS: the sequence of decisions (open loop).
        STATES: likewise the states in between.
        OBSERVATIONS: likewise the observations of the agent in between.
    """

    ACTIONS = 0
    STATES = 1
    OBSERVATIONS = 2


class OthersModel(IntEnum):
    """What agents do that do not decide for themselves."""

    RANDOM = 0
    IDLE = 1
    FUNCTION = 2


KEY, STARTED, DONE, PHASE, STAGE, NODE, DEPTH, TICKS, COUNT, STREAM, DRAWN = range(11)
ROLLOUT, LEAF_TICKS, AGENT, DECIDED, EVALUATED, LOW, HIGH, FORCED, DRAWN_BEFORE = range(11, 20)
TREE_LENGTH = 24
"""The words of a tree: random key, simulations begun and done, phase and stage of the simulation, its node (-1 if it is
not in the tree), the length of its path, its ticks; the number of nodes; a stream of random numbers with the number of
draws; the index of the rollout and the ticks before it; the agent that decides, and whether one did in this tick; whether
the leaf has a given value; the range of returns as bits of floats; the action to be taken at the root, or -1; the number of
draws before this phase, which begins anew if a rule raises compiled only."""

FIRST, NEXT, OWNER, ACTION, VISITS, TOTAL, PRIOR, VALUE = range(8)
NODE_LENGTH = 8
"""The words of a node, one cache line: first child, next sibling, the agent that has chosen, its action's index; visits,
sum of returns, prior and given value (bits of floats). With outcomes in the tree, an action's children are outcomes:
nodes of the owner `OUTCOME`, with a hash of the outcome as their action."""
NOBODY, OUTCOME = -1, -2
"""Owners of nodes: a tick without a decision, and an outcome."""

BEGIN, DECIDE, OTHERS, TICK, EXPAND, FINISH, WAIT_FOR_VALUE, WAIT_FOR_OTHERS = range(8)
"""Phases: what comes next in a simulation. Each can be begun again if a rule raises in it. In the last two the kernel returns,
for Python to fill in a leaf's value (then EXPAND), or the actions of the other agents (then TICK)."""
IN_TREE, LEAVING, ROLLING_OUT = range(3)
"""Stages of a simulation: in the tree; in the tick after which rollouts begin; in a rollout."""
