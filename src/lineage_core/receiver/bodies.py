"""Reading the body of a request: its bytes are counted as they come, packed and unpacked, and so is its time."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.requests import ClientDisconnect, Request

from lineage_core.receiver.answers import RequestRefusal, unavailable
from lineage_core.receiver.limits import ReceiverLimits

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
