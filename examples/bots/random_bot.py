"""A player of any game, in a process of its own: a random legal action.

gridarium match TwoAgents-Empty-8x8 examples/bots/random_bot.py random
"""


def act(observation, legal_actions, rng):
    return legal_actions[int(rng.integers(len(legal_actions)))]
