"""Ids: those that Marquez derives, byte for byte, and ours where Marquez draws random ones."""

from __future__ import annotations

import hashlib
import uuid

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.identity import (
    content_digest,
    dataset_uuid,
    field_uuids,
    ignoring_case,
    java_uuid,
    job_uuid,
    joined,
    key_uuid,
    namespace_uuid,
    run_uuid,
    source_uuid,
    upper_case,
    utf16_order,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


def written(id_: bytes) -> str:
    return str(uuid.UUID(bytes=id_))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", "d41d8cd9-8f00-3204-a980-0998ecf8427e"),
        ("a", "0cc175b9-c0f1-36a8-b1c3-99e269772661"),
        ("harvest:ü:😀", "3ab88243-d7df-3fba-b011-f512ea6c2ef3"),
    ],
)
def test_java_uuid_is_md5_with_version_3(name: str, expected: str) -> None:
    assert written(java_uuid(name)) == expected


@given(name=TEXTS)
def test_java_uuid_has_no_namespace_prefix(name: str) -> None:
    digest = java_uuid(name)
    assert (uuid.UUID(bytes=digest).version, uuid.UUID(bytes=digest).variant) == (3, uuid.RFC_4122)
    assert digest != uuid.uuid3(uuid.UUID(int=0), name).bytes


PARTS = st.lists(TEXTS | st.none(), max_size=4)


@given(one=PARTS, other=PARTS)
@example(one=["a", "b"], other=["ab"])
@example(one=["1:a"], other=["a", None])
@example(one=[None], other=["-"])
@example(one=[""], other=[])
@example(one=["a", "0:"], other=["a", "0:", ""])
def test_two_keys_have_one_id_only_if_they_are_one_key(one: list[str | None], other: list[str | None]) -> None:
    assert (key_uuid("jobs", *one) == key_uuid("jobs", *other)) == (one == other)


def test_a_key_of_one_entity_is_none_of_another() -> None:
    ids = [namespace_uuid("a"), source_uuid("a"), dataset_uuid("a", "a"), job_uuid("a", "a")]
    assert len(set(ids)) == len(ids)
    assert {uuid.UUID(bytes=id_).version for id_ in ids} == {8}


def test_a_field_without_type_is_another_than_one_of_an_empty_type() -> None:
    assert field_uuids("n", "d")("f", None) != field_uuids("n", "d")("f", "")


@given(text=st.binary(), other=st.binary())
def test_texts_that_differ_have_different_digests(text: bytes, other: bytes) -> None:
    assert len(content_digest(text)) == 16
    assert (content_digest(text) == content_digest(other)) == (text == other)


@given(id_=st.uuids())
def test_a_run_id_that_is_a_uuid_stays_itself_in_either_case(id_: uuid.UUID) -> None:
    assert run_uuid(str(id_)) == run_uuid(str(id_).upper()) == id_.bytes


@pytest.mark.parametrize(
    ("run_id", "expected"),
    [
        ("1-1-1-1-1", "00000001-0001-0001-0001-000000000001"),
        ("+1-+2-+3-+4-+5", "00000001-0002-0003-0004-000000000005"),
        ("ABC-D-E-F-0", "00000abc-000d-000e-000f-000000000000"),
        ("123456789-12345-12345-12345-123456", "23456789-2345-2345-2345-000000123456"),
        ("0-0-0-0-1234567890abcdef", "00000000-0000-0000-0000-567890abcdef"),
        ("0-0-0-0-7fffffffffffffff", "00000000-0000-0000-0000-ffffffffffff"),
        ("0000000000000000000000000001-1-1-1-1", "00000001-0001-0001-0001-000000000001"),
    ],
)
def test_java_pads_short_groups_and_keeps_the_low_bits_of_long_ones(run_id: str, expected: str) -> None:
    assert written(run_uuid(run_id)) == expected


@pytest.mark.parametrize(
    "run_id",
    [
        "",
        "nightly",
        "1-1-1-1",
        "1-1-1-1-1-1",
        "1-1-1-1-",
        "--1-1-1-1",
        "1-1-1-1-g",
        "1-1-1-1-+",
        "1-1-1-1- 1",
        "0x1-1-1-1-1",
        "1-1-1-1-1\n",
        "0-0-0-0-8000000000000000",
        "00000000000000000000000000001-1-1-1-1",
        "0190a0a0000070008000000000000001",
        "{0190a0a0-0000-7000-8000-000000000001}",
        "urn:uuid:0190a0a0-0000-7000-8000-000000000001",
    ],
)
def test_what_java_takes_for_no_uuid_is_hashed(run_id: str) -> None:
    assert run_uuid(run_id) == java_uuid(run_id)


@given(texts=st.lists(TEXTS, max_size=8))
@example(texts=["\U00010000", "\ue000"])
@example(texts=["a", "", "a\x00"])
def test_java_sorts_by_utf_16_code_units(texts: list[str]) -> None:
    def code_units(text: str) -> list[int]:
        encoded = text.encode("utf-16-be")
        return [int.from_bytes(encoded[place : place + 2]) for place in range(0, len(encoded), 2)]

    assert sorted(texts, key=utf16_order) == sorted(texts, key=code_units)


def test_beyond_the_basic_plane_that_is_not_the_order_of_code_points() -> None:
    assert sorted(["\ue000", "\U00010000"], key=utf16_order) == ["\U00010000", "\ue000"]


def test_the_joiner_skips_nulls_and_keeps_empty_texts() -> None:
    assert joined(["a", None, "", "b"]) == "a::b"
    assert joined([None]) == joined([]) == ""


@pytest.mark.parametrize(
    ("namespace", "stored"),
    [
        ("postgres://shop:5432", "postgres://shop:5432"),
        ("a-b_c.d@e+f/G9", "a-b_c.d@e+f/G9"),
        ("my shop", "my_shop"),
        ("jdbc;x=1", "jdbc_x_1"),
        ("käse", "k_se"),
        ("😀", "_"),
        ("a\nb", "a_b"),
        ("", ""),
    ],
)
def test_a_namespace_keeps_only_safe_characters(namespace: str, stored: str) -> None:
    assert formatted_namespace(namespace) == stored


def test_capitals_are_those_of_unicode_13_on_every_python() -> None:
    """If a new Python knows capitals of more letters, these belong into CAPITAL_SINCE_UNICODE_14."""
    changed = [(one, upper_case(one)) for one in map(chr, range(0x110000)) if upper_case(one) != one]
    assert len(changed) == 1_485
    assert (
        hashlib.sha256("".join(map("".join, changed)).encode()).hexdigest()
        == "81dc5d929dfdf9aca2b0b00e8dabf87b165fceeb9a47349cfffc06f6c81153ff"
    )


@pytest.mark.parametrize(
    ("text", "capitals"),
    [
        ("bigint", "BIGINT"),
        ("stra\xdfe", "STRASSE"),
        ("\ufb01", "FI"),
        ("\u0131", "I"),
        ("\u2c5f\u019b", "\u2c5f\u019b"),
    ],
)
def test_a_text_in_capitals(text: str, capitals: str) -> None:
    assert upper_case(text) == capitals


def test_words_are_compared_as_java_does() -> None:
    assert ignoring_case("\u017fPAR\u212a_Unknown") == "spark_unknown"
    assert ignoring_case("DESCR\u0130PT\u0131ON") == "description"
    assert ignoring_case("stra\xdfe") != "strasse"
