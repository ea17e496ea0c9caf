"""Worlds that tick, in which agents with brains and people perceive, act, carry, talk and pursue goals."""
