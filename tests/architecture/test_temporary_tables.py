"""The temporary tables of a merge: each is made before it is used, so that its name never means anything else.

A merge looks into pg_temp first. There a name is found only once its table is made; before, or if its step were left
out, it would mean a table of the same name in public.
"""

from __future__ import annotations

import re
from collections import Counter

from lineage_core import statements
from lineage_core.declare.tables import all_tables
from lineage_core.model.derivations import all_derivations
from lineage_core.normalize.store.merging import merge_steps

MADE = re.compile(r"^CREATE TEMP TABLE (\w+) ON COMMIT DROP AS$", re.MULTILINE)
STEPS = merge_steps()
DECLARED = {f"model/derive/{derivation.name}": derivation.makes for derivation in all_derivations()}


def _statements(step: str) -> str:
    """Without comments."""
    return re.sub(r"--.*", "", statements.named(step))


def _made(step: str) -> list[str]:
    return MADE.findall(_statements(step))


NAMES = [name for step in STEPS for name in _made(step)]


def _early_uses(name: str, steps: list[tuple[str, str]]) -> list[str]:
    """The steps that name a temporary table before it is made."""
    early = []
    for step, text in steps:
        before, made, _ = text.partition(f"CREATE TEMP TABLE {name} ")
        early += [step] if re.search(rf"\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\s+{name}\b", before) else []
        if made:
            return early
    return [*early, "never made"]


def test_every_temporary_table_of_the_merge_is_known_here() -> None:
    everywhere = "".join(_statements(step) for step in STEPS)
    assert len(NAMES) > 40
    assert len(NAMES) == len(re.findall(r"\bTEMP(?:ORARY)?\b", everywhere, re.IGNORECASE))


def test_no_temporary_table_has_the_name_of_another_or_of_a_table() -> None:
    taken = [
        *NAMES,
        *(table.name for table in all_tables()),
        *map(statements.own_name, statements.in_each_room("views")),
    ]
    assert [name for name, number in Counter(taken).items() if number > 1] == []


def test_every_temporary_table_is_made_before_it_is_used() -> None:
    steps = [(step, _statements(step)) for step in STEPS]
    assert {name: early for name in NAMES if (early := _early_uses(name, steps))} == {}


def test_a_use_before_it_is_made_would_be_found() -> None:
    steps = [
        ("first.sql", "DELETE FROM jobs USING moments;"),
        ("second.sql", "CREATE TEMP TABLE moments ON COMMIT DROP AS"),
    ]
    assert _early_uses("moments", steps) == ["first.sql"]
    assert _early_uses("moments", steps[:1]) == ["first.sql", "never made"]


def test_every_table_that_a_file_makes_is_declared_with_it() -> None:
    declared = {step: [made.name for made in tables] for step, tables in DECLARED.items()}
    assert declared == {step: _made(step) for step in DECLARED}


def test_a_merge_looks_for_them_first() -> None:
    assert "SET LOCAL search_path = pg_temp, public;" in statements.named("normalize/merge_settings")


def test_no_statement_of_ours_looks_for_them_last() -> None:
    names = [name for name in statements.all_names() if name.split("/")[1] != "functions"]
    last = re.compile(r"search_path\s*(?:=|TO)\s*public\s*,\s*pg_temp", re.IGNORECASE)
    assert [name for name in names if last.search(statements.named(name))] == []
