"""What the receiver answers where it does not take a request: a status, and JSON that says why and what to do."""

from __future__ import annotations

import math

from starlette.responses import JSONResponse


class RequestRefusal(Exception):
    """A request is refused. `message` says what is wrong with it; nothing of its body is in it."""

    def __init__(self, status: int, message: str, *, path: str | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.path = path
        self.retry_after = retry_after

    def response(self) -> JSONResponse:
        headers = {} if self.retry_after is None else {"Retry-After": str(max(1, math.ceil(self.retry_after)))}
        if self.status == UNAUTHORIZED:
            headers["WWW-Authenticate"] = "Bearer"
        if self.status == UNSUPPORTED:
            headers["Accept-Encoding"] = "gzip, identity"
        content = {"code": self.status, "message": self.message}
        return JSONResponse(content | ({} if self.path is None else {"path": self.path}), self.status, headers)


MALFORMED = 400
UNAUTHORIZED = 401
FORBIDDEN = 403
TIMEOUT = 408
TOO_LARGE = 413
UNSUPPORTED = 415
NO_EVENT = 422
TOO_MANY = 429
UNAVAILABLE = 503

RETRY_SECONDS = 5.0
"""After which a producer is asked to come again."""


def unavailable(message: str) -> RequestRefusal:
    return RequestRefusal(UNAVAILABLE, f"{message}. Nothing is lost if you send it again", retry_after=RETRY_SECONDS)
