"""What one wants to see on top of a picture: heat maps, arrows, paths, particles, texts."""
