"""What the servers of running worlds have in common."""
