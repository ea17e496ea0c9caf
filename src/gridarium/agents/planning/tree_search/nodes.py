"""The nodes of a search tree: adding, selecting, backing up. Part of the kernel, plain Python like it."""

from __future__ import annotations

import math
from typing import Any

from gridarium.agents.planning.tree_search.arguments import (
    ACTION,
    COUNT,
    DEPTH,
    EVALUATED,
    FIRST,
    FORCED,
    HIGH,
    LOW,
    NEXT,
    NODE_LENGTH,
    OWNER,
    PRIOR,
    STREAM,
    TOTAL,
    TREE_LENGTH,
    VALUE,
    VISITS,
    Method,
    SearchArg,
)
from gridarium.compiled.data_types.primitives import (
    fixed,
    float64_at,
    get_float,
    int64_at,
    outlined,
    set_float,
    uint8_at,
)
from gridarium.compiled.data_types.random import draw_integer
from gridarium.engine.kernel_args import KernelArg

FEWEST_VISITS = 50.0
"""`c_visit` of Danihelka et al. (2022): the larger, the more values weigh against priors from the beginning."""


def tree_at(frame: Any, e: int) -> Any:
    """int64[TREE_LENGTH]: the words of tree `e`."""
    return int64_at(fixed(frame, SearchArg.TREE_ARRAY) + e * TREE_LENGTH * 8, (TREE_LENGTH,))


def nodes_at(frame: Any, e: int) -> Any:
    """int64[capacity, NODE_LENGTH]: the nodes of tree `e`."""
    capacity = fixed(frame, SearchArg.CAPACITY)
    return int64_at(
        fixed(frame, SearchArg.NODE_ARRAY) + e * capacity * NODE_LENGTH * 8, (capacity, NODE_LENGTH)
    )


def nodes_as_floats(frame: Any, e: int) -> Any:
    """float64[capacity, NODE_LENGTH]: the same memory, for the words that are floats."""
    capacity = fixed(frame, SearchArg.CAPACITY)
    return float64_at(
        fixed(frame, SearchArg.NODE_ARRAY) + e * capacity * NODE_LENGTH * 8, (capacity, NODE_LENGTH)
    )


def list_at(frame: Any, slot: int, which: int) -> Any:
    """int64[actions] of the thread: indices of legal actions (0), or the node of each action (1)."""
    count = fixed(frame, KernelArg.ACTION_COUNT)
    return int64_at(fixed(frame, SearchArg.LIST_ARRAY) + (2 * slot + which) * count * 8, (count,))


def path_at(frame: Any, e: int) -> Any:
    """int64[path]: the nodes of the simulation."""
    length = fixed(frame, SearchArg.PATH_LENGTH)
    return int64_at(fixed(frame, SearchArg.PATH_ARRAY) + e * length * 8, (length,))


def discounts_at(frame: Any, e: int) -> Any:
    """float64[path]: the discount from each of the nodes to the next one."""
    length = fixed(frame, SearchArg.PATH_LENGTH)
    return float64_at(fixed(frame, SearchArg.DISCOUNT_ARRAY) + e * length * 8, (length,))


def returns_at(frame: Any, e: int, agents: int) -> Any:
    """float64[path, agents]: the rewards from each of the nodes to the next one."""
    length = fixed(frame, SearchArg.PATH_LENGTH)
    return float64_at(fixed(frame, SearchArg.RETURN_ARRAY) + e * length * agents * 8, (length, agents))


def values_at(frame: Any, e: int, agents: int) -> Any:
    """float64[agents]: the value of the leaf, then the return of the simulation."""
    return float64_at(fixed(frame, SearchArg.VALUE_ARRAY) + e * agents * 8, (agents,))


def legal_at(frame: Any, e: int) -> Any:
    """uint8[actions]: the legal actions at the leaf."""
    count = fixed(frame, KernelArg.ACTION_COUNT)
    return uint8_at(fixed(frame, SearchArg.LEGAL_ARRAY) + e * count, (count,))


def per_action_at(frame: Any, arg_index: int, e: int) -> Any:
    """float64[actions]: one row of an array float64[trees, actions]."""
    count = fixed(frame, KernelArg.ACTION_COUNT)
    return float64_at(fixed(frame, arg_index) + e * count * 8, (count,))


