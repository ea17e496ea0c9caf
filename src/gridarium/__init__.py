"""Gridarium: grid worlds for agents, people among them, with rules one can read and run at native speed."""

import gridarium.env  # registers the worlds with Gymnasium and PettingZoo, as soon as these are imported

__version__ = "0.1.0"
