"""Which policy of retention counts, and how ages are written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.command_line.options import parse_age, written_age
from lineage_core.errors import WrongUsage
from lineage_core.retention.event_archive import refuse_unfit
from lineage_core.retention.policies import (
    Cutoff,
    Policy,
    cutoffs,
    decided_by_others,
    first_that_fits,
    matches,
)
from lineage_core.retention.tables import PolicyKind

NOW = datetime(2026, 6, 1, tzinfo=UTC)
MONTH = timedelta(days=30)
EVERYWHERE = Policy(PolicyKind.EVERY, "*", MONTH, None)


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("*", "", True),
        ("*", "a\nb", True),
        ("shop", "shop", True),
        ("shop", "shop2", False),
        ("dev-*", "dev-", True),
        ("dev-*", "my-dev-1", False),
        ("*.dev.*", "a.dev.b", True),
        ("s3://*/raw", "s3://b/raw", True),
        ("a.c", "abc", False),
        ("[ab]", "a", False),
    ],
)
def test_a_star_is_any_characters_and_nothing_else_is(pattern: str, name: str, fits: bool) -> None:
    assert matches(pattern, name) is fits


def test_the_first_policy_that_fits_counts() -> None:
    shop = Policy(PolicyKind.RUNS, "shop", None, None)
    assert first_that_fits([shop, EVERYWHERE], PolicyKind.RUNS, "shop") is shop
    assert first_that_fits([shop, EVERYWHERE], PolicyKind.RUNS, "depot") is EVERYWHERE
    assert first_that_fits([shop], PolicyKind.RUNS, "depot") is None


def test_a_policy_of_all_is_not_about_jobs_and_datasets() -> None:
    assert first_that_fits([EVERYWHERE], PolicyKind.ENTITIES, "shop") is None
    assert all(first_that_fits([EVERYWHERE], kind, "shop") for kind in PolicyKind if kind is not PolicyKind.ENTITIES)


def test_where_nothing_goes_there_is_no_cutoff() -> None:
    shop = Policy(PolicyKind.RUNS, "shop", None, 3)
    assert cutoffs([shop, EVERYWHERE], ["shop", "depot"], PolicyKind.RUNS, NOW) == [
        Cutoff(PolicyKind.RUNS, "depot", NOW - MONTH, 0)
    ]


@given(st.integers(1, 24 * 36_500).map(lambda hours: timedelta(hours=hours)))
def test_an_age_is_read_as_it_is_written(age: timedelta) -> None:
    written = written_age(age)
    assert len(written) > 7 or parse_age(written) == age


def test_never_is_no_age() -> None:
    assert parse_age("never") is None
    assert written_age(None) == "never"


@pytest.mark.parametrize("text", ["", "30", "d", "0d", "-1d", "30 d", "1m", "1.5d", "1d1h", "٣d"])
def test_what_is_no_age_is_refused(text: str) -> None:
    with pytest.raises(WrongUsage, match="is no age"):
        parse_age(text)


@pytest.mark.parametrize("kind", [PolicyKind.ENTITIES, PolicyKind.CONTENTS])
def test_there_are_no_last_ones_of(kind: PolicyKind) -> None:
    with pytest.raises(WrongUsage, match="leave out --keep-last"):
        Policy(kind, "*", MONTH, 3)


@pytest.mark.parametrize(
    ("kind", "pattern", "older_than", "keep_last", "why"),
    [
        (PolicyKind.RUNS, "*", timedelta(days=999_999), None, "at most 36500d"),
        (PolicyKind.RUNS, "*", timedelta(0), None, "more than 0"),
        (PolicyKind.RUNS, "*", -MONTH, None, "more than 0"),
        (PolicyKind.RUNS, "*", MONTH, 1 << 31, "is not a number from 0"),
        (PolicyKind.RUNS, "*", MONTH, -1, "is not a number from 0"),
        (PolicyKind.RUNS, " ", MONTH, None, "about some namespaces"),
        (PolicyKind.QUARANTINE, "shop", MONTH, None, "have no namespace"),
        (PolicyKind.CONTENTS, "sh*", MONTH, None, "have no namespace"),
    ],
)
def test_what_no_one_means_is_no_policy(
    kind: PolicyKind, pattern: str, older_than: timedelta, keep_last: int | None, why: str
) -> None:
    with pytest.raises(WrongUsage, match=why):
        Policy(kind, pattern, older_than, keep_last)


def test_a_policy_learns_which_comes_first_wherever_it_fits() -> None:
    runs, some = Policy(PolicyKind.RUNS, "*", MONTH, None), Policy(PolicyKind.VERSIONS, "dev-*", MONTH, None)
    assert decided_by_others([some, runs, EVERYWHERE], EVERYWHERE) == {PolicyKind.RUNS: runs}
    assert decided_by_others([some, runs, EVERYWHERE], runs) == {}
    wider = Policy(PolicyKind.EVERY, "dev-*", MONTH, None)
    assert decided_by_others([some, wider, runs], wider) == {PolicyKind.VERSIONS: some}


@pytest.mark.parametrize(
    "url", ["memory://a", "HTTP://h/a", "https://h/a", "s3://b/a?versionId=1", "s3://b/a#x", "simplecache::s3://b/a"]
)
def test_where_no_archive_can_be_kept_is_refused(url: str) -> None:
    with pytest.raises(WrongUsage, match="Raw events cannot be archived below"):
        refuse_unfit(url)
