"""Tries programs that come in, one a line, in a process of its own, so that a crash ends this process only."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.compiled.fuzz.trial import Trial, attempt


def try_file(path: Path) -> Trial:
    """Try the program in a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return attempt(module.rule)


def serve(asked: Any, told: Any) -> None:
    """Answer each line with a line."""
    with tempfile.TemporaryDirectory() as folder:
        for number, line in enumerate(asked):
            path = Path(folder) / f"program_{number}.py"
            path.write_text(json.loads(line))
            told.write(json.dumps(dataclasses.asdict(try_file(path))) + "\n")
            told.flush()
            path.unlink()
            sys.modules.pop(path.stem)


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a program prints is no answer
    serve(sys.stdin, answers)
