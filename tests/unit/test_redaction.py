"""Redaction reads each character a bounded number of times, whatever a message is made of."""

from __future__ import annotations

import time

import pytest

from lineage_core.postgres.addresses import reason, redacted

CHARACTERS = 100_000
SECONDS = 1.0
"""What is quadratic takes from two seconds to minutes for this; what is not takes some hundredths."""

PIECES = (
    *("a", "password", "apassword", "password=", "password= ", "password='\\", "password=\"'", "password "),
    *("://", "x://a", "x://a:", "x://:", "a.+-", "a://b:@x"),
    *("«", "»", "„", "`", "\n", " \n", 'connection to server at "x" (', "FATAL: ", "invalid "),
)


@pytest.mark.parametrize("piece", PIECES)
def test_the_time_of_redaction_grows_as_the_text(piece: str) -> None:
    text = piece * (CHARACTERS // len(piece))
    began = time.process_time()
    redacted(text)
    reason(text, "postgresql://me@nowhere.invalid:5432/lineage")
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("at 1postgres://me:pw@h/x, again", "at 1postgres://me:…@h/x, again"),
        ("s3://key:se@cret@bucket http://host:80/path", "s3://key:…@bucket http://host:80/path"),
        ("see http://host/a?b=postgres://me:pw@h", "see http://host/a?b=postgres://me:…@h"),
        ("my_password = 'p w' SSLKEY:k", "my_password = … SSLKEY:…"),
        ("p" * 50_000 + "assword=pw", "p" * 50_000 + "assword=…"),
    ],
)
def test_a_secret_is_found_wherever_it_stands_in_unbroken_text(text: str, shown: str) -> None:
    assert redacted(text) == shown


@pytest.mark.parametrize("opening", ["«", "„", "‘", "`"])
def test_what_a_message_quotes_without_an_end_is_not_shown(opening: str) -> None:
    assert "canary" not in reason(f"no such name {opening}canary", "postgresql://me@nowhere.invalid:5432/lineage")
