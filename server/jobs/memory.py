"""Giving memory back after a long computation."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress


def give_back() -> None:
    """Hand to the system what a computation has freed.

    The C library keeps freed memory for later, all that lies below a single small piece that is still in use; ratings
    of many judgements would make a worker larger with every day. Only glibc knows this function.
    """
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
