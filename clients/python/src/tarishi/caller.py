"""Calls an operation with a token and, where the operation takes one, an Idempotency-Key that all attempts share."""

from __future__ import annotations

import json
import re
import uuid
from datetime import datetime, timezone
from typing import Any, Mapping, Optional, Union
from urllib.parse import quote, urlencode

from .errors import Reply, TarishiError, error_of, parsed
from .tokens import Tokens
from .transport import Call, Transport

#: RFC 3339 text, or a datetime.
Instant = Union[str, datetime]

#: The operations of the API: method, path, and whether a retry is safe. `keyed`: yes, with the same Idempotency-Key;
#: `harmless`: yes, a second call changes nothing; `unsafe`: no, it would take effect again.
ROUTES: dict[str, tuple[str, str, str]] = {
    "sendSms": ("POST", "/message/{serviceId}", "keyed"),
    "previewSms": ("POST", "/message/{serviceId}/preview", "harmless"),
    "disburseMobileData": ("POST", "/data/{campaignId}", "keyed"),
    "previewMobileData": ("POST", "/data/{campaignId}/preview", "harmless"),
    "sendChatAppTemplate": ("POST", "/message/{serviceId}/chatapp", "keyed"),
    "previewChatAppTemplate": ("POST", "/message/{serviceId}/chatapp/preview", "harmless"),
    "listMessages": ("GET", "/messages", "harmless"),
    "listRequests": ("GET", "/requests", "harmless"),
    "getRequest": ("GET", "/requests/{requestId}", "harmless"),
    "cancelRequest": ("POST", "/requests/{requestId}/cancel", "harmless"),
    "listRequestMessages": ("GET", "/requests/{requestId}/messages", "harmless"),
    "listInboundMessages": ("GET", "/inbound-messages", "harmless"),
    "listReceipts": ("GET", "/receipts", "harmless"),
    "getReceipt": ("GET", "/receipts/{receiptId}", "harmless"),
    "resendReceipt": ("POST", "/receipts/{receiptId}/resend", "unsafe"),
    "replayReceipts": ("POST", "/receipts/replay", "unsafe"),
    "testReceipt": ("POST", "/receipts/test", "unsafe"),
    "listOptOuts": ("GET", "/opt-outs", "harmless"),
    "addOptOuts": ("POST", "/opt-outs", "harmless"),
    "removeOptOuts": ("POST", "/opt-outs/remove", "harmless"),
    "listBalances": ("GET", "/balances", "harmless"),
    "listServices": ("GET", "/services", "harmless"),
    "getService": ("GET", "/services/{serviceId}", "harmless"),
    "listTemplates": ("GET", "/templates", "harmless"),
    "getTemplate": ("GET", "/templates/{templateId}", "harmless"),
    "listCampaigns": ("GET", "/campaigns", "harmless"),
    "getCampaign": ("GET", "/campaigns/{campaignId}", "harmless"),
}


def prepared(
    base_url: str,
    operation: str,
    path: Mapping[str, str],
    query: Mapping[str, Any],
    body: Optional[Mapping[str, Any]],
    idempotency_key: Optional[str],
    request_id: Optional[str],
) -> Call:
    """The HTTP request of an operation, but for its token. Where the operation takes an Idempotency-Key, it has one."""
    method, template, retry = ROUTES[operation]
    headers = {"Accept": "application/json"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if retry == "keyed":
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        headers["Idempotency-Key"] = _printable("idempotency_key", key)
    if request_id is not None:
        headers["X-Request-Id"] = _printable("request_id", request_id)
    content = None if body is None else json.dumps(body).encode()
    return Call(base_url + target_of(template, path, query), method, headers, content, retry != "unsafe")


def with_token(call: Call, token: str) -> Call:
    return call._replace(headers={**call.headers, "Authorization": f"Bearer {token}"})


def result_of(reply: Reply) -> Any:
    """The body of a 200. Raises TarishiError otherwise."""
    if reply.status != 200:
        raise error_of(reply)
    result = parsed(reply.body)
    if result is None:
        raise TarishiError("unknown", "The response is not JSON", status=200)
    return result


class Caller:
    """Safe to share between threads."""

    def __init__(self, transport: Transport, tokens: Tokens, base_url: str) -> None:
        self._transport = transport
        self._tokens = tokens
        self._base_url = base_url

    def call(
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
        token = self._tokens.current()
        reply = self._transport.send(with_token(call, token), timeout)
        if reply.status == 401:
            # The token may have been revoked; if a new one is refused as well, the client has been.
            reply = self._transport.send(with_token(call, self._tokens.instead_of(token)), timeout)
        return result_of(reply)


def target_of(template: str, path: Mapping[str, str], query: Mapping[str, Any]) -> str:
    """The path and query of a call. A query parameter that is None is left out."""
    filled = re.sub(r"\{(\w+)\}", lambda found: _segment_of(found.group(1), path), template)
    parameters = {name: _parameter_of(value) for name, value in query.items() if value is not None}
    return f"{filled}?{urlencode(parameters)}" if parameters else filled


def _parameter_of(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else instant_of(value)


def _segment_of(name: str, path: Mapping[str, str]) -> str:
    """Proxies remove `.` and `..`, however they are encoded: the call would reach another operation."""
    if path[name] in ("", ".", ".."):
        raise ValueError(f'{name} must be an id, not "{path[name]}"')
    return quote(path[name], safe="")


def instant_of(value: Any) -> Any:
    """The RFC 3339 form of a datetime; a datetime without a zone is in local time. Other values stay."""
    if not isinstance(value, datetime):
        return value
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _printable(name: str, value: str) -> str:
    if not re.fullmatch("[ -~]{1,255}", value):
        raise ValueError(f"{name} must have 1 to 255 printable ASCII characters")
    return value
