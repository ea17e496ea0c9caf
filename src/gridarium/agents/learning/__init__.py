"""Learners: values in tables, learned from episodes."""
