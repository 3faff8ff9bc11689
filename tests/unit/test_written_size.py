"""How large Postgres writes a document is known before it is stored; what grows too much is refused with its place."""

from __future__ import annotations

import pytest

from lineage_core.errors import RejectedEvent
from lineage_core.model.arrivals import AcceptedEvent, RefusedDocument, judge
from lineage_core.openlineage.written_size import MOST_ADDED, added_by_exponents, check_written_size, written_size
from lineage_core.testing import facet, run_event, to_json

LONGEST_NUMBER = b"1e131071"


def event_with(*numbers: bytes) -> bytes:
    """A run event that has the numbers in a list."""
    return to_json(run_event(facets={"own": facet(numbers=["@"])})).replace(b'"@"', b",".join(numbers))


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (b"1e131071", 131_072),
        (b"-1E+5", 7),
        (b"123e100", 103),
        (b"1e-16383", 16_385),
        (b"1.50e1", 4),
        (b"100e-2", 4),
        (b"1e0000000000000000000001", 2),
    ],
)
def test_a_number_is_as_long_as_postgres_writes_it(number: bytes, written: int) -> None:
    assert len(number) + added_by_exponents(number) == max(written, len(number))


@pytest.mark.parametrize("before", [b"[", b"[ ", b"[0,", b"[\n", b'{"a":', b'{"a" :\t', b"[-", b"[1", b"[7.25"])
@pytest.mark.parametrize("behind", [b"]", b" ]", b",0]", b"\r\n]", b"}", b"0]"])
def test_an_exponent_is_found_whatever_stands_beside_its_number(before: bytes, behind: bytes) -> None:
    assert added_by_exponents(before + b"1e5000" + behind) >= 4_990
    assert added_by_exponents(before + b"1E+5000" + behind) >= 4_990


def test_what_looks_like_a_number_in_a_text_adds_nothing() -> None:
    assert added_by_exponents(rb'{"a, 1e9999 ": " 1e9999 ", "b": ["\\\" 1e9999,", ": 1e9999,"], "c": 12}') == 0


def test_a_document_that_grows_too_much_is_refused_at_the_number_that_is_one_too_many() -> None:
    refused = judge(event_with(*[LONGEST_NUMBER] * 10_000), "here")
    assert isinstance(refused, RefusedDocument)
    assert refused.path == "$.run.facets.own.numbers[8]"
    assert "1,310,640,000 bytes more when Postgres writes them out; 1,048,576 are allowed" in refused.reason
    assert isinstance(judge(event_with(*[LONGEST_NUMBER] * 8), "here"), AcceptedEvent)


def test_many_short_exponents_count_together() -> None:
    numbers = MOST_ADDED // 100
    assert isinstance(judge(event_with(*[b"1e99"] * numbers), "here"), AcceptedEvent)
    refused = judge(event_with(*[b"1e99"] * (2 * numbers)), "here")
    assert isinstance(refused, RefusedDocument)
    assert refused.path.startswith("$.run.facets.own.numbers[")


def test_a_document_that_grows_beyond_the_longest_by_its_blanks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lineage_core.openlineage.written_size.LONGEST_DOCUMENT", 10_000)
    dense = b"[" + b"1," * 4_000 + b"1]"
    with pytest.raises(RejectedEvent, match="it takes 12,003 bytes when Postgres writes it; 10,000 are allowed"):
        check_written_size(dense)
    check_written_size(b"[" + b"1, " * 3_000 + b"1]")
    check_written_size(b'["' + b",:" * 4_000 + b'"]')


def test_blanks_that_a_document_has_itself_are_not_counted_twice() -> None:
    assert written_size(b'[1,2,{"a":3}]') == written_size(b'[ 1, 2 ,\n\t{"a" : 3}\r\n]') == len('[1, 2, {"a": 3}]')


@pytest.mark.parametrize(
    ("hostile", "added"),
    [
        (b"[%b]" % (b"1" * 5_000_000), 0),
        (b'["%b", 1e5]' % (rb"\"" * 2_000_000), 3),
        (b"[1e%b]" % (b"9" * 5_000_000), 0),
        (b"[1e%b1]" % (b"0" * 5_000_000), 0),
        (b"[0.%be5]" % (b"1" * 5_000_000), 0),
        (b'["%b", 1e5]' % (b" e " * 1_000_000), 3),
        (b"[%b1]" % (b"1e5," * 200_000), 3 * 200_000),
    ],
    ids=["digits", "escapes", "an exponent", "zeros of an exponent", "decimals", "letters", "numbers"],
)
def test_the_work_grows_no_faster_than_the_document(hostile: bytes, added: int) -> None:
    """In its square it would take hours."""
    assert added_by_exponents(hostile) == added
