"""Formats of tournaments: who meets whom."""
