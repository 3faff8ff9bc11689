"""The laws of evolution fail when a rule is broken: mutants of the code, run as a changed copy of the package.

They take long, so `make test-long` runs them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.package_mutants import Mutant, assert_its_law_fails

pytestmark = pytest.mark.long

RULES = "evolution/rules.py"
ARROW = "evolution/arrow.py"
ORDER = "evolution/row_order.py"

LAWS = "tests/laws/test_evolution.py::"
FORBIDDEN = f"{LAWS}TestRefusals::test_a_forbidden_change_is_refused_and_changes_nothing"
PROJECTIONS = f"{LAWS}TestReaders::test_a_projection_of_the_latest_is_never_fenced"
FENCED = f"{LAWS}TestReaders::test_a_reader_is_fenced_if_and_only_if_what_it_reads_was_deleted_or_made_nullable"
PATHS = f"{LAWS}TestData::test_every_path_gives_the_same"
EXACT = f"{LAWS}TestData::test_the_result_is_exactly_of_the_target_and_says_the_same"
COMMUTE = f"{LAWS}TestData::test_migration_and_projection_commute"
NOOP = f"{LAWS}TestData::test_the_latest_schema_changes_nothing"
SORTED = f"{LAWS}TestOrder::test_rows_stay_sorted_as_brute_force_says"
READ = f"{LAWS}TestReaders::test_a_reader_that_is_not_fenced_reads_what_there_is"
JSON = f"{LAWS}TestReaders::test_a_migration_type_survives_json"


FORGOTTEN = "    fields.extend(_deleted(old.fields[taken:], kept))\n"

MUTANTS = (
    Mutant("deleted fields are forgotten", RULES, FORGOTTEN, "", FORBIDDEN),
    Mutant(
        "deleted fields within are forgotten",
        RULES,
        "type=_merged_type(old.fields[place].type, field.type)",
        "type=field.type",
        FORBIDDEN,
    ),
    Mutant("a deleted field may come back", RULES, "    elif old.deleted:\n", "    elif False:\n", FORBIDDEN),
    Mutant(
        "an added field may be not null",
        RULES,
        "    if old is None and not new.nullable:\n",
        "    if False:\n",
        FORBIDDEN,
    ),
    Mutant(
        "what may be null may become not null",
        RULES,
        "    if old.nullable and not new.nullable:\n",
        "    if False:\n",
        FORBIDDEN,
    ),
    Mutant(
        "types may change",
        RULES,
        "case Primitive(), Primitive() if old == new:",
        "case (Primitive(), _) | (_, Primitive()):",
        FORBIDDEN,
    ),
    Mutant(
        "fields may change places",
        RULES,
        "        if places[field.identity] < places[before.identity]:\n",
        "        if False:\n",
        FORBIDDEN,
    ),
    Mutant("keys may lose fields", RULES, "    if not within_key:\n", "    if True:\n", FORBIDDEN),
    Mutant("no field may be deleted", RULES, "    if not within_key:\n", "    if False:\n", PROJECTIONS),
    Mutant(
        "a reader of a column that was made nullable is not fenced",
        RULES,
        "    if old.nullable and not new.nullable:\n",
        "    if False:\n",
        FENCED,
    ),
    Mutant("a reader of a deleted column is not fenced", RULES, "    elif old.deleted:\n", "    elif False:\n", FENCED),
    Mutant(
        "what does not change is reported to have changed",
        RULES,
        "    if new.nullable and not old.nullable:\n",
        "    if new.nullable:\n",
        NOOP,
    ),
    Mutant(
        "a slice of structs begins with its byte", ARROW, "    if array.offset % 8 == 0:\n", "    if True:\n", EXACT
    ),
    Mutant("structs are never null", ARROW, "[_mask(array)], children, 0", "[None], children, 0", EXACT),
    Mutant(
        "a slice of lists begins at the first", ARROW, "buffers, [values], array.offset", "buffers, [values], 0", EXACT
    ),
    Mutant("a slice of maps begins at the first", ARROW, "[:2], [entries], array.offset", "[:2], [entries], 0", EXACT),
    Mutant(
        "what is inside a list stays as it was",
        ARROW,
        "_migrated(array.values, source.element.type, target.element.type)",
        "array.values",
        EXACT,
    ),
    Mutant(
        "fields are known by their places",
        ARROW,
        "            children.append(_migrated(array.field(place), source.fields[place].type, field.type))\n",
        "            place = target.fields.index(field) % len(places)\n"
        "            children.append(_migrated(array.field(place), source.fields[place].type, field.type))\n",
        COMMUTE,
    ),
    Mutant(
        "a reader gets nulls in place of a column", ARROW, "        if place is None:\n", "        if True:\n", READ
    ),
    Mutant(
        "a gap in what is compared moves no row",
        ORDER,
        "        if stays and is_gone:\n",
        "        if False:\n",
        SORTED,
    ),
    Mutant(
        "every deletion moves rows",
        ORDER,
        "        if stays and is_gone:\n",
        "        if is_gone or not stays:\n",
        SORTED,
    ),
    Mutant(
        "a struct that is null sorts as one that is not",
        ORDER,
        "        if field.nullable:\n",
        "        if False:\n",
        SORTED,
    ),
    Mutant(
        "what is deleted within a list moves no row",
        ORDER,
        "    return not any(_loses_within(field, target) for field in _key_columns(sorted_as, key))\n",
        "    return True\n",
        SORTED,
    ),
    Mutant(
        "that a field is deleted is not stored",
        "evolution/migration_type.py",
        "msgspec.json.decode(msgspec.json.encode(self.struct))",
        "msgspec.json.decode(msgspec.json.encode(live(self.struct)))",
        JSON,
    ),
    Mutant(
        "what is read is not what the version had",
        ARROW,
        "    for why in strangeness(history, source):\n",
        "    for why in ():\n",
        "tests/unit/test_schema_evolution.py::TestReaders",
    ),
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_law_fails(mutant: Mutant, tmp_path: Path) -> None:
    assert_its_law_fails(mutant, tmp_path)
