"""The players of a match: built in, functions, Python files and other programs in processes of their own."""
