"""Gets access tokens by client credentials (RFC 6749, section 4.4) and keeps each until shortly before it expires."""

from __future__ import annotations

import threading
import time
from typing import Optional
from urllib.parse import urlencode

from .errors import Reply, TarishiError, error_of, parsed
from .transport import Call, Transport

#: A token this close to its end may have expired when it arrives.
_MARGIN_SECONDS = 60


def token_call(base_url: str, client_id: str, client_secret: str, scope: Optional[str]) -> Call:
    form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
    if scope is not None:
        form["scope"] = scope
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    return Call(f"{base_url}/oauth/token", "POST", headers, urlencode(form).encode(), True)


def token_of(reply: Reply) -> tuple[str, float]:
    """The token, and for how many seconds after its request it is kept."""
    if reply.status != 200:
        raise error_of(reply)
    body = parsed(reply.body) or {}
    try:
        token, lifetime = str(body["access_token"]), float(body["expires_in"])
    except (KeyError, TypeError, ValueError):
        raise TarishiError("unknown", "The response holds no access token", status=200) from None
    return token, max(lifetime - _MARGIN_SECONDS, lifetime / 2)


class Tokens:
    """Safe to share between threads: those that need a token at the same time share one request for it."""

    def __init__(
        self, transport: Transport, base_url: str, client_id: str, client_secret: str, scope: Optional[str]
    ) -> None:
        self._transport = transport
        self._call = token_call(base_url, client_id, client_secret, scope)
        self._lock = threading.Lock()
        self._token = ""
        self._renew_at = 0.0

    def current(self) -> str:
        """A valid token, as far as is known."""
        return self.instead_of("")

    def instead_of(self, refused: str) -> str:
        """A token other than `refused`, which got a 401."""
        with self._lock:
            # Another thread may have renewed it while this one waited for its 401.
            if self._token in ("", refused) or time.monotonic() >= self._renew_at:
                requested_at = time.monotonic()
                self._token, lifetime = token_of(self._transport.send(self._call))
                self._renew_at = requested_at + lifetime
            return self._token
