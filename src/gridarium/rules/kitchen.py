"""Rules for kitchens: cooks bring onions to pots, soups to dishes, and dishes to the window, and are in each other's way.

All actions of a tick are done together: first what cooks do with their hands, in their order, then how they walk, then the
pots. A world declares the agents' fields `earned` and `progress`, and its field `cooking`, an array with the remaining time of
each pot, row by row.

Source: overcooked_ai (Carroll et al. 2019), with onions as the only ingredient, as in its five classic layouts.
"""

from __future__ import annotations

from gridarium.rules.calling import UnusedRng
from gridarium.rules.results import ActionResultCode
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action, get_next_position, move_orientation
from gridarium.world.geometry import Position
from gridarium.world.kitchen import (
    Counter,
    Dish,
    DishDispenser,
    Onion,
    OnionDispenser,
    Pot,
    ServingWindow,
    Soup,
)
from gridarium.world.objects import GridObject, NoneGridObject
from gridarium.world.state import State

FULL = 3
"""The number of onions in a pot that takes no more, and of a soup that was ordered."""
COOKING = Pot.Status.COOKING_1 - 1
"""The status of a pot that cooks n onions is this and n; those that do not cook yet have n."""
READY = Pot.Status.READY_1 - 1
"""The status of a pot with a soup of n onions is this and n."""
SOUP = Counter.Status.SOUP_1 - 1
"""The status of a counter with a soup of n onions is this and n."""


@transition_function_registry.register(scope="world")
def kitchen_interact(
    state: State,
    action: Action,
    *,
    auto_cook: bool = True,
    cooking_time: int = 20,
    soup_reward: float = 20.0,
    placement_reward: float = 3.0,
    dish_reward: float = 3.0,
    pickup_reward: float = 5.0,
    rng: UnusedRng = None,
) -> None:
    """ACTUATE uses what a cook faces: takes or puts down, adds an onion to a pot, takes a soup, delivers it.

    Cooks with a dish take a soup that is ready; only a soup of three onions earns something.

    Args:
        state: the state.
        action: not used; each agent's own counts.
        auto_cook: a pot cooks as soon as it is full (Carroll et al. 2019); otherwise, as in later releases, when somebody with
            empty hands uses it, however many onions it has.
        cooking_time: the number of ticks from then on.
        soup_reward: what a delivered soup earns.
        placement_reward: the progress of putting an onion into a pot.
        dish_reward: that of taking a dish where more pots are in use than dishes are in hands, and none is on a counter.
        pickup_reward: that of taking a soup out of a pot.
        rng: not used.
    """
    pots = 0
    for i in range(len(state.agents)):
        agent = state.agents[i]
        agent.earned = agent.progress = 0.0
        if agent.action == Action.ACTUATE and isinstance(_faced(state, i), DishDispenser):
            pots = sum(_is_in_use(state.grid[p]) for p in state.grid.positions())
    for i in range(len(state.agents)):
        agent = state.agents[i]
        if agent.action != Action.ACTUATE:
            continue
        p, there, held = agent.front(), _faced(state, i), agent.grid_object
        empty_handed = isinstance(held, NoneGridObject)
        agent.result = ActionResultCode.SUCCESS
        if isinstance(there, Counter) and empty_handed and there.status != Counter.Status.EMPTY:
            _take_from_counter(state, i, there.state_index)
        elif isinstance(there, Counter) and not empty_handed and there.status == Counter.Status.EMPTY:
            state.grid[p] = Counter(_status_on_counter(held))
            agent.drop()
        elif isinstance(there, OnionDispenser) and empty_handed:
            agent.grid_object = Onion()
        elif isinstance(there, DishDispenser) and empty_handed:
            if _is_dish_useful(state, pots):
                agent.progress += dish_reward
            agent.grid_object = Dish()
        elif isinstance(there, Pot) and isinstance(held, Onion) and there.state_index < FULL:
            onions = there.state_index + 1
            state.grid[p] = Pot(onions)
            agent.drop()
            agent.progress += placement_reward
            if auto_cook and onions == FULL:
                _begin(state, p, cooking_time)
        elif isinstance(there, Pot) and empty_handed and not auto_cook and 0 < there.state_index <= FULL:
            _begin(state, p, cooking_time)
        elif isinstance(there, Pot) and isinstance(held, Dish) and there.state_index > READY:
            agent.grid_object = Soup(there.state_index - READY - 1)
            state.grid[p] = Pot(Pot.Status.EMPTY)
            agent.progress += pickup_reward
        elif isinstance(there, ServingWindow) and isinstance(held, Soup):
            agent.earned += soup_reward if held.status == Soup.Status.ONIONS_3 else 0.0
            agent.drop()
        else:
            agent.result = ActionResultCode.FAILED


