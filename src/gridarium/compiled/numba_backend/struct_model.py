"""The representation of value classes and array views in LLVM. Importing this module imports numba."""

from __future__ import annotations

from typing import Any

from numba.core.datamodel import models


class WholeStructModel(models.StructModel):
    """A struct that is passed and returned as one value.

    numba passes each member by itself, which takes two instructions per member and call. LLVM does the same when it
    inlines a function or generates its code.
    """

    def get_argument_type(self) -> Any:
        """As everywhere else."""
        return self.get_value_type()

    def get_return_type(self) -> Any:
        """As everywhere else."""
        return self.get_value_type()

    def as_argument(self, builder: Any, value: Any) -> Any:
        """Unchanged."""
        return value

    def from_argument(self, builder: Any, value: Any) -> Any:
        """Unchanged."""
        return value

    def as_return(self, builder: Any, value: Any) -> Any:
        """Unchanged."""
        return value

    def from_return(self, builder: Any, value: Any) -> Any:
        """Unchanged."""
        return value
