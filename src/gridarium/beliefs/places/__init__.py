"""Beliefs about the place of an agent: exact and particle filters, smoothing."""
