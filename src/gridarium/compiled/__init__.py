"""Value classes and rules in plain Python that also run compiled. Knows nothing of grids."""