def enter(frame: Any, e: int, tree: Any, node: int, discount: float, agents: int) -> None:
    """Append a node to the path of the simulation; rewards are added up there from now on."""
    depth = int(tree[DEPTH]) + 1
    tree[DEPTH] = depth
    path_at(frame, e)[depth] = node
    discounts_at(frame, e)[depth] = discount
    returns = returns_at(frame, e, agents)
    for a in range(agents):
        returns[depth, a] = 0.0


def add_node(nodes: Any, tree: Any, parent: int, owner: int, action: int) -> int:
    """Add a child to a node; -1 if the memory is full."""
    node = int(tree[COUNT])
    if node >= nodes.shape[0]:
        return -1
    tree[COUNT] = node + 1
    nodes[node, FIRST] = 0
    nodes[node, NEXT] = nodes[parent, FIRST]
    nodes[parent, FIRST] = node
    nodes[node, OWNER] = owner
    nodes[node, ACTION] = action
    nodes[node, VISITS] = 0
    nodes[node, TOTAL] = 0
    nodes[node, PRIOR] = 0
    nodes[node, VALUE] = 0
    return node


def find_child(nodes: Any, parent: int, owner: int, action: int) -> int:
    """The child with this owner and action; 0 if there is none."""
    child = int(nodes[parent, FIRST])
    while child > 0 and not (nodes[child, OWNER] == owner and nodes[child, ACTION] == action):
        child = int(nodes[child, NEXT])
    return child


@outlined
def add_priors(frame: Any, e: int, tree: Any, node: int, who: int) -> bool:
    """Add a child for each legal action at the leaf, with its prior; False if the memory has no room for them."""
    nodes, floats = nodes_at(frame, e), nodes_as_floats(frame, e)
    priors, legal = per_action_at(frame, int(SearchArg.PRIOR_ARRAY), e), legal_at(frame, e)
    count, total = 0, 0.0
    for i in range(legal.shape[0]):
        if legal[i] != 0:
            count += 1
            total += priors[i]
    if int(tree[COUNT]) + count > nodes.shape[0]:
        return False
    for i in range(legal.shape[0]):
        if legal[i] != 0:
            child = add_node(nodes, tree, node, who, i)
            floats[child, PRIOR] = priors[i] / total if total > 0.0 else 1.0 / count
    return True


@outlined
def select(frame: Any, slot: int, e: int, tree: Any, node: int, who: int, count: int) -> tuple[int, int]:
    """Select one of the `count` legal actions in the thread's list.

    Returns:
        its index, and its node: 0 if it has none yet. With priors only actions that have one are selected; index -1 if
        there is none.
    """
    nodes, floats = nodes_at(frame, e), nodes_as_floats(frame, e)
    listed, found = list_at(frame, slot, 0), list_at(frame, slot, 1)
    child = int(nodes[node, FIRST])
    while child > 0:
        if nodes[child, OWNER] == who:
            found[nodes[child, ACTION]] = child
        child = int(nodes[child, NEXT])
    method = fixed(frame, SearchArg.METHOD)
    if node == 0 and tree[FORCED] >= 0:
        index = int(tree[FORCED])
    elif method == Method.UCT:
        index = best_by_confidence(frame, tree, nodes, floats, listed, found, count)
    elif method == Method.PUCT:
        index = best_by_prior(frame, tree, nodes, floats, listed, found, node, count)
    else:
        index = best_by_policy(frame, tree, nodes, floats, listed, found, node, count)
    chosen = int(found[index]) if index >= 0 else 0
    child = int(nodes[node, FIRST])
    while child > 0:
        if nodes[child, OWNER] == who:
            found[nodes[child, ACTION]] = 0
        child = int(nodes[child, NEXT])
    return index, chosen


def scale_of(tree: Any) -> float:
    """1 / the range of returns so far."""
    spread = get_float(tree, HIGH) - get_float(tree, LOW)
    return 1.0 / spread if 0.0 < spread < math.inf else 1.0


def best_by_confidence(
    frame: Any, tree: Any, nodes: Any, floats: Any, listed: Any, found: Any, count: int
) -> int:
    """Any of the untried actions, then the one with the largest upper confidence bound (Kocsis and Szepesvari 2006)."""
    untried, visits = 0, 0
    for k in range(count):
        child = int(found[listed[k]])
        if child == 0:
            untried += 1
        else:
            visits += int(nodes[child, VISITS])
    if untried > 0:
        left = draw_integer(tree, STREAM, untried)
        for k in range(count):
            if found[listed[k]] == 0:
                if left == 0:
                    return int(listed[k])
                left -= 1
    scale = scale_of(tree)
    width = get_float(frame, SearchArg.EXPLORATION) * math.sqrt(math.log(float(max(visits, 1))))
    best, index = -math.inf, int(listed[0])
    for k in range(count):
        child = int(found[listed[k]])
        tried = float(nodes[child, VISITS])
        bound = floats[child, TOTAL] / tried * scale + width / math.sqrt(tried)
        if bound > best:
            best, index = bound, int(listed[k])
    return index


