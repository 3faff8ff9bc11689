"""The receiver as an ASGI application: OpenLineage's own interface, at the root of whatever it is mounted on.

An event is committed before it is answered. A repeat is answered like the first.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.routing import APIRoute

from lineage_core.errors import LineageError
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.receiver import interface
from lineage_core.receiver.bodies import Bodies, RequestRefusal, unavailable
from lineage_core.receiver.connections import RateLimit, ReceiverLimits
from lineage_core.receiver.group_commit import GroupCommit
from lineage_core.receiver.observations import ACCEPTED, SPOOLED, outcome_of
from lineage_core.receiver.routed_commits import RoutedCommits
from lineage_core.receiver.store import READINESS, DocumentOutcome, ReceivedRequest, TokenVerdict, arrived
from lineage_core.receiver.tokens import token_of

_LARGE = 1 << 16
"""Bytes of a body that is judged beside the loop, so that others are answered meanwhile."""

_KNOWN_SECONDS = 5.0
"""For which a token that was good lets a body be read. Whether it may store is judged in each commit."""

_MOST_KNOWN = 10_000

_log = logging.getLogger(__name__)

Made = TypeVar("Made")

_documents = msgspec.json.Decoder(list[msgspec.Raw])
_any = msgspec.json.Decoder(msgspec.Raw)


@dataclass(frozen=True, slots=True)
class RequestAnswer:
    """An answer, and how many documents had which outcome."""

    response: Response
    documents: Mapping[str, int]


@dataclass
class Receiver:
    """The receiver of one process. needs_token: False where no one else can reach it."""

    commits: GroupCommit | RoutedCommits
    limits: ReceiverLimits = field(default_factory=ReceiverLimits)
    needs_token: bool = True
    _known: dict[bytes, float] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.bodies = Bodies(self.limits)
        self.rates = RateLimit(self.limits.events_per_second)

    async def receive(self, request: Request) -> RequestAnswer:
        """One event."""
        digest = await self._admitted(request)
        with self.bodies.room() as take:
            body = await self.bodies.read(request, take)
            self._count(digest, 1)
            judged = await _off_the_loop(arrived, body)
            (outcome,) = await self._answered(ReceivedRequest(digest, [judged]))
        _refuse_token(outcome)
        if outcome.refused is not None:
            raise _no_event(outcome.refused)
        return RequestAnswer(Response(status_code=201), {SPOOLED if outcome.is_spooled else ACCEPTED: 1})

    async def receive_batch(self, request: Request) -> RequestAnswer:
        """A list of events: those that are good are stored, whatever the others are."""
        digest = await self._admitted(request)
        with self.bodies.room() as take:
            body = await self.bodies.read(request, take)
            documents = self._listed(body)
            self._count(digest, len(documents))
            judged = await _off_the_loop(lambda _body: [arrived(bytes(one)) for one in documents], body)
            outcomes = await self._answered(ReceivedRequest(digest, judged)) if judged else []
        return _batch_answer(outcomes)

    def observed(
        self, path: str, answer: Callable[[Request], Awaitable[RequestAnswer]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint that answers refusals, too, and whose requests are counted and logged."""

        async def endpoint(request: Request) -> Response:
            begun = time.perf_counter()
            try:
                answered = await answer(request)
            except RequestRefusal as refusal:
                answered = RequestAnswer(refusal.response(), {outcome_of(refusal.status): 1})
            status, seconds = answered.response.status_code, time.perf_counter() - begun
            self.commits.observations.note(request, path, status, answered.documents, seconds)
            return answered.response

        return endpoint

    async def readiness(self, _request: Request) -> Response:
        """Whether an event could be stored now."""
        try:
            await self.commits.store(READINESS)
        except LineageError as error:
            _log.warning("%s", error)
            return unavailable("The store cannot be written").response()
        return PlainTextResponse("ready")

    def _listed(self, body: bytes) -> list[msgspec.Raw]:
        """The documents of a batch, which are not looked into before their token may send so many."""
        try:
            documents = _documents.decode(body)
        except (msgspec.DecodeError, RecursionError) as error:
            raise RequestRefusal(HTTPStatus.BAD_REQUEST, "A batch is a JSON list of events") from error
        if len(documents) > self.limits.batch_documents:
            most = f"A batch may have {self.limits.batch_documents:,} events"
            raise RequestRefusal(HTTPStatus.UNPROCESSABLE_ENTITY, most)
        return documents

    async def _admitted(self, request: Request) -> bytes | None:
        """The digest of the request's token, which was good a moment ago: nothing is read for one that is not."""
        if not self.needs_token:
            return None
        token = token_of(request.headers.get("authorization"))
        if token is None:
            raise RequestRefusal(HTTPStatus.UNAUTHORIZED, "A token is needed: Authorization: Bearer TOKEN")
        digest = token.digest
        if self._known.get(digest, 0.0) < time.monotonic():
            (outcome,) = await self._answered(ReceivedRequest(digest))
            _refuse_token(outcome)
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            self._known[digest] = time.monotonic() + _KNOWN_SECONDS
        return digest

    def _count(self, digest: bytes | None, events: int) -> None:
        wait = 0.0 if digest is None else self.rates.seconds_to_wait(digest, events)
        if wait:
            raise RequestRefusal(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"More than {self.limits.events_per_second:g} events a second come with this token",
                retry_after=wait,
            )

    async def _answered(self, arrival: ReceivedRequest) -> list[DocumentOutcome]:
        try:
            return await self.commits.store(arrival)
        except LineageError as error:
            raise unavailable("The event could not be stored in time") from error


