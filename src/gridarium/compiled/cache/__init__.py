"""Compiled programs on disk: fingerprints of their dependencies, storage, and detection of changes."""
