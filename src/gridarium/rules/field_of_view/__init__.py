"""What can be seen from a position: crops of a grid, rotated to the agent, and rays from cell to cell."""
