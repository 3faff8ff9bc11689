"""The one reader of the environment. Entry points call `Settings.from_environment`; all else receives values."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from lineage_core.errors import WrongUsage
from lineage_core.store_list import ListedStore, StoreList, read_store_list

_PACKAGE = Path(__file__).resolve().parent
_IS_INSTALLED = (_PACKAGE / "sql").is_dir()
"""A wheel has within the package what a checkout has at its top."""

PROJECT = _PACKAGE if _IS_INSTALLED else _PACKAGE.parents[1]
"""The folder that has `sql/`, `dags/`, `spark_jobs/` and `plugins/`: the checkout's top, or an installed package."""

OPERATOR_DSN = "LINEAGE_OPERATOR_DSN"
"""Pages that only look name it to who asks them to act."""

_HOME = ".lineage"
_SPOOL = "spool"
_STREAMS = "streams"


def checkout() -> Path:
    """The top of the checkout. Raises WrongUsage in an installation, which has none."""
    if _IS_INSTALLED:
        raise WrongUsage(f"This takes a checkout, and {_PACKAGE} is an installation: run it in a checkout")
    return PROJECT


class Dsn(str):
    """A libpq DSN that knows which setting it comes from, so that an error can name it.

    A message shows it by `lineage_core.postgres.addresses`, which leaves out all that may be secret.
    """

    setting: str

    def __new__(cls, text: str, setting: str = "the DSN") -> Self:
        dsn = super().__new__(cls, text)
        dsn.setting = setting
        return dsn

    def __repr__(self) -> str:
        return f"<the DSN of {self.setting}>"


@dataclass(frozen=True, kw_only=True)
class ProjectSettings:
    """The settings of a process, from its environment."""

    dsn: str | None = field(repr=False)
    """libpq URI of the database, from `LINEAGE_DSN`; None means the embedded Postgres below `home`."""
    ingest_dsn: str | None = field(repr=False)
    """The same database by the login that only adds events, from `LINEAGE_INGEST_DSN`; `dsn` otherwise."""
    reader_dsn: str | None = field(default=None, repr=False)
    """The same database by a login that only reads, from `LINEAGE_READER_DSN`; None where that is not set."""
    operator_dsn: str | None = field(default=None, repr=False)
    """The same database by a login with `lineage_operator`, from `LINEAGE_OPERATOR_DSN`; None: pages only look."""
    home: Path
    """Folder of everything that this machine keeps, from `LINEAGE_HOME`. Otherwise `.lineage` in the checkout;
    for an installation, in the user's home."""
    stated_spool: Path | None = None
    """Folder of events that the store has not taken yet, from `LINEAGE_SPOOL`; see `spool`."""

    stated_streams_url: str | None = field(default=None, repr=False)
    """Where changelog streams are kept, from `LINEAGE_STREAMS_URL`; see `streams_url`."""
    store: str | None = None
    """The name of the store in the list of `LINEAGE_STORES`; None where that is not set."""

    @property
    def streams_url(self) -> str:
        """The path or URL that `LINEAGE_STREAMS_URL` names, one that fsspec knows; `streams` below `home` otherwise."""
        return self.stated_streams_url or str(self.home / _STREAMS)

    @property
    def spool(self) -> Path:
        """The folder that `LINEAGE_SPOOL` names, `spool` below `home` otherwise; of a listed store, its own in that."""
        return _spool_of(self.stated_spool or self.home / _SPOOL, self.store)

    @classmethod
    def from_environment(cls) -> ProjectSettings:
        """Of the store that `LINEAGE_STORE` names, of the default store without it, or of the only one without a list.

        Raises WrongUsage if a setting is there but empty, or if events would go elsewhere than all else looks.
        """
        name = chosen_store_from_environment()
        return cls._of_the_only_store() if name is None else cls.of_store(name)

    @classmethod
    def of_store(cls, name: str) -> ProjectSettings:
        """Of a store of the list. Raises WrongUsage likewise, and if a variable that the list names is not set."""
        listed = _listed(name)
        return cls(
            dsn=_dsn_of(name, listed.dsn_variable),
            ingest_dsn=_dsn_of(name, listed.ingest_dsn_variable or listed.dsn_variable),
            reader_dsn=_dsn_of(name, listed.reader_dsn_variable) if listed.reader_dsn_variable else None,
            operator_dsn=_dsn_of(name, listed.operator_dsn_variable) if listed.operator_dsn_variable else None,
            home=_home(),
            stated_spool=_stated_spool(),
            stated_streams_url=_streams_url_of(name),
            store=name,
        )

    @classmethod
    def _of_the_only_store(cls) -> ProjectSettings:
        return cls(
            dsn=_dsn("LINEAGE_DSN", os.environ.get("LINEAGE_DSN"), "to work on the embedded Postgres"),
            ingest_dsn=ingest_dsn_from_environment(),
            reader_dsn=reader_dsn_from_environment(),
            operator_dsn=operator_dsn_from_environment(),
            home=_home(),
            stated_spool=_stated_spool(),
            stated_streams_url=_stated_streams_url(),
        )


