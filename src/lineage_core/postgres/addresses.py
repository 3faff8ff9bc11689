"""What of a DSN may be shown: user, host, port and database, and nothing else, wherever it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from itertools import zip_longest
from typing import Any
from urllib.parse import quote

from psycopg import ProgrammingError, pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from lineage_core.errors import WrongUsage
from lineage_core.settings import Dsn

HIDDEN = "…"
"""Stands for what is not shown."""

_SHOWN = {"user", "host", "hostaddr", "port", "dbname"}

_ADVICE = (
    "Write it as postgresql://user@host:5432/database. A passfile is the place for a password; in the URI, write its"
    " @ as %40, / as %2F, : as %3A, ? as %3F and % as %25"
)

_SCHEME = re.compile(r"postgres(?:ql)?://", re.IGNORECASE)
_NAME = re.compile(r"[\w.@$+ -]+")
_HOST_NAME = re.compile(r"[\w.-]+|@?/[\w./-]*")
_LARGEST_PORT = 65_535

_QUOTED = re.compile(
    r"\"([^\"]*)\"|'([^']*)'"
    r"|«([^»]*)(?:»|\Z)|»([^«]*)(?:«|\Z)|[„“”]([^“”]*)(?:[“”]|\Z)|[‘‚`]([^’‘']*)(?:[’‘']|\Z)",
)
"""What Postgres repeats it quotes, as is usual in the language that it speaks.

A quote that differs from the one that ends it may end with the text: else each of many would look for its end in vain.
"""

_RECOGNIZABLE = 4
"""Characters of a secret below which it may stand in any text by chance."""

_ATTEMPTS = "All failures were:"
_PREFIXES = re.compile(
    r"connection (?:failed|is bad): |FATAL:\s+"
    r"|connection to server (?:at|on socket) \"[^\"]*\"(?: \([^()]*\))?(?:, port \d+)? failed: "
)
_HINTS = re.compile(r"^[ \t]+Is the server running.*$", re.MULTILINE)
_WRONG_VALUE = re.compile(r"invalid (\w+) value:|for connection option \"(\w+)\"|bad value for (\w+):")


@dataclass(frozen=True)
class Address:
    """Where a DSN leads. `hosts` has host and port of each server that it names; what is empty is left to libpq."""

    user: str
    hosts: tuple[tuple[str, str], ...]
    database: str

    def __str__(self) -> str:
        hosts = ",".join(f"{host}{f':{port}' if port else ''}" for host, port in self.hosts)
        return f"{self.user}{'@' if self.user else ''}{hosts}/{self.database}"


def address(dsn: str) -> Address:
    """Where the DSN leads, as far as it says so itself.

    Raises WrongUsage, which repeats nothing of it, if it is none, or cannot be what was meant.
    """
    options = _options(dsn)
    hosts = [_shown_host(host) for host in (options.get("host") or options.get("hostaddr") or "").split(",")]
    ports = options.get("port", "").split(",")
    paired = zip_longest(hosts, ports * len(hosts) if len(ports) == 1 else ports, fillvalue="")
    return Address(_shown_name(options.get("user", "")), tuple(paired), _shown_name(options.get("dbname", "")))


def without_password(dsn: str) -> tuple[str, str]:
    """The DSN without its password, for an argument or a page, and the password; empty if it has none."""
    options = _options(dsn)
    password = options.pop("password", "")
    return (make_conninfo(**options) if password else str(dsn)), password


def described(dsn: str) -> str:
    """The address for a message, with the setting that the DSN comes from."""
    return f"{address(dsn)}, by {dsn.setting}" if isinstance(dsn, Dsn) else str(address(dsn))


def wrong_option(message: str) -> str | None:
    """The option of a DSN whose value libpq or psycopg does not take, where this is what a message says."""
    found = _WRONG_VALUE.search(message)
    return None if found is None else next(name for name in found.groups() if name)


def malformed(dsn: str, what: str) -> WrongUsage:
    """The error of a DSN that is none; `what` goes behind the setting's name."""
    setting = dsn.setting if isinstance(dsn, Dsn) else "The DSN"
    return WrongUsage(f"{setting} {what}. {_ADVICE}")


def reason(message: str, dsn: str) -> str:
    """What libpq or the server says of a connection, as one line. Of what they quote, only the address stays."""
    options = _options(dsn)
    known = set(_known(_defaults() | options))
    plain = _HINTS.sub("", _PREFIXES.sub("", message.partition(_ATTEMPTS)[2] or message))
    secrets = list(_secrets(options))
    for value in secrets:  # a value with a quote in it is not found between quotes
        plain = plain.replace(f'"{value}"', f'"{HIDDEN}"')
    shown = _QUOTED.sub(lambda quoted: quoted[0] if _may_be_shown(quoted, known) else f'"{HIDDEN}"', plain)
    for value in secrets:
        shown = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", HIDDEN, shown)
    return "; ".join(" ".join(line.removeprefix("- ").split()) for line in shown.strip().splitlines() if line.strip())


