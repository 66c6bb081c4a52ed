"""The client of the Tarishi API."""

from __future__ import annotations

from typing import Optional
from urllib.parse import urlsplit

from .caller import Caller
from .methods import Methods
from .tokens import Tokens
from .transport import Transport


def checked_url(base_url: str) -> str:
    """Without the slash at its end."""
    if urlsplit(base_url).scheme not in ("http", "https"):
        raise ValueError("base_url must begin with http:// or https://")
    return base_url[:-1] if base_url.endswith("/") else base_url


class Tarishi(Methods):
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
        super().__init__(caller)
