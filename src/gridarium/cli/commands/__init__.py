"""The subcommands of `gridarium`, one file each."""
