"""Sparse matrices, for those who have scipy."""

from __future__ import annotations

from typing import Any


def csr(probabilities: Any, columns: Any, offsets: Any, shape: tuple[int, int]) -> Any:
    """A `scipy.sparse.csr_array`.

    Raises:
        ImportError: scipy is not installed.
    """
    try:
        from scipy.sparse import csr_array
    except ImportError as error:
        raise ImportError(
            "sparse matrices need scipy: pip install 'gridarium[planning]'; a model's own arrays do not"
        ) from error
    return csr_array((probabilities, columns, offsets), shape=shape)
