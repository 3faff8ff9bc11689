"""The stores of the list as they are now, and what a change of routes would mean for what they hold."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from lineage_core.errors import LineageError, NeedsOperator, WrongUsage
from lineage_core.ingest.spool import Spool
from lineage_core.postgres.addresses import address
from lineage_core.postgres.store import DatabaseIdentity, Store
from lineage_core.settings import reader_dsn_of_store, spool_of_store, stores_file_from_environment
from lineage_core.store_list import ListedStore, StoreList, read_store_list, write_store_list
from lineage_core.stores.store import answer_of, namespaces_with_jobs

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class ListedStoreState:
    """A store of the list. address: host, port and database, nothing secret. problem: why it did not answer, or what is
    wrong; None if nothing is. waiting: events that are not normalized, at least so many if `is_more`; None where it did
    not answer. spooled_since: since when events wait for it on this machine.
    """

    name: str
    is_default: bool
    routes: tuple[str, ...]
    variables: Mapping[str, str]
    address: str | None
    problem: str | None
    waiting: int | None
    is_more: bool
    waiting_since: datetime | None
    spooled_since: datetime | None


def states(listed: StoreList) -> list[ListedStoreState]:
    """All, in the order of the list. One that is away takes seconds, and nothing from the others."""
    seen = dict[DatabaseIdentity, str]()
    return [_state(listed, name, store, seen) for name, store in listed.stores.items()]


def _state(listed: StoreList, name: str, store: ListedStore, seen: dict[DatabaseIdentity, str]) -> ListedStoreState:
    answer, problem = _tried(name, answer_of)
    if answer is not None:
        other = seen.setdefault(answer.database, name)
        problem = None if other == name else f"It is the database of the store {other}: each needs one of its own"
    waiting = answer.waiting if answer else None
    return ListedStoreState(
        name=name,
        is_default=name == listed.default,
        routes=tuple(sorted(route for route, to in listed.routes.items() if to == name)),
        variables=store.variables(),
        address=_address(name),
        problem=problem,
        waiting=waiting.events if waiting else None,
        is_more=bool(waiting and waiting.is_more),
        waiting_since=waiting.since if waiting else None,
        spooled_since=Spool(spool_of_store(name)).oldest(),
    )


def _tried(name: str, ask: Callable[[Store], Answer]) -> tuple[Answer | None, str | None]:
    """The answer of a store, or what is in its way."""
    try:
        return ask(Store(reader_dsn_of_store(name))), None
    except LineageError as error:
        return None, str(error)


def _address(name: str) -> str | None:
    try:
        return str(address(reader_dsn_of_store(name)))
    except LineageError:
        return None


@dataclass(frozen=True)
class MovedNamespace:
    """A namespace that has jobs in a store, and whose later events would go to another."""

    namespace: str
    store: str


def routed(file: Path, patterns: Iterable[str], name: str, *, is_meant: bool) -> StoreList:
    """Writes that namespaces go to a store from now on. is_meant: also those that have jobs in another.

    Raises NeedsOperator where that is not meant, and a store has such jobs, or cannot be asked whether it has.
    """
    with changed(file) as listed:
        later = listed.with_routes(patterns, name)
        if not is_meant and later != listed:
            _refuse_moves(listed, later, [other for other in listed.stores if other != name])
        write_store_list(file, later)
        return later


def _refuse_moves(listed: StoreList, later: StoreList, others: Iterable[str]) -> None:
    """others: the stores but the one that namespaces are to go to."""
    moved, unknown = list[MovedNamespace](), list[str]()
    for name in others:
        namespaces, problem = _tried(name, namespaces_with_jobs)
        if namespaces is None:
            unknown.append(f"{name} ({problem})")
        moved += [
            MovedNamespace(namespace, name)
            for namespace in namespaces or ()
            if listed.store_of(namespace) != later.store_of(namespace)
        ]
    if moved:
        first = ", ".join(f"{one.namespace!r} in {one.store}" for one in moved[:_SHOWN])
        more = f", and {len(moved) - _SHOWN:,} more" if len(moved) > _SHOWN else ""
        raise NeedsOperator(
            f"Nothing was changed, as there are jobs already of {first}{more}. What is stored stays where it is, and"
            " what comes later, also of runs that have begun, would go to the other store. Add --yes if that is meant;"
            " the page on several stores says how to carry a namespace over"
        )
    if unknown:
        raise NeedsOperator(
            f"Nothing was changed, as stores cannot be asked for jobs of these namespaces: {', '.join(unknown)}."
            " Make them reachable, or add --yes"
        )


_SHOWN = 5


def added(file: Path, name: str, store: ListedStore) -> StoreList:
    """Writes a further store into the list, or the first. Raises WrongUsage if its name is taken."""
    with changed(file) as listed:
        later = listed.with_store(name, store)
        write_store_list(file, later)
        return later


def stores_file() -> Path:
    """Raises WrongUsage where no setting names one."""
    file = stores_file_from_environment()
    if file is None:
        raise WrongUsage(
            "LINEAGE_STORES is not set, so there is one store, and no list of them. To have several, let it name the"
            " file of the list, which `lineage store add` makes"
        )
    return file


@contextmanager
def changed(file: Path) -> Iterator[StoreList]:
    """The list as it is, empty where there is no file, while no other command changes it."""
    try:
        descriptor = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise WrongUsage(f"LINEAGE_STORES names {file}, whose folder cannot be opened ({error.strerror})") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield read_store_list(file) if file.exists() else StoreList()
    finally:
        os.close(descriptor)
