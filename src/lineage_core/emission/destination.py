"""Where events are sent on to: a transport of OpenLineage's own client."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import yaml

from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.settings import OPENLINEAGE_API_KEY

if TYPE_CHECKING:
    from openlineage.client.transport import Transport

SETTLED_SECONDS = 30.0
"""How long to wait for what a transport sends by itself."""

REFUSALS = frozenset({400, 404, 409, 413, 415, 422})
"""HTTP statuses that are about one event, so that those behind it are sent on."""


class RefusedByReceiver(Exception):
    """The receiver does not take this event; it may take others."""


class Destination(Protocol):
    name: str

    def send(self, event: dict[str, Any]) -> None:
        """Raises RefusedByReceiver, or TryAgain if the receiver is away, or NeedsOperator if it takes none from us."""

    def settle(self) -> None:
        """Returns when all that was sent has arrived; raises TryAgain if it has not."""

    def close(self) -> None: ...


class ClientDestination:
    """A transport of the client. `name` says which destination it is in what people see, without a secret."""

    def __init__(self, name: str, transport: Transport) -> None:
        self.name = name
        self._transport = transport

    def send(self, event: dict[str, Any]) -> None:
        import requests

        try:
            self._transport.emit(event)  # type: ignore[arg-type] # Serde takes a dict, too.
        except requests.HTTPError as error:
            raise self._explained(error) from None
        except (requests.RequestException, OSError) as error:
            raise TryAgain(f"{self.name} cannot be reached: {type(error).__name__}. {_GO_ON}") from error

    def _explained(self, error: Any) -> Exception:
        status = error.response.status_code
        answer = f"{self.name} answers {status}"
        if status in REFUSALS:
            return RefusedByReceiver(answer)
        if status in (401, 403):
            return NeedsOperator(
                f"{answer}: it does not let us in. Set {OPENLINEAGE_API_KEY}, or `auth` of the transport"
            )
        return TryAgain(f"{answer}. {_GO_ON}")

    def settle(self) -> None:
        """Transports that send by themselves, such as Kafka's, have this method."""
        wait = getattr(self._transport, "wait_for_completion", None)
        if wait is not None and not wait(SETTLED_SECONDS):
            raise TryAgain(f"Not all that was sent to {self.name} has arrived. {_GO_ON}")

    def close(self) -> None:
        self._transport.close(SETTLED_SECONDS)


_GO_ON = "Run the same again: it goes on behind the last event that was taken"


def of_address(url: str, key: str | None) -> ClientDestination:
    """A receiver of OpenLineage events over HTTP. Without a path the address is that of Marquez' API.

    Raises WrongUsage if it is no address, or has a secret in it.
    """
    parts = urlsplit(url)
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
    return ClientDestination(f"the transport of {path.name}", _transport(dict(transport), str(path)))


def _transport(config: dict[str, Any], source: str) -> Transport:
    from openlineage.client.transport import get_default_factory

    try:
        return get_default_factory().create(config)
    except (ImportError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise WrongUsage(f"{source}: OpenLineage's client takes no such transport: {type(error).__name__}") from None
