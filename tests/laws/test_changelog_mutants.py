"""The tests of changelog streams fail when a rule is broken: mutants of the code, run as a changed copy of the package.

They take long, so `make test-long` runs them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.package_mutants import Mutant, assert_its_law_fails

pytestmark = pytest.mark.long

MERGES = (
    "tests/unit/test_merge_strategies.py tests/laws/test_changelog_streams.py tests/golden/test_changelog_streams.py"
)
REPLAY = "tests/unit/test_stream_replay.py tests/laws/test_changelog_streams.py"
FORMS = "tests/unit/test_stream_forms.py tests/golden/test_changelog_streams.py tests/laws/test_changelog_streams.py"
PARTS = "tests/unit/test_stream_parts.py tests/unit/test_stream_folder.py"
FOLDER = "tests/unit/test_published_folder.py tests/laws/test_stream_folders.py"
ENGINES = "tests/spark/test_engines_agree.py tests/spark/test_changelog_on_spark.py"

MUTANTS = (
    Mutant(
        "minus zero is another number", "changelog/values.py", "pc.add(array.cast(pa.float64()), 0.0)", "array", MERGES
    ),
    Mutant(
        "NaN is not itself",
        "changelog/values.py",
        'pc.if_else(pc.is_nan(numbers), float("nan"), numbers)',
        "numbers",
        MERGES,
    ),
    Mutant(
        "an empty list is none",
        "changelog/values.py",
        "pc.if_else(array.is_valid(), made,",
        "pc.if_else(True, made,",
        MERGES,
    ),
    Mutant(
        "a struct of NULL is NULL",
        "changelog/values.py",
        "[array.is_valid(), *array.flatten()]",
        "[*array.flatten()]",
        MERGES,
    ),
    Mutant(
        "the first of an upsert counts",
        "changelog/strategies.py",
        "zip(operations, rows.of_batch, strict=True)}\n        for key",
        "reversed([*zip(operations, rows.of_batch, strict=True)])}\n        for key",
        MERGES,
    ),
    Mutant(
        "what is gone of a snapshot stays",
        "changelog/strategies.py",
        "        yield from ((Operation.RETRACT, old) for old in live.values())\n",
        "",
        MERGES,
    ),
    Mutant("a ledger corrects", "changelog/strategies.py", "if rows.keys[row] not in known)", "if True)", MERGES),
    Mutant(
        "what is the same is corrected",
        "changelog/strategies.py",
        "    elif rows.is_changed(old, new):\n",
        "    else:\n",
        MERGES,
    ),
    Mutant(
        "a key may be there twice",
        "changelog/strategies.py",
        "        if rows.keys[row] in seen:\n",
        "        if False:\n",
        MERGES,
    ),
    Mutant(
        "an append comes before a retraction",
        "changelog/strategies.py",
        "pc.equal(column, int(Operation.APPEND))",
        "pc.not_equal(column, int(Operation.APPEND))",
        MERGES,
    ),
    Mutant("no event time is a change", "changelog/rows.py", " and not self._without_event_time[new]", "", MERGES),
    Mutant(
        "a key may be NULL",
        "changelog/rows.py",
        "            if column.null_count:\n",
        "            if False:\n",
        MERGES,
    ),
    Mutant("a float may be a key", "changelog/rows.py", " or pa.types.is_floating(column.type):", ":", MERGES),
    Mutant(
        "a gap is no fault", "changelog/replay.py", "        if offset != before + 1:\n", "        if False:\n", REPLAY
    ),
    Mutant(
        "what is retracted may have other values",
        "changelog/replay.py",
        "if self._rows.whole[found[0]] != self._rows.whole[row]:",
        "if False:",
        REPLAY,
    ),
    Mutant(
        "a key is appended twice",
        "changelog/replay.py",
        "if self._primary_key and key in self._by_key:",
        "if False:",
        REPLAY,
    ),
    Mutant(
        "a correction moves a row to the end",
        "changelog/replay.py",
        "self._add(new, self.retract(old, offset))",
        "self.retract(old, offset)\n        self._add(new)",
        REPLAY,
    ),
    Mutant(
        "time may go back",
        "changelog/replay.py",
        "            if wrong >= 0:\n                raise BrokenStream(",
        "            if False:\n                raise BrokenStream(",
        REPLAY,
    ),
    Mutant(
        "a pair may be torn",
        "changelog/operations.py",
        '    if begun is not None:\n        raise _torn(begun, "the records',
        '    if False:\n        raise _torn(begun, "the records',
        REPLAY,
    ),
    Mutant(
        "other records may stand within a pair",
        "changelog/operations.py",
        "offset != begun.offset + 1:",
        "False:",
        REPLAY,
    ),
    Mutant(
        "old values of a key are read",
        "changelog/forms.py",
        "        if of in primary_key:\n",
        "        if False:\n",
        FORMS,
    ),
    Mutant("a correction may lack old values", "changelog/forms.py", "    if lost:\n", "    if False:\n", FORMS),
    Mutant(
        "a correction may move a key",
        "changelog/forms.py",
        "rows.keys[old] != rows.keys[new]:",
        "False:",
        FORMS,
    ),
    Mutant(
        "a retraction does not wait for its append",
        "changelog/forms.py",
        "        place = waiting.pop(key, None)\n",
        "        place = None\n",
        FORMS,
    ),
    Mutant(
        "a part is not looked at",
        "changelog/stream_folder.py",
        "            schemas = self._fitting(schemas, part)\n",
        "            pass\n",
        PARTS,
    ),
    Mutant(
        "a file of another size is a part",
        "changelog/parts.py",
        "                if size != part.bytes:\n",
        "                if False:\n",
        PARTS,
    ),
    Mutant(
        "a part with other bytes is read",
        "changelog/parts.py",
        "    if hashlib.sha256(data).hexdigest() != physical_hash:\n",
        "    if False:\n",
        "tests/unit/test_stream_parts.py tests/unit/test_published_folder.py",
    ),
    Mutant(
        "a state begins at the checkpoint, whatever was asked",
        "changelog/stream_folder.py",
        "head.checkpoint.next_offset <= end:",
        "True:",
        FOLDER,
    ),
    Mutant(
        "files that the stream has are deleted",
        "changelog/stream_folder.py",
        "there - _files_of(head) - ",
        "there - ",
        FOLDER,
    ),
    Mutant(
        "parts that others have merged are merged again",
        "changelog/stream_folder.py",
        "tuple(one for one in merged if there.issuperset(one.names))",
        "merged",
        FOLDER,
    ),
    Mutant(
        "on Spark a gap is no fault",
        "spark/whole_streams.py",
        "            _refuse_gaps(pairs)\n",
        "            pass\n",
        ENGINES,
    ),
    Mutant(
        "on Spark a pair may be torn",
        "spark/whole_streams.py",
        "pairs.where(~is_whole)",
        'pairs.where("false")',
        ENGINES,
    ),
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_test_fails(mutant: Mutant, tmp_path: Path) -> None:
    assert_its_law_fails(mutant, tmp_path)
