"""Tree search as a kernel over the composed step."""
