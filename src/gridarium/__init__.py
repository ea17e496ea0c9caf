"""Gridarium: grid worlds for agents, people among them, with rules one can read and run at native speed."""

__version__ = "0.1.0"
