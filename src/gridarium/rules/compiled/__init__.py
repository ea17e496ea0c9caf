"""Compiled implementations of functions that rules call."""
