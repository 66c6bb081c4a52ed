"""The client of the Tarishi API for asyncio."""

from __future__ import annotations

from types import TracebackType
from typing import Optional

from ..client import checked_url
from .caller import AsyncCaller
from .methods import Methods
from .tokens import AsyncTokens
from .transport import AsyncTransport


class AsyncTarishi(Methods):
    """Like Tarishi, but its calls are awaited, and `each` is for `async for`.

    Make one for each event loop and share it between tasks. `async with`, or `aclose()`, closes its connections.
    """

    def __init__(
        self,
        *,
        base_url: str,
        client_id: str,
        client_secret: str,
        scope: Optional[str] = None,
        retries: int = 4,
        timeout: float = 30,
    ) -> None:
        """`scope`: by default all that the client has. `retries`: how often a call is retried at most. `timeout`:
        the seconds without data after which an attempt has failed."""
        base_url = checked_url(base_url)
        transport = AsyncTransport(retries, timeout)
        caller = AsyncCaller(transport, AsyncTokens(transport, base_url, client_id, client_secret, scope), base_url)
        #: Closes the connections.
        self.aclose = transport.aclose
        super().__init__(caller)

    async def __aenter__(self) -> AsyncTarishi:
        return self

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.aclose()
