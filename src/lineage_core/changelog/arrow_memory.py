"""Bytes that Arrow's threads may read: in memory of its own.

A thread of Arrow that lets go of Python's memory last takes Python's lock for it. If the process ends at that moment,
Python ends the thread. C++ does not allow that there, and the process ends by SIGABRT in place of its exit code.
"""

from __future__ import annotations

import pyarrow as pa


def readable(data: bytes) -> pa.BufferReader:
    """A copy of the bytes, to be read by Arrow."""
    buffer = pa.allocate_buffer(len(data))
    pa.FixedSizeBufferWriter(buffer).write(data)
    return pa.BufferReader(buffer)
