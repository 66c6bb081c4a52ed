"""Gets access tokens by client credentials (RFC 6749, section 4.4) and keeps each until shortly before it expires."""

from __future__ import annotations

import asyncio
import time
from typing import Optional

from ..tokens import token_call, token_of
from .transport import AsyncTransport


class AsyncTokens:
    """Safe to share between tasks: those that need a token at the same time share one request for it."""

    def __init__(
        self, transport: AsyncTransport, base_url: str, client_id: str, client_secret: str, scope: Optional[str]
    ) -> None:
        self._transport = transport
        self._call = token_call(base_url, client_id, client_secret, scope)
        # Before Python 3.10 a lock belongs to the event loop in which it is made.
        self._lock: Optional[asyncio.Lock] = None
        self._token = ""
        self._renew_at = 0.0

    async def current(self) -> str:
        """A valid token, as far as is known."""
        return await self.instead_of("")

    async def instead_of(self, refused: str) -> str:
        """A token other than `refused`, which got a 401."""
        if self._lock is None:
            self._lock = asyncio.Lock()
        async with self._lock:
            # Another task may have renewed it while this one waited for its 401.
            if self._token in ("", refused) or time.monotonic() >= self._renew_at:
                requested_at = time.monotonic()
                self._token, lifetime = token_of(await self._transport.send(self._call))
                self._renew_at = requested_at + lifetime
            return self._token
