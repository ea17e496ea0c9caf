"""Train MaskablePPO of sb3-contrib in a world with legal rules: tic-tac-toe against an opponent that plays at random.

    python examples/sb3_legal_actions.py

Needs the extra `gridarium[sb3]`. An illegal action would raise an error in this world (`illegal="refuse"`).
"""

import argparse

import torch
from sb3_contrib import MaskablePPO

from gridarium import Spec
from gridarium.agents import evaluate, random_action
from gridarium.env.sb3 import GridariumVecEnv
from gridarium.world import Action, Floor, GridObject, Position

PLACE = Action.declare("PLACE")
ROWS = tuple(tuple(Position(y, x) for x in range(3)) for y in range(3))
COLUMNS = tuple(tuple(Position(y, x) for y in range(3)) for x in range(3))
DIAGONALS = (
    (Position(0, 0), Position(1, 1), Position(2, 2)),
    (Position(0, 2), Position(1, 1), Position(2, 0)),
)
LINES = ROWS + COLUMNS + DIAGONALS


class Cross(GridObject):
    glyph = "X"


class Nought(GridObject):
    glyph = "O"


def empty_board(state):
    """A state begins with floor everywhere."""


def is_free(state, action):
    return isinstance(state.grid[action.at], Floor)


def count_free(state):
    return sum(isinstance(state.grid[p], Floor) for p in state.grid.positions())


def place(state, action):
    state.grid[action.at] = Cross()
    if any(all(isinstance(state.grid[p], Cross) for p in line) for line in LINES):
        state.winner = 1


def reply(state, action, *, rng):
    """The opponent's move, unless the game is over."""
    free = count_free(state)
    if state.winner != 0 or free == 0:
        return
    left = rng.integers(free)  # free cells before the one that is marked
    for p in state.grid.positions():
        if isinstance(state.grid[p], Floor):
            if left == 0:
                state.grid[p] = Nought()
            left -= 1
    if any(all(isinstance(state.grid[p], Nought) for p in line) for line in LINES):
        state.winner = -1


def result(state, action, next_state):
    """1 for a game that is won, -1 for one that is lost."""
    return float(next_state.winner)


def is_over(state, action, next_state):
    return next_state.winner != 0 or count_free(next_state) == 0


tic_tac_toe = Spec.build(
    name="TicTacToe",
    shape=(3, 3),
    objects=[Floor, Cross, Nought],
    agents=[{"name": "cross", "body": False}],
    fields={"world": [{"name": "winner", "type": "int", "internal": True}]},
    actions=[{"name": "PLACE", "over": "cells"}],
    reset=empty_board,
    transitions=[place, reply],
    legal=[is_free],
    illegal="refuse",
    rewards=[result],
    terminations=[is_over],
    observation="full_grid",
)


def train(steps=60_000, seed=0, envs=64):
    """A trained model and its environment."""
    torch.set_num_threads(1)
    env = GridariumVecEnv(tic_tac_toe, envs)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=32,
        batch_size=256,
        n_epochs=4,
        learning_rate=1e-3,
        seed=seed,
        device="cpu",
    )
    model.learn(steps)
    return model, env


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    model, env = train(given.steps, given.seed)
    for name, policy in ("random", random_action), ("trained", env.policy(model)):
        print(f"{name}: {evaluate(env.world, policy, episodes=500, seed=1_000_000)}")


if __name__ == "__main__":
    main()
