"""Builds the modules that are written in C where there is a C compiler; installing does without it too."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES = (Path("gridarium/episodes/_loops.c"), Path("gridarium/compiled/_compiled_program.c"))


class CompiledModules(BuildHookInterface):
    """Puts the compiled modules beside their sources, where editable installations look for them, and into wheels."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile. Where that fails, it is told, and the wheel holds nothing but Python."""
        for module in MODULES:
            try:
                built = compiled(Path(self.root, "src", module))
            except Exception as error:  # whatever a machine lacks: a compiler, Python's headers
                self.app.display_warning(
                    f"{module.stem} is not compiled, its work is done in Python: {error}"
                )
                continue
            build_data["infer_tag"], build_data["pure_python"] = True, False
            if version != "editable":
                build_data["force_include"][str(built)] = str(module.with_name(built.name))


def compiled(source: Path) -> Path:
    """The module made of a C file, beside it."""
    import numpy as np
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    extension = Extension(source.stem, [str(source)], include_dirs=[np.get_include()])
    command = build_ext(Distribution({"ext_modules": [extension]}))
    with tempfile.TemporaryDirectory() as scratch:
        command.build_lib = command.build_temp = scratch
        command.ensure_finalized()
        command.run()
        (output,) = map(Path, command.get_outputs())
        fresh = Path(shutil.copy(output, source.with_name(f"{output.name}.new")))
    return fresh.replace(source.with_name(output.name))  # at once: somebody may be running the old one
