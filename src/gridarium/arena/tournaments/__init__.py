"""Tournaments: who meets whom, stored results, tables and pages."""