def _options(dsn: str) -> dict[str, str]:
    """What libpq reads in the DSN. Raises WrongUsage where a password seems to have gone astray into other parts."""
    try:
        options: dict[str, Any] | None = conninfo_to_dict(dsn)
    except (ProgrammingError, UnicodeError):
        options = None
    if options is None:
        raise malformed(dsn, "is no DSN that libpq can read, or has an option that libpq does not know")
    if _seems_torn(dsn):
        raise malformed(dsn, "has an @ after that of its user, perhaps from a password")
    read = {name: str(value) for name, value in options.items()}
    if not all(_is_port(port) for port in read.get("port", "").split(",")):
        raise malformed(dsn, f"has a port that is no number from 1 to {_LARGEST_PORT}")
    if not all(not host or _is_ip_address(host) for host in read.get("hostaddr", "").split(",")):
        raise malformed(dsn, "has a hostaddr that is no IP address")
    return read


def _seems_torn(dsn: str) -> bool:
    """libpq ends the user's part of a URI at the first @, unless a slash comes before it."""
    scheme = _SCHEME.match(dsn)
    if scheme is None:
        return False
    rest = re.sub(r"^[^@/]*@", "", dsn[scheme.end() :])
    return "@" in rest.partition("?")[0]


def _is_port(text: str) -> bool:
    return not text or (text.isascii() and text.isdecimal() and 1 <= int(text) <= _LARGEST_PORT)


def _shown_name(name: str) -> str:
    """Whole, or not at all: a name with a colon, say, may be a URI that was put into the wrong place."""
    return name if not name or _NAME.fullmatch(name) else HIDDEN


def _shown_host(host: str) -> str:
    if not host or _HOST_NAME.fullmatch(host):
        return host
    return f"[{host}]" if _is_ip_address(host) else HIDDEN


def _known(options: Mapping[str, str]) -> Iterator[str]:
    """What a message may repeat."""
    hosts = [
        host
        for option in ("host", "hostaddr")
        for host in options.get(option, "").split(",")
        if _shown_host(host) != HIDDEN
    ]
    ports = options.get("port", "").split(",")
    yield from (name for option in ("user", "dbname") if _NAME.fullmatch(name := options.get(option, "")))
    yield from (*hosts, *ports, "None")
    yield from (f"{host}/.s.PGSQL.{port}" for host in hosts for port in ports)
    yield from (option.keyword.decode() for option in pq.Conninfo.get_defaults())


def _may_be_shown(quoted: re.Match[str], known: set[str]) -> bool:
    inner = next(group for group in quoted.groups() if group is not None)
    return inner in known or _is_ip_address(inner)


def _is_ip_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _secrets(options: Mapping[str, str]) -> Iterator[str]:
    """The values that no message may have, also where it does not quote them."""
    yield from (value for name, value in options.items() if name not in _SHOWN and value)
    yield from (value for name, value in _defaults().items() if "pass" in name)


def _defaults() -> dict[str, str]:
    """What libpq takes from its own environment variables, or for granted."""
    found = pq.Conninfo.get_defaults()
    return {option.keyword.decode(): option.val.decode(errors="replace") for option in found if option.val}


_URI = re.compile(r"(?<!\S)(?P<shown>(?>\S*?://[^\s:/@?#]*:))\S*@")
"""Begins where unbroken characters begin, and stays with the first user in them: so each character is read once."""

_PAIR = re.compile(
    r"(?P<name>(?:password|passwd|passfile|sslkey|options|service)[\"']?\s*[=:]\s*)"
    r"(?P<value>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\s&;,'\"]+)",
    re.IGNORECASE,
)


def redacted(text: str, *dsns: str) -> str:
    """Any text without what may be a secret of a DSN in it, be it a URI or in keywords, and without those of `dsns`.

    It takes time in proportion to the text. Who keeps a part of the text cuts behind this: half a secret is not found.
    """
    for dsn in dsns:
        for secret in _secrets_of(dsn):
            text = text.replace(secret, HIDDEN)
    return _PAIR.sub(rf"\g<name>{HIDDEN}", _URI.sub(rf"\g<shown>{HIDDEN}@", text))


def _secrets_of(dsn: str) -> list[str]:
    """As they are and as they are written, the longest first; none where the DSN cannot be read."""
    try:
        options = _options(dsn)
    except WrongUsage:
        return [dsn]
    named = (value for name, value in options.items() if "pass" in name or name == "options")
    values = [value for value in named if len(value) >= _RECOGNIZABLE]
    return sorted({*values, *(quote(value, safe="") for value in values)}, key=len, reverse=True)
