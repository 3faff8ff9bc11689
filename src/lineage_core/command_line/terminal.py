"""What may be written to a terminal, and how."""

from __future__ import annotations


def harmless(text: str) -> str:
    """The text with everything but printable characters and line breaks written as escapes."""
    return "".join(
        character if character.isprintable() or character in "\n\t" else character.encode("unicode_escape").decode()
        for character in text
    )


def megabytes(size: int) -> str:
    """Bytes, for people."""
    return f"{size / 1e6:,.1f} MB"


def first_line(text: str) -> str:
    """Of a reason: without where it happened in our own code, which stands behind some reasons."""
    return text.partition("\n")[0]
