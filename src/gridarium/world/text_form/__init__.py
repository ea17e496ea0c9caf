"""A state written as text or JSON, and read back."""
