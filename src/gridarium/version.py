"""The version of the library, for what is written to files."""

__version__ = "0.1.0"
