"""Observations and states as arrays."""
