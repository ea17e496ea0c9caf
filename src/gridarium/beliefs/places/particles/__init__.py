"""The particle filter's memory, and the loops over it: plain Python, run as it is or compiled."""
