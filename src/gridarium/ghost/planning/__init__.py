"""Planning for tasks: reading tasks, routes, cell values and language models."""
