"""Planners: shortest plans, looking ahead, value iteration, tree search, planning on beliefs."""
