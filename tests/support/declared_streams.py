"""Releases that declare a stream otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from lineage_core.declare.streams import all_streams

TAG = """
INSERT INTO tags (uuid, created_at, updated_at, name, description)
VALUES (gen_random_uuid(), now(), now(), %s, %s)
"""


@contextmanager
def tags_without(*columns: str, key: tuple[str, ...] = ("uuid",)) -> Iterator[None]:
    """A release that declares the stream `tags` without these columns, or with another key."""
    changed = tuple(
        replace(stream, key=key, columns=tuple(column for column in stream.columns if column.name not in columns))
        if stream.name == "tags"
        else stream
        for stream in all_streams()
    )
    with pytest.MonkeyPatch.context() as patch:
        for module in ("streams.registry", "streams.store.switches"):
            patch.setattr(f"lineage_core.{module}.all_streams", lambda: changed)
        yield
