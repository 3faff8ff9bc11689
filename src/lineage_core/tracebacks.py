"""What went wrong in our own code, as a text of bounded size that may be stored beside the document that met it."""

from __future__ import annotations

import traceback

LONGEST_MESSAGE = 1_000
"""Characters of what the error itself says: it may repeat the document."""

_FRAMES = 15
"""The innermost: that is where it happened."""


def traceback_text(error: BaseException) -> str:
    """The error in one line, and behind it where it happened. The values of variables are not in it."""
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if len(message) > LONGEST_MESSAGE:
        message = f"{message[:LONGEST_MESSAGE]} [...]"
    frames = "".join(traceback.format_tb(error.__traceback__, limit=-_FRAMES))
    return _storable(f"{' '.join(message.split())}\n{frames}".strip())


def _storable(text: str) -> str:
    """Without what Postgres' texts cannot hold."""
    return text.encode(errors="backslashreplace").decode().replace("\0", r"\x00")
