"""The client of the Tarishi API."""

from __future__ import annotations

from typing import Optional
from urllib.parse import urlsplit

from . import responses
from .caller import Caller
from .reading import InboundMessages, List, Messages, OptOuts, Receipts, Requests, Resources
from .sending import ChatApp, Data, Sms
from .tokens import Tokens
from .transport import Transport


def checked_url(base_url: str) -> str:
    """Without the slash at its end."""
    if urlsplit(base_url).scheme not in ("http", "https"):
        raise ValueError("base_url must begin with http:// or https://")
    return base_url[:-1] if base_url.endswith("/") else base_url


class Tarishi:
    """Calls the service on behalf of one client.

    It gets tokens, retries what is safe to retry and raises TarishiError. Make one and share it, between threads as
    well: its calls share a token.
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
        transport = Transport(retries, timeout)
        caller = Caller(transport, Tokens(transport, base_url, client_id, client_secret, scope), base_url)
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
