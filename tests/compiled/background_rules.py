"""Rules for `test_background`, which another process imports."""

import time

PRIZE = 1.5


def count(state, action):
    state.kept += 1


def prize(state, action, next_state):
    return PRIZE


def unfit(state, action, next_state):
    return float(f"{state.kept}")


def wait_a_little():
    time.sleep(0.3)
