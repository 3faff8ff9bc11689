"""The laws of streams fail when a rule of capture or of publication is broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from lineage_core import statements
from lineage_core.errors import LineageError
from lineage_core.postgres.connection import run_script
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import execute
from lineage_core.streams import checkpointing, columns, parts, publication, published_versions, publisher_file
from lineage_core.streams.store import changes, compacted, heads, stream_files
from lineage_core.streams.store.heads import WrittenPart
from tests.laws import test_streams as laws
from tests.postgres import test_capture as capture_rules
from tests.postgres import test_compact_streams as compaction_rules
from tests.postgres import test_publish_streams as rules
from tests.postgres import test_publisher_file as root_rules
from tests.support.mutants import changed

pytestmark = [pytest.mark.postgres, pytest.mark.long]

Law = Callable[..., None]
_late: Law = compaction_rules.test_what_has_changed_meanwhile_stays


def _every_commit(database: Store, folder: Path) -> None:
    laws.hold(database, folder, Counter())


def _concurrently(database: Store, folder: Path) -> None:
    laws.test_so_it_does_beside_writers_that_get_in_each_others_way(database, folder)


def _every_document(database: Store, _: Path) -> None:
    capture_rules.test_a_document_that_is_written_otherwise_is_another(database)


@dataclass(frozen=True)
class StatementMutant:
    """One change of one statement of `sql/`, and a law that fails then."""

    name: str
    path: str
    old: str
    new: str
    law: Law


STATEMENTS = (
    StatementMutant(
        "a head that was restored is the one that it was",
        "streams/head",
        "xmin::text::bigint AS version",
        "0::bigint AS version",
        root_rules.test_a_dump_of_a_moment_of_the_publication_that_was_killed_counts_as_earlier,
    ),
    StatementMutant(
        "what came and went does not cancel out",
        "streams/records",
        "GROUP BY commit_number, event_time, {columns}",
        "GROUP BY commit_number, event_time, copies, {columns}",
        _every_commit,
    ),
    StatementMutant(
        "transactions are not kept apart",
        "streams/commits",
        "max(change_number) AS number",
        "1 AS number",
        _every_commit,
    ),
    StatementMutant(
        "transactions are in the order of their ids",
        "streams/commits",
        "max(change_number) AS number",
        "change_xid::text::bigint AS number",
        rules.test_a_transaction_that_changes_the_row_of_another_comes_after_it,
    ),
    StatementMutant(
        "transactions are in the order of their first numbers",
        "streams/commits",
        "max(change_number) AS number",
        "min(change_number) AS number",
        rules.test_a_transaction_that_changes_the_row_of_another_comes_after_it,
    ),
    StatementMutant(
        "what is published is published again",
        "streams/commits",
        "WHERE NOT pg_visible_in_snapshot(change_xid, %(published)s::pg_snapshot)",
        "WHERE %(published)s IS NOT NULL",
        _concurrently,
    ),
    StatementMutant(
        "all below the end of the snapshot counts as published",
        "streams/commits",
        "NOT pg_visible_in_snapshot(change_xid, %(published)s::pg_snapshot)",
        "change_xid >= pg_snapshot_xmax(%(published)s::pg_snapshot)",
        rules.test_a_transaction_that_commits_late_is_not_missed,
    ),
    StatementMutant(
        "a correction comes before what it corrects", "streams/records", "{place}", "{place} DESC", _every_commit
    ),
    StatementMutant(
        "contents that were removed are not found",
        "streams/contents",
        "WHERE NOT EXISTS",
        "WHERE false AND NOT EXISTS",
        rules.test_contents_that_are_gone_are_retracted_with_what_they_stated,
    ),
    StatementMutant(
        "contents that came again are found twice",
        "streams/contents",
        "WHERE NOT EXISTS (SELECT FROM {table} AS stored WHERE ({stored_key}) = ({removed_key}))",
        "WHERE ({removed_key}) IS NOT NULL OR EXISTS (SELECT {stored_key} FROM {table} AS stored)",
        rules.test_contents_that_came_again_count_once,
    ),
    StatementMutant(
        "purged mentions keep their facets",
        "streams/images/dataset_facets",
        "WHERE NOT mention.is_purged",
        "WHERE true",
        rules.test_a_purged_mention_has_no_facets,
    ),
    StatementMutant(
        "the head is moved wherever it is",
        "streams/move_head",
        "  AND next_offset = %(start_offset)s\n  AND published::text IS NOT DISTINCT FROM (%(published)s)::text",
        "  AND coalesce(%(start_offset)s::text, %(published)s) IS NOT NULL",
        laws.test_two_publishers_do_not_publish_the_same,
    ),
    StatementMutant(
        "a start waits for no one",
        "streams/is_settled",
        "SELECT\n    pg_snapshot_xmin",
        "SELECT true OR\n    pg_snapshot_xmin",
        rules.test_a_stream_waits_for_those_who_may_have_missed_its_start,
    ),
    StatementMutant(
        "a start waits only for those who have changed something",
        "streams/is_settled",
        "AND backend_xmin IS NOT NULL",
        "AND false",
        rules.test_a_stream_waits_for_those_who_may_have_missed_its_start,
    ),
    StatementMutant(
        "changes of another cluster stay",
        "streams/forget_foreign",
        "WHERE head.stream",
        "WHERE false AND head.stream",
        rules.test_a_stream_that_was_restored_into_another_cluster_begins_again,
    ),
    StatementMutant(
        "a restart forgets what is published",
        "streams/published_images",
        "FROM published_records",
        "FROM published_records WHERE false",
        rules.test_a_stream_that_was_off_begins_again_with_what_has_changed,
    ),
    StatementMutant(
        "a restart goes on as if it had never been off",
        "streams/begin_head",
        "    published = NULL,\n",
        "",
        rules.test_a_stream_that_was_off_begins_again_with_what_has_changed,
    ),
    StatementMutant(
        "changes are forgotten before they are published",
        "streams/forget_changes",
        "OR NOT pg_visible_in_snapshot(changed.change_xid, head.published)",
        "OR false",
        rules.test_what_commits_while_a_publication_is_at_work_is_in_the_next_one,
    ),
    StatementMutant(
        "a file that comes into a stream stays noted as removed",
        "streams/reclaim_files",
        "WHERE path = ANY (%(paths)s)",
        "WHERE false AND path = ANY (%(paths)s)",
        compaction_rules.test_a_file_that_is_taken_for_an_orphan_may_still_come_into_the_stream,
    ),
    StatementMutant(
        "a file that is being deleted comes into a stream",
        "streams/reclaim_files",
        "WHERE deleted_at IS NOT NULL",
        "WHERE false",
        compaction_rules.test_a_file_that_is_taken_for_an_orphan_may_still_come_into_the_stream,
    ),
    StatementMutant(
        "a file that is noted is deleted, also if a stream has it",
        "streams/mark_deleted",
        "AND NOT EXISTS (SELECT FROM stream_parts AS part WHERE part.path = removed.path)",
        "",
        compaction_rules.test_a_file_of_a_stream_is_never_deleted_whatever_is_noted,
    ),
    StatementMutant(
        "nothing has a grace time",
        "streams/mark_deleted",
        "now() - make_interval(secs => %(grace)s)",
        "now() - 0 * make_interval(secs => %(grace)s)",
        compaction_rules.test_a_reader_with_a_list_of_parts_still_finds_them_until_the_grace_time_is_over,
    ),
    StatementMutant(
        "removed files count as orphans",
        "streams/known_files",
        "FROM removed_stream_files\nWHERE",
        "FROM removed_stream_files\nWHERE false AND",
        compaction_rules.test_a_reader_with_a_list_of_parts_still_finds_them_until_the_grace_time_is_over,
    ),
    StatementMutant(
        "a late checkpoint takes the place of another",
        "streams/add_checkpoint",
        "ON CONFLICT (stream) DO NOTHING",
        "ON CONFLICT (stream) DO UPDATE SET path = excluded.path",
        compaction_rules.test_what_has_changed_meanwhile_stays,
    ),
    StatementMutant(
        "streams of another cluster are compacted",
        "streams/published_from",
        "head.system_identifier = here.system_identifier AS is_here",
        "head.system_identifier + here.system_identifier IS NOT NULL AS is_here",
        compaction_rules.test_streams_of_a_database_that_was_restored_elsewhere_stay,
    ),
)


@pytest.mark.parametrize("mutant", STATEMENTS, ids=lambda mutant: mutant.name)
def test_a_law_fails_for_the_statement(
    mutant: StatementMutant, database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = statements.named
    statement = changed(whole(mutant.path), mutant.old, mutant.new, mutant.name, mutant.path)
    monkeypatch.setattr(statements, "named", lambda path: statement if path == mutant.path else whole(path))
    _assert_fails(mutant.law, database, tmp_path, monkeypatch)


@dataclass(frozen=True)
class CaptureMutant:
    """One change of what captures the changes of all tables, and a law that fails then."""

    name: str
    old: str
    new: str
    law: Law


CAPTURE = "model/functions/capture_changes"

CAPTURES = (
    CaptureMutant(
        "the number is drawn by the transaction",
        "(SELECT nextval(''changes.change_numbers''))",
        "pg_current_xact_id()::text::bigint",
        _concurrently,
    ),
    CaptureMutant("an update is its new rows", "SELECT -1 AS copies", "SELECT 0 AS copies", _every_commit),
    CaptureMutant(
        "what is removed is not captured",
        "WHEN 'DELETE' THEN 'old_rows'",
        "WHEN 'DELETE' THEN 'old_rows WHERE false'",
        _every_commit,
    ),
    CaptureMutant(
        "a document that is written otherwise is the same",
        "'::text'",
        "''",
        _every_document,
    ),
)


@pytest.mark.parametrize("mutant", CAPTURES, ids=lambda mutant: mutant.name)
def test_a_law_fails_for_the_capture(
    mutant: CaptureMutant, database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = changed(statements.named(CAPTURE), mutant.old, mutant.new, mutant.name, CAPTURE)
    with database.connect() as connection:
        run_script(connection, broken)
    _assert_fails(mutant.law, database, tmp_path, monkeypatch)


def test_a_law_fails_for_chunks_that_divide_pairs(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "CHUNK_RECORDS", 1)
    _every_commit(database, tmp_path / "small")
    monkeypatch.setattr(changes, "_CORRECT_TO", b"9")
    _assert_fails(_every_commit, database, tmp_path, monkeypatch)


def test_a_law_fails_for_every_key_taken_for_none(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All changes as -R and +A are true of the tables, but no corrections."""
    monkeypatch.setattr(columns, "operation", lambda _key: "CASE WHEN copies < 0 THEN 1 ELSE 0 END")
    _assert_fails(rules.test_the_net_of_a_transaction_counts, database, tmp_path, monkeypatch)


