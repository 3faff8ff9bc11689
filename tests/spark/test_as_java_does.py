"""Ids, orders and times that Marquez makes in Java, held to the Java of this machine."""

from __future__ import annotations

import shutil
import subprocess
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.identity import (
    CAPITAL_SINCE_UNICODE_14,
    ignoring_case,
    java_uuid,
    run_uuid,
    upper_case,
    utf16_order,
)
from lineage_core.openlineage.instants import java_zoned_text

pytestmark = pytest.mark.spark

ORACLE = Path(__file__).parents[1] / "support" / "Oracle.java"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
ORDER_MATTERS = st.text(st.sampled_from("a\x00\x7fé\ud7ff\ue000\ufffd\uffff\U00010000\U0001f600\U0010ffff"), max_size=4)
NEW_CAPITALS = sorted(CAPITAL_SINCE_UNICODE_14)
CHANGE_THEIR_CASE = st.sampled_from([one for one in map(chr, range(0x110000)) if one != upper_case(one)])
LIKE_RUN_IDS = st.lists(st.text("+0123456789abcdefABCDEFgx ", max_size=18), min_size=4, max_size=6).map("-".join)
MANY = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])

Ask = Callable[..., str]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Asks one Java process: a question, and a text or two."""
    java = shutil.which("java")
    if java is None:
        pytest.skip("this machine has no `java` on its PATH")
    with subprocess.Popen([java, str(ORACLE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        written, read = process.stdin, process.stdout

        def answer(question: str, *texts: str) -> str:
            print(question, *(text.encode().hex() for text in texts), file=written, flush=True)
            return bytes.fromhex(read.readline()).decode()

        yield answer


@MANY
@given(name=TEXTS)
def test_name_uuids(ask: Ask, name: str) -> None:
    assert uuid.UUID(bytes=java_uuid(name)) == uuid.UUID(ask("name_uuid", name))


@MANY
@given(run_id=LIKE_RUN_IDS | TEXTS | st.uuids().map(str))
@example(run_id="1-1-1-1-1")
@example(run_id="+1-+1-+1-+1-+1")
@example(run_id="++1-1-1-1-1")
@example(run_id="1-1-1-1--1")
@example(run_id="123456789-12345-12345-1-1")
@example(run_id="0-0-0-0-7fffffffffffffff")
@example(run_id="0-0-0-0-8000000000000000")
@example(run_id="0000000000000000000000000001-1-1-1-1")
@example(run_id="00000000000000000000000000001-1-1-1-1")
@example(run_id="1-1-1-1-1\n")
def test_run_ids(ask: Ask, run_id: str) -> None:
    assert uuid.UUID(bytes=run_uuid(run_id)) == uuid.UUID(ask("run_uuid", run_id))


@MANY
@given(one=ORDER_MATTERS | TEXTS, other=ORDER_MATTERS | TEXTS)
def test_the_order_of_strings(ask: Ask, one: str, other: str) -> None:
    left, right = utf16_order(one), utf16_order(other)
    assert (left > right) - (left < right) == int(ask("compare", one, other))


@MANY
@given(text=st.text(CHANGE_THEIR_CASE | st.characters(exclude_categories=["Cs"], exclude_characters=NEW_CAPITALS)))
@example(text="bigint stra\xdfe \ufb01 \u0131\u0130\u017f\u212a \u1fb3\u03c2")
def test_capitals(ask: Ask, text: str) -> None:
    """All letters of Unicode 13, whatever the Java and the Python of this machine know besides."""
    assert upper_case(text) == ask("capitals", text)


@MANY
@given(word=st.sampled_from(["spark_unknown", "streaming", "drop", "description"]), letters=st.randoms())
def test_words_of_any_case(ask: Ask, word: str, letters: Random) -> None:
    others = {"i": "I\u0130\u0131", "s": "S\u017f\xdf", "k": "K\u212a", "a": "A\xaa\xe0"}
    text = "".join(letters.choice(one + others.get(one, one.upper())) for one in word)
    assert (ignoring_case(text) == word) == (ask("same_word", text, word) == "true")


@MANY
@given(namespace=TEXTS)
@example(namespace="jdbc:a;b=c d\n😀é")
def test_namespaces(ask: Ask, namespace: str) -> None:
    assert formatted_namespace(namespace) == ask("namespace", namespace)


@MANY
@given(
    moment=st.datetimes(datetime.fromisoformat("0001-01-02"), datetime.fromisoformat("9999-12-30")),
    zone=st.sampled_from(("Z", "+00:00", "+05:30", "-11:00")),
)
def test_zoned_times(ask: Ask, moment: datetime, zone: str) -> None:
    text = moment.isoformat() + zone
    assert java_zoned_text(text, "$") == ask("zoned", text)
