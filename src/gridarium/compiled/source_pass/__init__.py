"""The source pass: rewrites a rule's ordinary Python for numba where the meaning stays the same."""
