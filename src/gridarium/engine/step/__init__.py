"""The step of a world: plain Python that runs interpreted or compiled."""
