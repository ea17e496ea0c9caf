"""Worlds that people play, in a window or in a terminal."""