@transition_function_registry.register(scope="world")
def kitchen_walk(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """Compass moves turn cooks and take all of them one cell further at once, unless the cell is blocked.

    If any two would be in the same cell or exchange their cells, nobody moves.
    """
    count = len(state.agents)
    for i in range(count):
        agent = state.agents[i]
        if agent.action.is_compass():
            agent.orientation = move_orientation(agent.action)
            if _target(state, i) == agent.position:
                agent.result = ActionResultCode.BLOCKED
    if any(_collide(state, i, j) for i in range(count) for j in range(i)):
        for i in range(count):
            if _target(state, i) != state.agents[i].position:
                state.agents[i].result = ActionResultCode.CONFLICT
        return
    for i in range(count):
        state.agents[i].position = _target(state, i)


@transition_function_registry.register(scope="world")
def kitchen_cook(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """Pots that cook go on; when their time is over, a soup is ready."""
    for k in range(len(state.cooking)):
        if state.cooking[k] > 0:
            state.cooking[k] -= 1
            if state.cooking[k] == 0:
                p = _place_of_pot(state, k)
                state.grid[p] = Pot(state.grid[p].state_index + READY - COOKING)


@reward_function_registry.register
def kitchen_progress(
    state: State, action: Action, next_state: State, *, weight: float = 1.0, rng: UnusedRng = None
) -> float:
    """What helped to make a soup, of this agent: a shaped reward, which `kitchen_interact` defines."""
    return float(weight * next_state.agent.progress)


def _faced(state: State, i: int) -> GridObject:
    """What a cook faces; nothing at the edge."""
    p = state.agents[i].front()
    if not state.grid.contains(p):
        return NoneGridObject()
    there: GridObject = state.grid[p]
    return there


def _is_in_use(pot: GridObject) -> bool:
    """Whether something is a pot that will give a soup: it has onions, but is not full without cooking."""
    return isinstance(pot, Pot) and pot.state_index != 0 and pot.state_index != FULL


def _is_dish_useful(state: State, pots: int) -> bool:
    """Whether one of two cooks should take a dish for one of the pots that are in use."""
    if len(state.agents) != 2:
        return False
    if sum(isinstance(agent.grid_object, Dish) for agent in state.agents) >= pots:
        return False
    return not any(_is_counter_with_dish(state.grid[p]) for p in state.grid.positions())


def _is_counter_with_dish(there: GridObject) -> bool:
    return isinstance(there, Counter) and bool(there.status == Counter.Status.DISH)


def _take_from_counter(state: State, i: int, status: int) -> None:
    agent = state.agents[i]
    if status == Counter.Status.ONION:
        agent.grid_object = Onion()
    elif status == Counter.Status.DISH:
        agent.grid_object = Dish()
    else:
        agent.grid_object = Soup(status - SOUP - 1)
    state.grid[agent.front()] = Counter(Counter.Status.EMPTY)


def _status_on_counter(held: GridObject) -> int:
    if isinstance(held, Onion):
        return int(Counter.Status.ONION)
    if isinstance(held, Dish):
        return int(Counter.Status.DISH)
    return SOUP + 1 + held.state_index


def _begin(state: State, p: Position, cooking_time: int) -> None:
    """Let the onions in a pot cook."""
    state.grid[p] = Pot(state.grid[p].state_index + COOKING)
    k = sum(isinstance(state.grid[q], Pot) for q in state.grid.positions() if (q.y, q.x) < (p.y, p.x))
    state.cooking[k] = cooking_time


def _place_of_pot(state: State, k: int) -> Position:
    """The position of a pot by its number, row by row."""
    left = k
    for p in state.grid.positions():
        if isinstance(state.grid[p], Pot):
            if left == 0:
                return p
            left -= 1
    raise ValueError("a pot that cooks has gone")


def _target(state: State, i: int) -> Position:
    """The cell in which a cook would be without the others."""
    agent = state.agents[i]
    there: Position = get_next_position(agent.position, agent.orientation, agent.action)
    if state.grid.contains(there) and not state.grid[there].blocks_movement:
        return there
    return agent.position


def _collide(state: State, i: int, j: int) -> bool:
    p, q = _target(state, i), _target(state, j)
    return p == q or (p == state.agents[j].position and q == state.agents[i].position)
