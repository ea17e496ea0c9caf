"""Exact enumeration of the outcomes of steps, resets and observations; sampled copies of states."""
