"""Which policy of retention counts, and how ages are written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.errors import WrongUsage
from lineage_core.model.tables.retention_policies import PolicyKind
from lineage_core.retention.policies import Cutoff, Policy, cutoffs, first_that_fits, matches, parse_age, written_age

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


@given(st.integers(1, 24 * 999_999).map(lambda hours: timedelta(hours=hours)))
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
