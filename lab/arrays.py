"""Names for the array types that the science passes around, and the one sum they all need."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def sums(index: Ints, values: Floats, size: int) -> Floats:
    """The sum of the values at each index 0 … size − 1."""
    return np.bincount(index, values, size).astype(np.float64, copy=False)
