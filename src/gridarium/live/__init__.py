"""Live worlds: they tick, and agents with brains, people among them, perceive, act, carry, talk and pursue goals."""
