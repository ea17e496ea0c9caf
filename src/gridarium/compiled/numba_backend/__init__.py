"""Extensions of numba: value classes, checked arithmetic, arrays without reference counts, fast compilation."""
