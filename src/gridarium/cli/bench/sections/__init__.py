"""The sections of `gridarium bench`, one file each."""
