"""The meters behind `gridarium bench`: steps per second, starting, memory, and others beside us in one run."""
