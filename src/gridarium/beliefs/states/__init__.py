"""Beliefs about whole states of a world."""
