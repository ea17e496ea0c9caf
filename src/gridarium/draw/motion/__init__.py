"""Animated files and windows.

Optional libraries are loaded on use; errors name the extra to install.
"""