def ingest_dsn_from_environment() -> Dsn | None:
    """For whom no other setting matters, as for the transport. Raises WrongUsage as all settings do."""
    name = chosen_store_from_environment()
    if name is not None:
        return ingest_dsn_of_store(name)
    dsn = _dsn("LINEAGE_DSN", os.environ.get("LINEAGE_DSN"), "to work on the embedded Postgres")
    ingest_dsn = _dsn("LINEAGE_INGEST_DSN", os.environ.get("LINEAGE_INGEST_DSN"), "to ingest by LINEAGE_DSN")
    if dsn is None and ingest_dsn is not None:
        raise WrongUsage(
            "LINEAGE_INGEST_DSN is set, but LINEAGE_DSN is not: events would go to the one database, and all other"
            " commands would work on the embedded one. Set LINEAGE_DSN, too; where events are only added, to the same"
            " value"
        )
    return ingest_dsn or dsn


def ingest_dsn_of_store(name: str) -> Dsn:
    """Of a store of the list, for whom no other setting matters. Raises WrongUsage as all settings do."""
    listed = _listed(name)
    return _dsn_of(name, listed.ingest_dsn_variable or listed.dsn_variable)


def reader_dsn_of_store(name: str) -> Dsn:
    """Likewise, for who only reads."""
    listed = _listed(name)
    return _dsn_of(name, listed.reader_dsn_variable or listed.dsn_variable)


def reader_dsn_from_environment() -> Dsn | None:
    """For whom no other setting matters, as for the pages. Raises WrongUsage as all settings do."""
    name = chosen_store_from_environment()
    if name is not None:
        listed = _listed(name)
        return _dsn_of(name, listed.reader_dsn_variable) if listed.reader_dsn_variable else None
    return _dsn("LINEAGE_READER_DSN", os.environ.get("LINEAGE_READER_DSN"), "to read by LINEAGE_DSN")


def operator_dsn_from_environment() -> Dsn | None:
    """Likewise: the login by which pages act. Raises WrongUsage as all settings do."""
    name = chosen_store_from_environment()
    if name is not None:
        listed = _listed(name)
        return _dsn_of(name, listed.operator_dsn_variable) if listed.operator_dsn_variable else None
    return _dsn(OPERATOR_DSN, os.environ.get(OPERATOR_DSN), "to let the pages only look")


def stores_file_from_environment() -> Path | None:
    """The file that lists the stores; None where there is one store, and no list."""
    file = _stated("LINEAGE_STORES", os.environ.get("LINEAGE_STORES"), "to have one store")
    return None if file is None else Path(file).absolute()


def store_list_from_environment() -> StoreList | None:
    """Likewise what it says. Raises WrongUsage if that cannot be read."""
    file = stores_file_from_environment()
    return None if file is None else read_store_list(file)


def store_list_to_route_by() -> StoreList | None:
    """The list for what takes events in. Raises WrongUsage where a store is named: the routes say where events go."""
    listed, name = store_list_from_environment(), chosen_store_from_environment()
    if listed is not None and stated_store_from_environment() is not None:
        raise WrongUsage(
            f"Events are routed to the stores of the list, and not to the one that is named, {name}: leave out --store"
            " and LINEAGE_STORE. `lineage store route` changes where a namespace goes"
        )
    return listed


def chosen_store_from_environment() -> str | None:
    """The name of the store to work on: that of `LINEAGE_STORE`, or else the default store; None without a list."""
    name = stated_store_from_environment()
    listed = store_list_from_environment()
    if listed is not None:
        return name or listed.default
    if name is not None:
        raise WrongUsage(
            "A store is named by --store or LINEAGE_STORE, but LINEAGE_STORES names no list of stores: set it, too"
        )
    return None


def stated_store_from_environment() -> str | None:
    """The name in `LINEAGE_STORE`; None where a command was given no store."""
    return _stated("LINEAGE_STORE", os.environ.get("LINEAGE_STORE"), "to work on the default store")


@contextmanager
def with_store(name: str) -> Iterator[None]:
    """Lets this process, and those that it starts, work on a store of the list until the block ends."""
    before = os.environ.get("LINEAGE_STORE")
    os.environ["LINEAGE_STORE"] = name
    try:
        yield
    finally:
        if before is None:
            del os.environ["LINEAGE_STORE"]
        else:
            os.environ["LINEAGE_STORE"] = before


def _listed(name: str) -> ListedStore:
    listed = store_list_from_environment()
    if listed is None:
        raise WrongUsage("LINEAGE_STORES is not set, so that there is no list of stores")
    return listed.named(name)


