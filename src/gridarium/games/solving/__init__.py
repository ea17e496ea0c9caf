"""Games solved: exact values of small ones, strategies that nobody can exploit."""