def best_by_prior(
    frame: Any, tree: Any, nodes: Any, floats: Any, listed: Any, found: Any, node: int, count: int
) -> int:
    """The action with the largest bound, weighted with priors (Silver et al. 2017); untried ones have the node's value."""
    visits = 0
    for k in range(count):
        if found[listed[k]] > 0:
            visits += int(nodes[found[listed[k]], VISITS])
    scale = scale_of(tree)
    width = get_float(frame, SearchArg.EXPLORATION) * math.sqrt(float(max(visits, 1)))
    best, index = -math.inf, -1
    for k in range(count):
        child = int(found[listed[k]])
        if child > 0:
            tried = float(nodes[child, VISITS])
            value = floats[child, TOTAL] / tried if tried > 0.0 else floats[node, VALUE]
            bound = value * scale + width * floats[child, PRIOR] / (1.0 + tried)
            if bound > best:
                best, index = bound, int(listed[k])
    return index


def best_by_policy(
    frame: Any, tree: Any, nodes: Any, floats: Any, listed: Any, found: Any, node: int, count: int
) -> int:
    """The action whose share of visits lies furthest below the improved policy (Danihelka et al. 2022, section 5)."""
    visits, most, weighed, total = 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        child = int(found[listed[k]])
        if child > 0 and nodes[child, VISITS] > 0:
            tried = float(nodes[child, VISITS])
            visits += tried
            most = max(most, tried)
            weighed += floats[child, PRIOR]
            total += floats[child, PRIOR] * floats[child, TOTAL] / tried
    completed = floats[node, VALUE]
    if weighed > 0.0:
        completed = (completed + visits * total / weighed) / (1.0 + visits)
    scale = scale_of(tree) * (FEWEST_VISITS + most) * get_float(frame, SearchArg.EXPLORATION)
    largest = -math.inf
    for k in range(count):
        if found[listed[k]] > 0:
            largest = max(largest, improved_logit(nodes, floats, int(found[listed[k]]), completed, scale))
    mass = 0.0
    for k in range(count):
        if found[listed[k]] > 0:
            logit = improved_logit(nodes, floats, int(found[listed[k]]), completed, scale)
            mass += math.exp(logit - largest)
    best, index = -math.inf, -1
    for k in range(count):
        child = int(found[listed[k]])
        if child > 0:
            logit = improved_logit(nodes, floats, child, completed, scale)
            lack = math.exp(logit - largest) / mass - float(nodes[child, VISITS]) / (1.0 + visits)
            if lack > best:
                best, index = lack, int(listed[k])
    return index


def improved_logit(nodes: Any, floats: Any, child: int, completed: float, scale: float) -> float:
    """The logarithm of the improved policy, up to a constant."""
    tried = float(nodes[child, VISITS])
    value = floats[child, TOTAL] / tried if tried > 0.0 else completed
    return math.log(max(floats[child, PRIOR], 1e-30)) + scale * value


def back_up_returns(frame: Any, e: int, tree: Any, agents: int) -> None:
    """Add the returns of a simulation to the nodes on its path, each for the agent that decided."""
    nodes, floats = nodes_at(frame, e), nodes_as_floats(frame, e)
    path, discounts, returns = path_at(frame, e), discounts_at(frame, e), returns_at(frame, e, agents)
    values = values_at(frame, e, agents)
    if tree[EVALUATED] == 0:
        for a in range(agents):
            values[a] = 0.0
    low, high = get_float(tree, LOW), get_float(tree, HIGH)
    depth = int(tree[DEPTH])
    for k in range(depth + 1):
        d = depth - k
        for a in range(agents):
            values[a] = returns[d, a] + discounts[d] * values[a]
        node = int(path[d])
        if node >= 0:
            value = values[nodes[node, OWNER]]
            nodes[node, VISITS] += 1
            floats[node, TOTAL] += value
            if node > 0:
                low, high = min(low, value), max(high, value)
    set_float(tree, LOW, low)
    set_float(tree, HIGH, high)