def _dsn_of(store: str, variable: str) -> Dsn:
    return Dsn(_set_for(store, variable), variable)


def _set_for(store: str, variable: str) -> str:
    value = os.environ.get(variable)
    if value is None or not value.strip():
        fault = "is not set" if value is None else "is empty"
        raise WrongUsage(f"The list of stores says that {variable} leads to the store {store}, but {variable} {fault}")
    return value


def home_from_environment() -> Path:
    """For whom no store matters, as for who reads DAG files."""
    return _home()


def streams_url_from_environment() -> str:
    """Likewise, for whom no login of the store matters: where the changelog streams are of the store to work on."""
    name = chosen_store_from_environment()
    return (_stated_streams_url() if name is None else _streams_url_of(name)) or str(_home() / _STREAMS)


def _streams_url_of(name: str) -> str | None:
    variable = _listed(name).streams_url_variable
    return _set_for(name, variable) if variable else _stated_streams_url()


def spool_from_environment() -> Path:
    """Where events wait, in a folder of its own for each store of a list. What is wrong with a database must not keep
    events from being kept."""
    return _stated_spool() or _home() / _SPOOL


def spool_of_store(name: str) -> Path:
    """Likewise of a store of the list."""
    return _spool_of(spool_from_environment(), name)


def _spool_of(folder: Path, store: str | None) -> Path:
    return folder if store is None else folder / store


OPENLINEAGE_API_KEY, OPENLINEAGE_DISABLED = "OPENLINEAGE_API_KEY", "OPENLINEAGE_DISABLED"
"""Settings of OpenLineage's client, which one command asks for."""


def receiver_key_from_environment() -> str | None:
    """The key for a receiver that events are sent on to, from the variable that OpenLineage's client has for it.

    Raises WrongUsage where all events of the client are switched off, as none would be sent, or if the key is empty.
    """
    if os.environ.get(OPENLINEAGE_DISABLED, "").strip().lower() == "true":
        raise WrongUsage(
            "OPENLINEAGE_DISABLED is set, so that OpenLineage's client sends nothing. Unset it for this command"
        )
    return _stated(OPENLINEAGE_API_KEY, os.environ.get(OPENLINEAGE_API_KEY), "to send events without a key")


def _home() -> Path:
    home = _stated("LINEAGE_HOME", os.environ.get("LINEAGE_HOME"), f"to use {_HOME} in the checkout or in your home")
    return _default_home() if home is None else _absolute(home)


def _default_home() -> Path:
    """Never within an installation: an upgrade of the package would take the data with it."""
    if not _IS_INSTALLED:
        return PROJECT / _HOME
    try:
        return Path.home() / _HOME
    except RuntimeError as error:
        raise WrongUsage("This user has no home folder: let LINEAGE_HOME name the folder to work in") from error


def _stated_spool() -> Path | None:
    spool = _stated("LINEAGE_SPOOL", os.environ.get("LINEAGE_SPOOL"), "to keep events below LINEAGE_HOME")
    return None if spool is None else _absolute(spool)


def _stated_streams_url() -> str | None:
    return _stated(
        "LINEAGE_STREAMS_URL", os.environ.get("LINEAGE_STREAMS_URL"), "to keep changelog streams below LINEAGE_HOME"
    )


def _absolute(path: str) -> Path:
    """Without an error where links lead in a circle: who makes the folder tells that."""
    return Path(os.path.realpath(path))


def _dsn(name: str, value: str | None, otherwise: str) -> Dsn | None:
    stated = _stated(name, value, otherwise)
    return None if stated is None else Dsn(stated, name)


def _stated(name: str, value: str | None, otherwise: str) -> str | None:
    """Empty is not unset: it is what a secret or a variable that was lost leaves behind."""
    if value is not None and not value.strip():
        raise WrongUsage(f"{name} is set, but empty: give it a value, or unset it {otherwise}")
    return value


def dsns_in_environment() -> list[str]:
    """Whatever is set, good or not: what it holds is not to be shown."""
    names = ["LINEAGE_DSN", "LINEAGE_INGEST_DSN", "LINEAGE_READER_DSN", OPERATOR_DSN]
    with suppress(WrongUsage):
        listed = store_list_from_environment() or StoreList()
        names += [variable for store in listed.stores.values() for variable in store.variables().values()]
    return [dsn for dsn in map(os.environ.get, names) if dsn]


def inherited_environment() -> dict[str, str]:
    """A copy of this process's environment, for the processes that it starts."""
    return dict(os.environ)


def export(variables: Mapping[str, str]) -> None:
    """Sets what the environment does not say itself, or leaves empty, for libraries that look only there."""
    for name, value in variables.items():
        if not os.environ.get(name):
            os.environ[name] = value
