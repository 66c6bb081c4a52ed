"""Makes an HTTP call until there is a final response: retries what is safe to retry, with back-off."""

from __future__ import annotations

import itertools
from asyncio import sleep
from email.message import Message
from typing import Optional

import httpx

from ..errors import Reply, TarishiConnectionError
from ..transport import Call, back_off, pause_after


class AsyncTransport:
    """Safe to share between tasks."""

    def __init__(self, retries: int, timeout: float) -> None:
        self._retries = retries
        self._timeout = timeout
        # httpx follows no redirects: a token must not follow to another address.
        self._client = httpx.AsyncClient()
        self.aclose = self._client.aclose

    async def send(self, call: Call, timeout: Optional[float] = None) -> Reply:
        """Returns the last response. Raises TarishiConnectionError if there is none."""
        for attempt in itertools.count():
            may_retry = attempt < self._retries
            try:
                reply = await self._attempt(call, self._timeout if timeout is None else timeout)
                pause = pause_after(reply, call, attempt) if may_retry else None
                if pause is None:
                    return reply
            except TarishiConnectionError:
                if not may_retry or not call.retryable:
                    raise
                pause = back_off(attempt)
            await sleep(pause)
        raise AssertionError

    async def _attempt(self, call: Call, timeout: float) -> Reply:
        try:
            response = await self._client.request(
                call.method, call.url, content=call.body, headers=call.headers, timeout=timeout
            )
        except httpx.TimeoutException:
            failure = TarishiConnectionError("timeout", f"No response within {timeout} seconds")
        except httpx.TransportError as error:
            failure = TarishiConnectionError("connection-failed", f"The connection failed: {error!r}")
        else:
            return _reply_of(call, response)
        # Not the cause nor the context: errors of httpx hold the request, and with it the token.
        raise failure


def _reply_of(call: Call, response: httpx.Response) -> Reply:
    headers = Message()
    for name, value in response.headers.multi_items():
        headers[name] = value
    return Reply(call.url, response.status_code, headers, response.content)
