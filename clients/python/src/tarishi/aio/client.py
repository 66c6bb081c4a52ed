"""The client of the Tarishi API for asyncio."""

from __future__ import annotations

from types import TracebackType
from typing import Optional

from .. import responses
from ..client import checked_url
from .caller import AsyncCaller
from .reading import InboundMessages, List, Messages, OptOuts, Receipts, Requests, Resources
from .sending import ChatApp, Data, Sms
from .tokens import AsyncTokens
from .transport import AsyncTransport


class AsyncTarishi:
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
        #: Calls any operation of the OpenAPI document by its `operationId`.
        self.call = caller.call
        self.sms = Sms(caller)
        self.data = Data(caller)
        self.chatapp = ChatApp(caller)
        self.messages = Messages(caller)
        self.requests = Requests(caller)
        self.inbound = InboundMessages(caller)
        self.receipts = Receipts(caller)
        self.opt_outs = OptOuts(caller)
        self.balances: List[responses.BalancePage, responses.Balance] = List(caller, "listBalances")
        self.services: Resources[responses.ServicePage, responses.Service] = Resources(
            caller, "listServices", "getService", "serviceId"
        )
        self.templates: Resources[responses.TemplatePage, responses.Template] = Resources(
            caller, "listTemplates", "getTemplate", "templateId"
        )
        self.campaigns: Resources[responses.CampaignPage, responses.Campaign] = Resources(
            caller, "listCampaigns", "getCampaign", "campaignId"
        )

    async def __aenter__(self) -> AsyncTarishi:
        return self

    async def __aexit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        await self.aclose()
