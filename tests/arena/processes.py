"""Whether processes still run."""

from pathlib import Path


def runs(pid: str) -> bool:
    """Whether there is a process that is not a zombie; on Linux."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
