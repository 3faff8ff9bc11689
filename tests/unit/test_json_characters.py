"""Characters that Postgres cannot hold are found as escapes, and only there."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.json_limits import check_characters

TEXTS = st.text(st.sampled_from('a\\u0dDe8"\n\x00\ud83d\ude00\udfff'), max_size=8)
DOCUMENTS = st.recursive(
    TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def is_refused(text: bytes) -> bool:
    try:
        check_characters(text)
    except RejectedEvent:
        return True
    return False


def texts(value: Any) -> str:
    """All keys and texts of a document, one behind another."""
    if isinstance(value, dict):
        return "\n".join(key + "\n" + texts(inner) for key, inner in value.items())
    return "\n".join(map(texts, value)) if isinstance(value, list) else str(value)


@given(document=DOCUMENTS)
@example(document="\\u0000")
@example(document="\\\x00")
@example(document="\\\\ud800")
@example(document="\ud83d\\ude00")
def test_a_document_is_refused_if_and_only_if_one_of_its_texts_has_such_a_character(document: Any) -> None:
    written = json.dumps(document).encode()
    read = json.loads(written)
    assert is_refused(written) == bool(re.search("[\x00\ud800-\udfff]", texts(read)))


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (b'{"a": [{"b": "\\u0000"}]}', "$.a[0].b"),
        (b'{"a": {"\\ud800": 1}}', "$.a"),
        (b'{"a": "\\u0000", "a": 1}', "$"),
        (b'["\\u0000"', "$"),
    ],
)
def test_the_place_is_stated_where_it_can_be(text: bytes, path: str) -> None:
    with pytest.raises(RejectedEvent) as caught:
        check_characters(text)
    assert caught.value.path == path
