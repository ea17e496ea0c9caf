"""Plots and pictures that commands write to files."""
