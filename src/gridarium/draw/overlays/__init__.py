"""Overlays on pictures: heat maps, arrows, paths, particles, texts."""