def test_a_law_fails_where_no_one_is_fenced(database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "fence", lambda *_: None)
    _assert_fails(laws.test_two_publishers_do_not_publish_the_same, database, tmp_path, monkeypatch)


@dataclass(frozen=True)
class CompactionMutant:
    """Something else in the place of a function, and a law that fails then."""

    name: str
    place: object
    function: str
    instead: Callable[..., object]
    law: Law


COMPACTIONS = (
    CompactionMutant("no one is fenced", compacted, "fence", lambda *_: None, _late),
    CompactionMutant(
        "notes are not fenced",
        stream_files,
        "fence",
        lambda *_: None,
        _late,
    ),
    CompactionMutant(
        "a swap takes what it finds",
        compacted,
        "execute",
        lambda *given: (execute(*given), 2)[1],
        _late,
    ),
    CompactionMutant(
        "a merged part has the transactions of its last part",
        parts,
        "WrittenPart",
        lambda part, ends: WrittenPart(part, ends[-1:]),
        _every_commit,
    ),
    CompactionMutant(
        "records that are in a checkpoint are applied again",
        checkpointing,
        "_begins",
        lambda _since: 0,
        compaction_rules.test_a_replay_begins_at_the_checkpoint,
    ),
    CompactionMutant(
        "no deletion breaks an order",
        checkpointing,
        "_keeps_order",
        lambda *_: True,
        compaction_rules.test_a_deletion_that_breaks_the_order_is_tagged_and_a_later_run_puts_it_in_order,
    ),
)


