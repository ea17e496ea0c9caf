"""The measurements of `gridarium bench`."""
