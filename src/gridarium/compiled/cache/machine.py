"""What compiled code depends on besides its source. Importing this module imports llvmlite, but not numba."""

from __future__ import annotations

import os
from importlib.metadata import version
from typing import Any

import llvmlite
from llvmlite import binding as llvm


def machine() -> tuple[Any, ...]:
    """The dependencies of compiled code besides its source: numba, LLVM, the processor, and numba's settings."""
    settings = sorted((name, text) for name, text in os.environ.items() if name.startswith("NUMBA_"))
    try:
        features = llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # not known on this kind of processor
        features = ""
    processor = llvm.get_default_triple(), llvm.get_host_cpu_name(), features
    return version("numba"), llvmlite.__version__, processor, settings
