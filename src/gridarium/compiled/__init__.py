"""Value classes and functions in plain Python that also run compiled. Independent of grids."""
