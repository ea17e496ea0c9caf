"""What `gridarium bench` measures, and with what."""
