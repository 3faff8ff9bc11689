"""What describes datasets to come: a file, or the text that it would have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class GivenDocument:
    """source: a Path is that of a file; a text is the document itself."""

    source: Path | str

    def read(self) -> bytes:
        """Raises OSError if there is no such file, or it cannot be read."""
        return self.source.read_bytes() if isinstance(self.source, Path) else self.source.encode()

    def __str__(self) -> str:
        """As messages call it."""
        return str(self.source) if isinstance(self.source, Path) else "The text"
