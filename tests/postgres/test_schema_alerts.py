"""Alerts of schema changes that break a rule: who raised them, what resolves them, and who acknowledges them."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from psycopg.conninfo import make_conninfo

from lineage_core.cli import main
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.operate.whole_store import store_status
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import execute
from lineage_core.reading.schema_history import schema_history
from lineage_core.schema_alerts import SchemaAlert, acknowledge, alerts
from lineage_core.schema_alerts.operation import REFUSED_SCHEMAS
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, named_job, run_event
from tests.support.stores import rows, take_in
from tests.support.verdicts_anew import misjudged

pytestmark = pytest.mark.postgres

NAME = "public.orders"


def described(minutes: int, *columns: str, name: str = NAME) -> Document:
    fields = [(column.partition(":")[0], column.partition(":")[2] or "INT") for column in columns]
    return dataset_event(dataset(name, fields=fields), time=TIME + timedelta(minutes=minutes))


def written(minutes: int, *columns: str) -> Document:
    run = f"0190a0a0-0000-7000-8000-{minutes:012}"
    time = TIME + timedelta(minutes=minutes)
    outputs = [dataset(NAME, fields=[(column, "INT") for column in columns])]
    return run_event("COMPLETE", run_id=run, job=named_job("load"), time=time, outputs=outputs)


def the_alert(store: Store) -> SchemaAlert:
    (alert,) = alerts(store, closed=True)
    return alert


def test_an_alert_says_which_job_changed_what_when(database: Store) -> None:
    take_in(database, [written(1, "a", "b"), written(2, "b"), written(3, "a", "b")])
    alert = the_alert(database)
    assert (alert.dataset_namespace, alert.dataset_name) == ("postgres://shop:5432", NAME)
    assert (alert.job, str(alert.run)) == ("shop/load", "0190a0a0-0000-7000-8000-000000000003")
    assert alert.changed_at == TIME + timedelta(minutes=3)
    assert [(one["path"], one["rule"]) for one in alert.refusals] == [("a", "deleted-before")]
    assert alert.is_open
    assert store_status(database)[REFUSED_SCHEMAS].alerts == 1


def test_a_declared_schema_has_no_job(database: Store) -> None:
    take_in(database, [described(1, "a"), described(2, "a:TEXT")])
    assert (the_alert(database).job, the_alert(database).run) == (None, None)


def test_a_repeat_raises_nothing_again(database: Store) -> None:
    events = [described(1, "a"), described(2, "a:TEXT")]
    take_in(database, events)
    acknowledge(database, [the_alert(database).id], "known")
    before = rows(database, "SELECT * FROM dataset_schema_alerts")
    take_in(database, [*events, described(3, "a:TEXT", "b")])
    assert rows(database, "SELECT * FROM dataset_schema_alerts") == before


def test_an_event_that_comes_late_and_changes_nothing_of_it_leaves_it_acknowledged(database: Store) -> None:
    take_in(database, [described(1, "a"), described(9, "a:TEXT")])
    acknowledge(database, [the_alert(database).id], "known")
    before = the_alert(database)
    take_in(database, [described(4, "a", "c")])
    history = schema_history(database, "postgres://shop:5432", NAME)
    assert [change.path for change in history[-1].judgement.changes] == ["c"]
    assert the_alert(database) == before


def test_a_late_event_that_makes_it_compatible_resolves_it_and_one_that_does_not_raises_it_again(
    database: Store,
) -> None:
    take_in(database, [described(1, "a"), described(9, "a:TEXT", "b")])
    acknowledge(database, [the_alert(database).id])
    take_in(database, [described(4, "a:TEXT")])
    late, first = sorted(alerts(database, closed=True), key=lambda alert: alert.changed_at)
    assert (first.is_open, first.resolution) == (False, "compatible")
    assert (late.is_open, late.changed_at) == (True, TIME + timedelta(minutes=4)), "the change came earlier"
    take_in(database, [described(6, "a")])
    again = alerts(database, closed=True)[0]
    assert (again.id, again.is_open, again.resolved_at) == (first.id, True, None), "though it was acknowledged before"


def test_an_alert_that_was_acknowledged_while_a_merge_raised_it_for_another_reason_is_open(database: Store) -> None:
    take_in(database, [described(1, "a"), described(2, "a:TEXT")])
    with database.connect() as merge:
        merge.execute("UPDATE dataset_schema_verdicts SET refusals = '[]' WHERE verdict = 'refused'")
        acknowledge(database, [the_alert(database).id])
        refused = "SELECT dataset_uuid, event_order FROM dataset_schema_verdicts WHERE verdict = 'refused'"
        ((dataset_uuid, place),) = merge.execute(refused).fetchall()
        execute(merge, "normalize/raise_schema_alerts", {"datasets": [dataset_uuid], "places": [place]})
    assert the_alert(database).is_open


def test_an_acknowledged_alert_is_no_longer_shown(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(database, [written(1, "a"), written(2, "b"), written(3, "a", "b")])
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    shown = command(capsys, "alerts").splitlines()
    assert shown[0] == f"1  2026-01-01T00:03:00+00:00  postgres://shop:5432 {NAME}  by shop/load"
    assert shown[1].startswith("    refused: a: A field was deleted under this name.")
    assert json.loads(command(capsys, "alerts", "--json"))[0]["refusals"][0]["rule"] == "deleted-before"
    assert command(capsys, "acknowledge", "1", "--why", "on purpose") == "1 acknowledged.\n"
    assert command(capsys, "alerts") == ""
    assert command(capsys, "alerts", "--all").splitlines()[-1].endswith(" by lineage: on purpose")
    assert store_status(database)[REFUSED_SCHEMAS].alerts == 0


def command(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["schema", *words])
    captured = capsys.readouterr()
    assert not ended.value.code, captured.err
    return captured.out


def test_an_unknown_alert_is_wrong_usage_and_none_is_acknowledged(database: Store) -> None:
    take_in(database, [described(1, "a"), described(2, "a:TEXT")])
    with pytest.raises(WrongUsage, match="no alert 7"):
        acknowledge(database, [the_alert(database).id, 7])
    assert the_alert(database).is_open


def test_an_operator_may_acknowledge_and_a_reader_may_look(database: Store, postgres_server: Server) -> None:
    take_in(database, [described(1, "a"), described(2, "a:TEXT")])
    postgres_server.ensure_role("steward", "NOSUPERUSER")
    postgres_server.ensure_role("onlooker_of_alerts", "NOSUPERUSER")
    postgres_server.run_sql(
        "GRANT lineage_operator, lineage_reader TO steward; GRANT lineage_reader TO onlooker_of_alerts;"
    )
    onlooker = make_conninfo(database.dsn, user="onlooker_of_alerts")
    (alert,) = alerts(Store(onlooker))
    with pytest.raises(NeedsOperator):
        acknowledge(Store(onlooker), [alert.id])
    acknowledge(Store(make_conninfo(database.dsn, user="steward")), [alert.id])
    assert the_alert(database).acknowledged_by == "steward"


def test_an_alert_of_what_turns_out_to_be_another_datasets_is_resolved(database: Store) -> None:
    def linked(minutes: int, name: str) -> Document:
        alias = {"namespace": "postgres://shop:5432", "name": "alias", "type": "TABLE"}
        facets = {"symlinks": facet(identifiers=[alias])}
        return dataset_event(
            dataset(name, fields=[("a", "INT")], facets=facets), time=TIME + timedelta(minutes=minutes)
        )

    take_in(database, [linked(5, NAME), described(6, "a:TEXT", name="alias"), described(7, "a:TEXT")])
    assert [alert.changed_at - TIME for alert in alerts(database)] == [timedelta(minutes=6)]
    take_in(database, [linked(1, "first")])
    found = {
        (alert.dataset_name, (alert.changed_at - TIME) // timedelta(minutes=1)): alert.resolution
        for alert in alerts(database, closed=True)
    }
    assert found == {(NAME, 6): "moved", (NAME, 7): None, ("first", 6): None}
    assert misjudged(database) == []


def test_a_name_that_turns_out_to_be_another_datasets_takes_its_alerts_along(database: Store) -> None:
    take_in(database, [described(1, "a"), described(2, "a:TEXT", name="alias"), described(3, "a:TEXT")])
    assert len(alerts(database)) == 1
    names = {"symlinks": facet(identifiers=[{"namespace": "postgres://shop:5432", "name": "alias", "type": "TABLE"}])}
    take_in(database, [dataset_event(dataset(NAME, fields=[("a", "INT")], facets=names), time=TIME)])
    found = {alert.changed_at - TIME: (alert.is_open, alert.resolution) for alert in alerts(database, closed=True)}
    assert found == {timedelta(minutes=3): (False, "unchanged"), timedelta(minutes=2): (True, None)}
