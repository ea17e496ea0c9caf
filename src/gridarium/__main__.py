"""`python -m gridarium` is the command `gridarium`."""

from gridarium.cli import main

if __name__ == "__main__":
    main(prog_name="gridarium")
