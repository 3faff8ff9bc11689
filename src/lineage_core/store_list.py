"""The list of stores: which there are, by which settings each is reached, and which namespaces go to which.

It names environment variables and holds no DSN, so anybody may read it. See docs/decisions/0069.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from lineage_core.errors import WrongUsage
from lineage_core.namespace_format import formatted_namespace

ALL_ELSE = "*"
"""The route that is always there. The store that it leads to is the default store."""

STORE_OPTION = "--store="
"""It stands before a command, and is the first that a job is given."""

STORE_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
"""It is a folder of the spool, and a word of command lines."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")


@dataclass(frozen=True)
class ListedStore:
    """The names of the environment variables that say where a store is: the DSNs of its logins, and its streams."""

    dsn_variable: str
    ingest_dsn_variable: str | None = None
    reader_dsn_variable: str | None = None
    operator_dsn_variable: str | None = None
    streams_url_variable: str | None = None

    def variables(self) -> dict[str, str]:
        """What each is for, and its name; those that there are."""
        return {what: name for what, name in asdict(self).items() if name is not None}


@dataclass(frozen=True)
class StoreList:
    """The stores by their names, in their order, and the routes: a namespace, or its beginning and `*`, to a store."""

    stores: dict[str, ListedStore] = field(default_factory=dict)
    routes: dict[str, str] = field(default_factory=dict)

    @property
    def default(self) -> str:
        """The name of the default store."""
        return self.routes[ALL_ELSE]

    @property
    def others(self) -> list[str]:
        """The names of all but the default store."""
        return [name for name in self.stores if name != self.default]

    def store_of(self, namespace: str | None) -> str:
        """The name of the one that events of a formatted namespace go to; None is a document without a readable one."""
        if namespace is None:
            return self.default
        return self.routes[route_of(namespace, self.routes)]

    def named(self, name: str) -> ListedStore:
        """Raises WrongUsage if there is none of the name."""
        if name not in self.stores:
            raise WrongUsage(f"There is no store {name!r} in the list: it has {', '.join(self.stores)}")
        return self.stores[name]

    def with_store(self, name: str, store: ListedStore) -> StoreList:
        """The first is the default store. Raises WrongUsage for a name that is taken, or is none."""
        if name in self.stores:
            raise WrongUsage(f"There is a store {name!r} already: take another name, or change it in the file")
        _refuse_name(name)
        for variable in store.variables().values():
            _refuse_no_variable(variable)
        return StoreList(self.stores | {name: store}, self.routes or {ALL_ELSE: name})

    def with_routes(self, namespaces: Iterable[str], name: str) -> StoreList:
        """Raises WrongUsage for a store that is not in the list, and for what is no route."""
        self.named(name)
        return replace(self, routes=self.routes | dict.fromkeys(map(formatted_route, namespaces), name))


def dag_of_each_store(dag_id: str, listed: StoreList | None) -> dict[str, str | None]:
    """The id of a DAG that is there once for each store, to its store: as it is for the default store, which is None,
    and with the name of each other one behind it."""
    return {dag_id: None} | {f"{dag_id}_{name}": name for name in (listed.others if listed else ())}


def formatted_route(route: str) -> str:
    """As namespaces are compared with it. Raises WrongUsage for a `*` that is not its end."""
    beginning = route.removesuffix(ALL_ELSE)
    if ALL_ELSE in beginning:
        raise WrongUsage(f"{route!r} is no route: {ALL_ELSE} stands for the rest of a namespace, so at the end alone")
    return formatted_namespace(beginning) + route[len(beginning) :]


def route_of(namespace: str, routes: Iterable[str]) -> str:
    """The route of a namespace: its own name, or the longest beginning of it. Of the routes, one is for all else."""
    known = set(routes)
    if namespace in known and not namespace.endswith(ALL_ELSE):
        return namespace
    beginnings = (one for one in known if one.endswith(ALL_ELSE) and namespace.startswith(one[:-1]))
    return max(beginnings, key=len)


def read_store_list(file: Path) -> StoreList:
    """Raises WrongUsage if it cannot be read, or is no list of stores: what is wrong with it, and where."""
    try:
        text = file.read_text()
    except FileNotFoundError as error:
        raise WrongUsage(f"LINEAGE_STORES names {file}, which is not there: `lineage store add` makes it") from error
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUsage(f"The list of stores {file} cannot be read ({_reason(error)})") from error
    try:
        return _parsed(json.loads(text, object_pairs_hook=_once))
    except (WrongUsage, ValueError, RecursionError) as error:
        raise WrongUsage(f"The list of stores {file} is not right: {error}") from error


def write_store_list(file: Path, listed: StoreList) -> None:
    """Whole or not at all: who reads it meanwhile has the one before. Raises WrongUsage where that cannot be done."""
    stores = {name: store.variables() for name, store in listed.stores.items()}
    text = json.dumps({"stores": stores, "routes": listed.routes}, indent=2, ensure_ascii=False) + "\n"
    target = Path(os.path.realpath(file))  # a link stays one
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("x", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            draft.chmod(target.stat().st_mode & 0o777)
        draft.replace(target)
    except (OSError, UnicodeEncodeError) as error:
        with suppress(OSError):
            draft.unlink()
        raise WrongUsage(f"The list of stores {file} cannot be written ({_reason(error)})") from error


def _reason(error: OSError | UnicodeError) -> str:
    return str(error.strerror if isinstance(error, OSError) else "it is no UTF-8")


def _once(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two members of one name JSON would keep the last, and no one would see it."""
    found = dict[str, Any]()
    for name, value in members:
        if name in found:
            raise WrongUsage(f"{name!r} is there twice")
        found[name] = value
    return found


def _parsed(document: Any) -> StoreList:
    members = _object(document, "it", {"stores", "routes"})
    stores = {name: _store(name, given) for name, given in _object(members.get("stores"), "`stores`").items()}
    routes = dict[str, str]()
    for route, name in _object(members.get("routes"), "`routes`").items():
        if not isinstance(name, str) or name not in stores:
            raise WrongUsage(f"the route {route!r} leads to no store of the list")
        formatted = formatted_route(route)
        if formatted in routes:
            raise WrongUsage(f"the route {formatted!r} is there twice: as {route!r}, too")
        routes[formatted] = name
    if ALL_ELSE not in routes:
        raise WrongUsage(f"there is no route {ALL_ELSE!r}, which names the default store")
    return StoreList(stores, routes)


def _store(name: str, given: Any) -> ListedStore:
    _refuse_name(name)
    members = _object(given, f"the store {name!r}", {one.name for one in fields(ListedStore)})
    for variable in members.values():
        _refuse_no_variable(variable)
    if "dsn_variable" not in members:
        raise WrongUsage(f"the store {name!r} has no dsn_variable")
    return ListedStore(**members)


def _object(given: Any, what: str, known: set[str] | None = None) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise WrongUsage(f"{what} is no JSON object")
    for member in given:
        if known is not None and member not in known:
            raise WrongUsage(f"{what} has a member {member!r}; known are {', '.join(sorted(known))}")
    return given


def _refuse_name(name: str) -> None:
    """What is given may be a secret in the wrong place, so it is not shown."""
    if not STORE_NAME.fullmatch(name):
        raise WrongUsage("A store has a name of small letters, digits and -, 40 at most, and a letter first")


def _refuse_no_variable(given: Any) -> None:
    """Likewise."""
    if not (isinstance(given, str) and _VARIABLE.fullmatch(given)):
        raise WrongUsage(
            "A store is reached by the name of an environment variable, such as GAMES_DSN, and what is given is none."
            " Put the DSN into a variable, and name that"
        )
