"""The body of a request, and the answer where a request is not taken: a status, and JSON that says why and what to do.

The bytes of a body are counted as they come, packed and unpacked, and so is its time."""

from __future__ import annotations

import asyncio
import math
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse

from lineage_core.receiver.connections import ReceiverLimits


class RequestRefusal(Exception):
    """A request is refused. `message` says what is wrong with it; nothing of its body is in it."""

    def __init__(
        self, status: HTTPStatus, message: str, *, path: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.path = path
        self.retry_after = retry_after

    def response(self) -> JSONResponse:
        headers = {} if self.retry_after is None else {"Retry-After": str(max(1, math.ceil(self.retry_after)))}
        if self.status is HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        if self.status is HTTPStatus.UNSUPPORTED_MEDIA_TYPE:
            headers["Accept-Encoding"] = "gzip, identity"
        content = {"code": self.status, "message": self.message}
        return JSONResponse(content | ({} if self.path is None else {"path": self.path}), self.status, headers)


RETRY_SECONDS = 5.0
"""After which a producer is asked to come again."""


def unavailable(message: str) -> RequestRefusal:
    what_to_do = f"{message}. Nothing is lost if you send it again"
    return RequestRefusal(HTTPStatus.SERVICE_UNAVAILABLE, what_to_do, retry_after=RETRY_SECONDS)


_GZIP = 16 + zlib.MAX_WBITS
_UNPACKED_AT_ONCE = 1 << 20


@dataclass
class Bodies:
    """The bodies of one process, of which no more are in memory at a time than the limits say."""

    limits: ReceiverLimits
    _held: int = field(default=0, init=False)

    @contextmanager
    def room(self) -> Iterator[Callable[[int], None]]:
        """Gives a function that takes room for bytes until the block ends. Without room it raises RequestRefusal."""
        taken = 0

        def take(size: int) -> None:
            nonlocal taken
            if self._held + size > self.limits.bodies_bytes:
                raise unavailable("More events are on their way than there is room for")
            self._held += size
            taken += size

        try:
            yield take
        finally:
            self._held -= taken

    async def read(self, request: Request, take: Callable[[int], None]) -> bytes:
        """The unpacked body. Raises RequestRefusal if it is too long, too slow, broken, or packed as we do not know."""
        self._refuse_long(request.headers.get("content-length"))
        unpack = self._unpacker(request.headers.get("content-encoding", ""))
        body = bytearray()
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                async for piece in unpack(request.stream()):
                    if len(body) + len(piece) > self.limits.body_bytes:
                        raise self._too_long()
                    take(len(piece))
                    body += piece
        except TimeoutError as error:
            raise RequestRefusal(
                HTTPStatus.REQUEST_TIMEOUT, f"The body did not come within {self.limits.body_seconds:g} seconds"
            ) from error
        except ClientDisconnect as error:
            raise RequestRefusal(HTTPStatus.BAD_REQUEST, "The connection ended within the body") from error
        return bytes(body)

    def _refuse_long(self, length: str | None) -> None:
        if length is not None and length.isdecimal() and int(length) > self.limits.body_bytes:
            raise self._too_long()

    def _too_long(self) -> RequestRefusal:
        return RequestRefusal(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"A body may have {self.limits.body_bytes:,} bytes, packed and unpacked",
        )

    def _unpacker(self, encoding: str) -> Callable[[AsyncIterator[bytes]], AsyncIterator[bytes]]:
        match encoding.strip().lower():
            case "" | "identity":
                return _as_sent
            case "gzip" | "x-gzip":
                return self._unzipped
        raise RequestRefusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A body is sent as it is, or packed by gzip")

    async def _unzipped(self, stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """A gzip bomb is unpacked a mebibyte at a time, so it is met long before it explodes."""
        packed, sent = zlib.decompressobj(_GZIP), 0
        async for piece in stream:
            sent += len(piece)
            if sent > self.limits.body_bytes:
                raise self._too_long()
            for unpacked in _unpacked(packed, piece):
                yield unpacked
        if not packed.eof:
            raise RequestRefusal(HTTPStatus.BAD_REQUEST, "The gzip of the body is cut short")


async def _as_sent(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for piece in stream:
        yield piece


def _unpacked(packed: zlib._Decompress, piece: bytes) -> Iterator[bytes]:
    waiting = piece
    while waiting:
        if packed.eof:
            raise RequestRefusal(HTTPStatus.BAD_REQUEST, "Something follows the gzip of the body")
        try:
            yield packed.decompress(waiting, _UNPACKED_AT_ONCE)
        except zlib.error as error:
            raise RequestRefusal(HTTPStatus.BAD_REQUEST, "The body is no gzip") from error
        waiting = packed.unconsumed_tail or packed.unused_data
