"""The world's value classes in compiled code. Importing these modules imports numba."""
