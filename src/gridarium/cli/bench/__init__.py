"""The meters behind `gridarium bench`: steps per second, starting, memory."""
