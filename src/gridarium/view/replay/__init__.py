"""Recorded runs as data, HTML pages and animated files."""
