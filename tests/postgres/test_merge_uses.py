"""Each step of a merge uses what its declaration says, and nothing else: by what Postgres finds it to need."""

from __future__ import annotations

import re

import pytest

from lineage_core import statements
from lineage_core.declare.database_names import STAGING
from lineage_core.declare.tables import all_tables
from lineage_core.declare.views import all_views
from lineage_core.model.derivations import all_derivations, identities
from lineage_core.model.merge_order import MergeStep, merge_order
from lineage_core.normalize.store import merging
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, run_event
from tests.support.merge_uses import Uses, observed
from tests.support.stores import take_in

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping]

ORDER = merge_order(all_tables(), all_derivations())
APART = {name for step in ORDER for name in step.changes if re.fullmatch(r"\w+\.\w+", name)}
"""Columns that some step writes alone. Who reads one has to say so."""

CHANGED = "model/derive/run_facets_kept_once"

EVENTS = [run_event("COMPLETE", inputs=[dataset("orders", fields=[("id", "INT")])], outputs=[dataset("sums")])]


@pytest.fixture(autouse=True)
def _server_lists_rights(pytestconfig: pytest.Config) -> None:
    if pytestconfig.getoption("--postgres") < 16:
        pytest.skip("PostgreSQL 15 does not list the rights of a statement; what is asked is the same on every server")


def test_each_step_uses_what_it_declares(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _all_differences(database, monkeypatch) == {}


def test_what_a_file_does_beside_its_declaration_is_found(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    _change(monkeypatch, "UPDATE jobs SET current_version_uuid = NULL WHERE false; DELETE FROM tags WHERE false;")
    assert _all_differences(database, monkeypatch) == {
        CHANGED: {
            "removes": {"tags"},
            "writes": {"jobs.current_version_uuid"},
            "uses": {"tags", "jobs.current_version_uuid"},
        }
    }


def test_what_a_file_does_not_do_though_it_declares_it_is_found(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    _change(monkeypatch, None)
    found = _all_differences(database, monkeypatch)
    kept, staged = "run_facets_kept_once", "staging.run_facets_kept_once"
    assert found == {
        CHANGED: {
            "makes": {"doubtful_facets"},
            "writes": {kept},
            "removes": {"facets"},
            "uses": {kept, "facets", staged},
        }
    }


def _change(patch: pytest.MonkeyPatch, more: str | None) -> None:
    """Let one step do more than its file says, or nothing."""
    whole = statements.named

    def changed(name: str) -> str:
        if name != CHANGED:
            return whole(name)
        return "SELECT 1;" if more is None else whole(name) + more

    patch.setattr(statements, "named", changed)
    patch.setattr(merging, "_script", merging._script.__wrapped__)  # which remembers the scripts of other tests


def _all_differences(store: Store, patch: pytest.MonkeyPatch) -> dict[str, dict[str, set[str]]]:
    """What each step of the merge of a slice uses otherwise than it declares, whether it takes in rows or not."""
    patch.setattr(merging, "is_idle", lambda _step, _staged: False)
    with observed(patch) as found:
        take_in(store, EVENTS)
    by_step = {step.path: _differences(step, found[_script(step)]) for step in ORDER}
    return {path: differences for path, differences in by_step.items() if differences}


def _script(step: MergeStep) -> str:
    return merging._script(step.path, STAGING).as_string()


def _differences(step: MergeStep, uses: Uses) -> dict[str, set[str]]:
    """What the step uses without saying so, and what it says and does not use, by kind."""
    script = _script(step)
    found = {
        "makes": uses.made,
        "removes": uses.removed - uses.made | _within_functions(script, "removes"),
        "writes": _written(uses) - uses.made | _within_functions(script, "writes"),
        "uses": _behind_views(_used(uses) - uses.made - {"identity_map"})
        | _identities(script)
        | _within_functions(script, "uses"),
    }
    declared = {
        "makes": step.makes,
        "removes": set(map(_without_entity, step.removes)),
        "writes": set(map(_without_entity, step.writes)),
        "uses": step.uses,
    }
    return {kind: set(found[kind] ^ names) for kind, names in declared.items() if found[kind] != names}


WITHIN_FUNCTIONS = {
    "take_in_fields": {
        "removes": {"schema_fields_to_move"},
        "writes": {"dataset_schema_versions"},
        "uses": {"dataset_schema_versions", "schema_fields_to_move"},
    },
    "take_in_pairs": {
        "removes": {"column_pairs_to_move"},
        "writes": {"column_lineage_lists"},
        "uses": {"column_lineage_versions", "column_pairs_to_move", "dataset_fields"},
    },
    "foreign_fields": {
        "uses": {"dataset_fields", "dataset_schema_versions", "dataset_versions", "schema_fields_to_move"}
    },
}
"""What functions do that change or read tables. A session parses their bodies once, or not where no row comes to it."""


def _within_functions(script: str, kind: str) -> set[str]:
    called = (does for function, does in WITHIN_FUNCTIONS.items() if f"{function}(" in script)
    return set().union(*(does.get(kind, set()) for does in called))


def _behind_views(names: set[str]) -> set[str]:
    """The names, and in place of a view what it declares to read. Of a view some column is used, if not the whole."""
    views = {view.name: set(view.reads) for view in all_views()}
    return set().union(*(views.get(name.partition(".")[0], {name}) for name in names))


def _identities(script: str) -> set[str]:
    """Whose rows of identity_map it uses: the entity is a constant in its text."""
    text = re.sub(r"--.*", "", script)
    entities = re.findall(r"(?:\bentity = |INTO identity_map \(.*\)\nSELECT (?:DISTINCT )?)'(\w+)'", text)
    return set(map(identities, entities))


def _without_entity(name: str) -> str:
    return name.partition(" of ")[0]


def _written(uses: Uses) -> set[str]:
    columns = {f"{table}.{column}" for table, updated in uses.updated.items() for column in updated}
    return uses.inserted | (columns & APART) | {name.partition(".")[0] for name in columns - APART}


def _used(uses: Uses) -> set[str]:
    columns = {f"{table}.{column}" for table, read in uses.read.items() for column in read}
    return set(uses.read) | (columns & APART) | _written(uses) | uses.removed
