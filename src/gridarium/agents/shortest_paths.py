"""Shortest paths by breadth-first search, in graphs whose edges all have the same length."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def breadth_first(starts: Iterable[N], neighbours: Callable[[N], Iterable[N]]) -> Iterator[tuple[N, N, int]]:
    """Every node that can be reached, nearest first, with the node before it and its distance from the starts.

    Args:
        starts: nodes at distance 0; these are not returned.
        neighbours: the nodes to which edges lead from a node.
    """
    distance = dict.fromkeys(starts, 0)
    queue = deque(distance)
    while queue:
        node = queue.popleft()
        for neighbour in neighbours(node):
            if neighbour not in distance:
                distance[neighbour] = distance[node] + 1
                queue.append(neighbour)
                yield neighbour, node, distance[neighbour]


def shortest_path(
    start: N, is_goal: Callable[[N], bool], neighbours: Callable[[N], Iterable[N]]
) -> list[N] | None:
    """The nodes of a shortest path from `start` to a goal, both included; None where there is no path."""
    if is_goal(start):
        return [start]
    came_from: dict[N, N] = {}
    for node, before, _ in breadth_first([start], neighbours):
        came_from[node] = before
        if is_goal(node):
            path = [node]
            while path[-1] != start:
                path.append(came_from[path[-1]])
            return path[::-1]
    return None
