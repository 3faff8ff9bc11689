"""The members of an answer, to which a page adds its own."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def members_of(answer: DataclassInstance) -> dict[str, Any]:
    """By their names, as the dataclass of a page takes them that is made of the answer's."""
    return {one.name: getattr(answer, one.name) for one in fields(answer)}
