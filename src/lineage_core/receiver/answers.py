"""What the receiver answers where it does not take a request: a status, and JSON that says why and what to do."""

from __future__ import annotations

import math
from http import HTTPStatus

from starlette.responses import JSONResponse


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
