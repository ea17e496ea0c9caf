"""Pictures that move: animated files, and windows.

What needs an optional library loads it when it is used, and says which extra to install where it is missing.
"""