@pytest.mark.parametrize("mutant", COMPACTIONS, ids=lambda mutant: mutant.name)
def test_a_law_fails_for_the_compaction(
    mutant: CompactionMutant, database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant.place, mutant.function, mutant.instead)
    _assert_fails(mutant.law, database, tmp_path, monkeypatch)


def _raised(_stream: str, error: Exception) -> None:
    raise error


@dataclass(frozen=True)
class RootMutant:
    """Something else in the place of a function, and a law of roots that fails then."""

    name: str
    place: object
    function: str
    instead: object
    law: Law


ROOTS = (
    RootMutant(
        "any root is read",
        published_versions,
        "refuse_other_root",
        lambda *_: None,
        root_rules.test_another_root_is_refused_before_anything_is_written_or_read,
    ),
    RootMutant(
        "any root with a file of the database is its root",
        publisher_file,
        "_other_root",
        lambda _known, _root, found: None if found else "has no publisher.json",
        root_rules.test_the_root_of_another_publication_of_the_same_database_is_another_root,
    ),
    RootMutant(
        "an older copy of the root is the root",
        publisher_file,
        "_refusal_of_older",
        lambda *_: None,
        root_rules.test_an_older_copy_of_the_root_is_refused_also_for_streams_that_it_has,
    ),
    RootMutant(
        "whatever is noted never moved",
        publisher_file,
        "_never_moved",
        lambda *_: True,
        root_rules.test_a_database_that_was_restored_to_an_earlier_time_gives_no_offset_a_second_time,
    ),
    RootMutant(
        "whatever is noted has moved",
        publisher_file,
        "_never_moved",
        lambda *_: False,
        root_rules.test_a_head_that_did_not_move_after_it_was_noted_moves_in_the_next_publication,
    ),
    RootMutant(
        "a head is noted when all have moved",
        publisher_file.Publication,
        "note",
        lambda *_: None,
        root_rules.test_what_was_published_is_noted_whatever_fails_later,
    ),
    RootMutant(
        "a failure is that of the run",
        publication,
        "failed_stream",
        _raised,
        root_rules.test_one_bad_stream_stops_no_other_one,
    ),
    RootMutant(
        "a stream without files is published",
        publication,
        "refuse_without_files",
        lambda *_: None,
        root_rules.test_a_root_that_was_moved_without_the_files_of_a_stream_is_refused_for_that_stream,
    ),
)


@pytest.mark.parametrize("mutant", ROOTS, ids=lambda mutant: mutant.name)
def test_a_law_fails_for_the_root(
    mutant: RootMutant, database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant.place, mutant.function, mutant.instead)
    _assert_fails(mutant.law, database, tmp_path, monkeypatch)


def _assert_fails(law: Law, database: Store, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises((AssertionError, LineageError, psycopg.Error, pytest.fail.Exception)):
        if "monkeypatch" in law.__code__.co_varnames[: law.__code__.co_argcount]:
            law(database, folder, monkeypatch)
        else:
            law(database, folder)