def application(receiver: Receiver) -> FastAPI:
    """Commits begin and end with the application; with the first request where no one tells it that it begins."""

    @asynccontextmanager
    async def lifespan(_application: FastAPI) -> AsyncIterator[None]:
        receiver.commits.start()
        yield
        await asyncio.to_thread(receiver.commits.end)

    made = FastAPI(
        title="OpenLineage receiver",
        version=interface.VERSION,
        description=interface.DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    made.router.route_class = _Route
    for path, answer, described in (
        ("/api/v1/lineage", receiver.receive, interface.EVENT),
        ("/api/v1/lineage/batch", receiver.receive_batch, interface.BATCH),
    ):
        made.add_api_route(path, receiver.observed(path, answer), methods=["POST"], **described)
    made.add_api_route("/healthz", _health, methods=["GET"], **interface.HEALTH)
    made.add_api_route("/readyz", receiver.readiness, methods=["GET"], **interface.READINESS)
    return made


class _Route(APIRoute):
    """Hands the request over as it is: its endpoints take no parameters. To look for some is a tenth of what a request
    costs."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        return self.endpoint


async def _health(_request: Request) -> Response:
    """Whether the process answers."""
    return PlainTextResponse("ok")


async def _off_the_loop(work: Callable[[bytes], Made], body: bytes) -> Made:
    return await asyncio.to_thread(work, body) if len(body) > _LARGE else work(body)


def _refuse_token(outcome: DocumentOutcome) -> None:
    verdict = outcome.token or TokenVerdict.ALLOWED
    if verdict is TokenVerdict.OTHER_NAMESPACE:
        raise RequestRefusal(HTTPStatus.FORBIDDEN, "The token is good, but not for this namespace")
    if verdict is not TokenVerdict.ALLOWED:
        raise RequestRefusal(HTTPStatus.UNAUTHORIZED, f"The token is {verdict.value}")


def _no_event(refused: RefusedDocument) -> RequestRefusal:
    return RequestRefusal(
        HTTPStatus.UNPROCESSABLE_ENTITY if _is_json(refused.raw) else HTTPStatus.BAD_REQUEST,
        refused.reason,
        path=refused.path,
    )


def _is_json(raw: bytes) -> bool:
    try:
        _any.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _batch_answer(outcomes: Sequence[DocumentOutcome]) -> RequestAnswer:
    """204 where all is stored. A token that is not good fails the request, and is no matter of its events."""
    for outcome in outcomes:
        if outcome.token is not TokenVerdict.OTHER_NAMESPACE:
            _refuse_token(outcome)
    failed = [
        {"index": index, "reason": reason, "retriable": False}
        for index, outcome in enumerate(outcomes)
        if (reason := _reason(outcome)) is not None
    ]
    documents = Counter(_outcome(outcome) for outcome in outcomes)
    if not failed:
        return RequestAnswer(Response(status_code=204), documents)
    summary = {
        "received": len(outcomes),
        "successful": len(outcomes) - len(failed),
        "failed": len(failed),
        "retriable": 0,
        "non_retriable": len(failed),
    }
    answer = {"status": "partial_success", "summary": summary, "failed_events": failed}
    return RequestAnswer(JSONResponse(answer), documents)


def _outcome(outcome: DocumentOutcome) -> str:
    if outcome.token is TokenVerdict.OTHER_NAMESPACE:
        return outcome_of(HTTPStatus.FORBIDDEN)
    if outcome.refused is not None:
        return outcome_of(HTTPStatus.UNPROCESSABLE_ENTITY)
    return SPOOLED if outcome.is_spooled else ACCEPTED


def _reason(outcome: DocumentOutcome) -> str | None:
    if outcome.token is TokenVerdict.OTHER_NAMESPACE:
        return "The token is not for this namespace"
    return None if outcome.refused is None else f"{outcome.refused.path}: {outcome.refused.reason}"
