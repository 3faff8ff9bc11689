"""Letting a long migration wait, go on, or end."""

from __future__ import annotations

from lineage_core.capability import counted
from lineage_core.long_migrations.decisions.states import check_command, is_so_already
from lineage_core.long_migrations.declared import long_migration
from lineage_core.long_migrations.store import records
from lineage_core.long_migrations.tables import State
from lineage_core.pages.acting import ActQuestion, Fields, PageActs, one_of, required
from lineage_core.postgres.store import Store

COMMANDS = {"pause": records.pause, "resume": records.resume, "cancel": records.stop_work}


def ask(store: Store, sent: Fields) -> ActQuestion:
    """Raises NeedsOperator where the command means nothing in the state that the migration has."""
    command, name = one_of(sent, tuple(COMMANDS)), required(sent, "name", "The migration")
    found = records.status(store, name)
    state = State(found.state)
    if not is_so_already(command, state):
        check_command(command, name, state)
    left, those = found.total - found.done, _at_work(found.workers)
    sentences = [f"{name} is {found.state}: {found.done:,} of {counted(found.total, 'row')} are done."]
    if command == "pause":
        sentences.append(f"{those} will wait, each after its transaction. What is done stays done.")
    elif command == "resume":
        sentences.append(f"{those} will continue; {counted(left, 'row')} of it are left.")
    else:
        sentences.append(
            f"{those} will end, each after its transaction. What is done stays done; {counted(left, 'row')}"
            " will not be worked on. To go on later, it has to be planned again, which begins at the first row."
        )
        if long_migration(name).costly:
            sentences.append(
                f"Afterwards `lineage migration cancel {name}` builds the indexes again that were set aside, and"
                " removes what nothing refers to. That takes longer than a page may, and the owner of the store."
            )
    title = f"{command.capitalize()} the migration {name}"
    return ActQuestion(title, f"{command.capitalize()} it", sentences, {"do": command, "name": name})


def _at_work(workers: int) -> str:
    """Those that are there; more may come."""
    return f"Its {counted(workers, 'worker')}" if workers else "It has no worker now; those that come"


def do(store: Store, sent: Fields) -> None:
    COMMANDS[one_of(sent, tuple(COMMANDS))](store, required(sent, "name", "The migration"))


ACTS = PageActs("migrations", "migration ", ask, do)
