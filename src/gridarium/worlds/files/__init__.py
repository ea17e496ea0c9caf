"""The formats of description files: YAML, gym-gridverse's YAML, maps drawn as text."""
