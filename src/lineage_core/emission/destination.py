"""Where events are sent on to: a transport of OpenLineage's own client."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import yaml

from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.settings import OPENLINEAGE_API_KEY

if TYPE_CHECKING:
    from openlineage.client.transport import Transport

REFUSALS = frozenset({400, 409, 413, 415, 422})
"""HTTP statuses that are about one event, so that those behind it are sent on."""

LATER = frozenset({408, 425, 429})
"""Those below 500 that ask to try again."""

TELLING = ("http", "file")
"""Types of transports that say of each event whether it was taken. Kafka's only logs what it could not deliver, and
those that send in the background, or to several, count what failed where nothing asks."""


class RefusedByReceiver(Exception):
    """The receiver does not take this event; it may take others."""


class Destination(Protocol):
    name: str

    def send(self, event: dict[str, Any]) -> None:
        """Raises RefusedByReceiver, or TryAgain if the receiver is away, or NeedsOperator if it takes none from us."""

    def close(self) -> None: ...


class ClientDestination:
    """A transport of the client. `name` says which destination it is in what people see, without a secret."""

    def __init__(self, name: str, transport: Transport) -> None:
        self.name = name
        self._transport = transport

    def send(self, event: dict[str, Any]) -> None:
        import requests

        try:
            response = self._transport.emit(event)  # type: ignore[arg-type] # Serde takes a dict, too.
        except (requests.RequestException, OSError, RuntimeError) as error:
            answered = getattr(error, "response", None)
            if answered is not None:
                raise self._explained(answered.status_code) from None
            raise TryAgain(f"{self.name} cannot be reached: {type(error).__name__}. {_GO_ON}") from error
        if isinstance(response, requests.Response):
            first = (*response.history, response)[0]  # a POST that was led elsewhere became a GET of that
            if first.status_code >= HTTPStatus.MULTIPLE_CHOICES:
                raise self._explained(first.status_code)

    def _explained(self, status: int) -> Exception:
        answer = f"{self.name} answers {status}"
        if status in REFUSALS:
            return RefusedByReceiver(answer)
        if status in (401, 403):
            return NeedsOperator(
                f"{answer}: it does not let us in. Set {OPENLINEAGE_API_KEY}, or `auth` of the transport"
            )
        if status < HTTPStatus.BAD_REQUEST:
            return NeedsOperator(f"{answer}, which leads elsewhere: events go to no other address. Name that one")
        if status < HTTPStatus.INTERNAL_SERVER_ERROR and status not in LATER:
            return NeedsOperator(f"{answer}: it takes no OpenLineage events at this address. Name the whole path")
        return TryAgain(f"{answer}. {_GO_ON}")

    def close(self) -> None:
        self._transport.close()


_GO_ON = "Run the same again: it goes on behind the last event that was taken"


def of_address(url: str, key: str | None) -> ClientDestination:
    """A receiver of OpenLineage events over HTTP. Without a path the address is that of Marquez' API.

    Raises WrongUsage if it is no address, or has a secret in it.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise WrongUsage("--to is no http:// or https:// address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise WrongUsage("--to is no http:// or https:// address")
    if parts.username or parts.password:
        raise WrongUsage(
            f"--to has a name or password in it, which others on this machine could read; set {OPENLINEAGE_API_KEY}"
        )
    base = f"{parts.scheme}://{parts.netloc}"
    config: dict[str, Any] = {"type": "http", "url": base}
    path = parts.path.strip("/")
    if path or parts.query:
        config["endpoint"] = path + (f"?{parts.query}" if parts.query else "")
    if key is not None:
        config["auth"] = {"type": "api_key", "apiKey": key}
    return ClientDestination(f"{base}/{path}".rstrip("/"), _transport(config, "--to"))


def of_file(path: Path) -> ClientDestination:
    """The transport of a file with the settings of OpenLineage's client.

    Raises WrongUsage if it has none, or one that the client does not take.
    """
    try:
        written = yaml.safe_load(path.read_text())
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise WrongUsage(f"{path} cannot be read as YAML: {type(error).__name__}") from None
    transport = written.get("transport") if isinstance(written, Mapping) else None
    if not isinstance(transport, Mapping) or not isinstance(transport.get("type"), str):
        raise WrongUsage(f"{path} has no `transport` with a `type`, as an openlineage.yml has")
    if transport["type"] not in TELLING:
        raise WrongUsage(
            f"{path}: a transport of type {transport['type']!r} does not say which events were taken, so it would be"
            f" unknown what was sent. Those that do are {' and '.join(TELLING)}"
        )
    return ClientDestination(f"the transport of {path.name}", _transport(dict(transport), str(path)))


def _transport(config: dict[str, Any], source: str) -> Transport:
    from openlineage.client.transport import get_default_factory

    try:
        return get_default_factory().create(config)
    except (ImportError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise WrongUsage(f"{source}: OpenLineage's client takes no such transport: {type(error).__name__}") from None
