"""Runs the kernel over many worlds: memory, threads and output arrays."""
