"""A running world in the browser."""
