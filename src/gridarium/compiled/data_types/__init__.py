"""Value classes, arrays and random numbers with the same interface in plain Python and in compiled code."""
