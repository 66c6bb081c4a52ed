"""Makes an HTTP call until there is a final response: retries what is safe to retry, with back-off."""

from __future__ import annotations

import http.client
import itertools
import random
import socket
import time
import urllib.error
import urllib.request
from typing import NamedTuple, Optional

from .errors import Reply, TarishiConnectionError, retry_after_of

_TEMPORARY = frozenset({408, 429, 500, 502, 503, 504})
#: The `Error-Code` of a 409 that passes: the first request with this Idempotency-Key is still running.
_KEY_IN_USE = "key-in-use"
#: A request that got it had no effect.
_TOO_MANY_REQUESTS = 429
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 20
#: A call that would have to wait longer fails instead; the error says how long.
_LONGEST_RETRY_AFTER_SECONDS = 60


class Call(NamedTuple):
    """One HTTP request, however often it is attempted."""

    url: str
    method: str
    headers: dict[str, str]
    body: Optional[bytes]
    #: Whether a retry has no second effect.
    retryable: bool


def back_off(attempt: int) -> float:
    """The seconds to wait after an attempt, counted from 0."""
    return min(_FIRST_PAUSE_SECONDS * 2.0**attempt, _LONGEST_PAUSE_SECONDS) * random.uniform(0.5, 1)


def _is_temporary(reply: Reply) -> bool:
    return reply.status in _TEMPORARY or reply.headers.get("Error-Code") == _KEY_IN_USE


def pause_after(reply: Reply, call: Call, attempt: int) -> Optional[float]:
    """The seconds to wait before another attempt; None if the response is final."""
    if not (_is_temporary(reply) if call.retryable else reply.status == _TOO_MANY_REQUESTS):
        return None
    seconds = retry_after_of(reply.headers)
    if seconds is None:
        return back_off(attempt)
    # A little later than asked, so that clients that were refused together do not return together.
    return None if seconds > _LONGEST_RETRY_AFTER_SECONDS else seconds * random.uniform(1, 1.1)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token must not follow to another address."""

    def redirect_request(self, *_: object) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


class Transport:
    """Safe to share between threads."""

    def __init__(self, retries: int, timeout: float) -> None:
        self._retries = retries
        self._timeout = timeout

    def send(self, call: Call, timeout: Optional[float] = None) -> Reply:
        """Returns the last response. Raises TarishiConnectionError if there is none."""
        for attempt in itertools.count():
            may_retry = attempt < self._retries
            try:
                reply = _attempt(call, self._timeout if timeout is None else timeout)
                pause = pause_after(reply, call, attempt) if may_retry else None
                if pause is None:
                    return reply
            except TarishiConnectionError:
                if not may_retry or not call.retryable:
                    raise
                pause = back_off(attempt)
            time.sleep(pause)
        raise AssertionError


def _attempt(call: Call, timeout: float) -> Reply:
    request = urllib.request.Request(call.url, call.body, call.headers, method=call.method)
    try:
        try:
            with _opener.open(request, timeout=timeout) as response:
                return Reply(call.url, response.status, response.headers, response.read())
        except urllib.error.HTTPError as error:
            with error:
                return Reply(call.url, error.code, error.headers, error.read())
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        # One and the same since Python 3.10.
        if isinstance(reason, (TimeoutError, socket.timeout)):
            raise TarishiConnectionError("timeout", f"No response within {timeout} seconds") from error
        raise TarishiConnectionError("connection-failed", f"The connection failed: {reason}") from error
