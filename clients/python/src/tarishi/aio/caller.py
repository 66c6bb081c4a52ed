"""Calls an operation with a token and, where the operation takes one, an Idempotency-Key that all attempts share."""

from __future__ import annotations

from typing import Any, AsyncIterator, Mapping, Optional

from ..caller import next_page, prepared, result_of, with_token
from .tokens import AsyncTokens
from .transport import AsyncTransport


class AsyncCaller:
    """Safe to share between tasks."""

    def __init__(self, transport: AsyncTransport, tokens: AsyncTokens, base_url: str) -> None:
        self._transport = transport
        self._tokens = tokens
        self._base_url = base_url

    async def call(
        self,
        operation: str,
        *,
        path: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Returns the body of a 200. Raises TarishiError otherwise."""
        call = prepared(self._base_url, operation, path or {}, query or {}, body, idempotency_key, request_id)
        token = await self._tokens.current()
        reply = await self._transport.send(with_token(call, token), timeout)
        if reply.status == 401:
            # The token may have been revoked; if a new one is refused as well, the client has been.
            reply = await self._transport.send(with_token(call, await self._tokens.instead_of(token)), timeout)
        return result_of(operation, reply)

    async def each(
        self, operation: str, *, path: Optional[Mapping[str, str]] = None, query: Mapping[str, Any]
    ) -> AsyncIterator[Any]:
        """The items of a list, page by page as they are needed."""
        more: Optional[Mapping[str, Any]] = query
        while more is not None:
            page = await self.call(operation, path=path, query=more)
            for item in page["items"]:
                yield item
            more = next_page(page, query)
