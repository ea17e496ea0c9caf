"""Runs: recordings of worlds, stored as files and replayed bit for bit."""
