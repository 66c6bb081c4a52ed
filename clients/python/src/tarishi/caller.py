"""Calls an operation with a token and, where the operation takes one, an Idempotency-Key that all attempts share."""

from __future__ import annotations

import json
import re
import uuid
from datetime import datetime, timezone
from typing import Any, Iterator, Mapping, Optional, Union
from urllib.parse import quote, urlencode

from .errors import Reply, TarishiError, error_of, parsed
from .routes import ROUTES
from .tokens import Tokens
from .transport import Call, Transport

#: RFC 3339 text, or a datetime.
Instant = Union[str, datetime]


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
    headers = {"Accept": "*/*" if retry == "file" else "application/json"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if retry == "keyed":
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        headers["Idempotency-Key"] = _printable("idempotency_key", key)
    if request_id is not None:
        headers["X-Request-Id"] = _printable("request_id", request_id)
    content = None if body is None else json.dumps(_given(body)).encode()
    return Call(base_url + target_of(template, path, query), method, headers, content, retry != "unsafe")


def next_page(page: Any, query: Mapping[str, Any]) -> Optional[Mapping[str, Any]]:
    """The query for the page after this one; None after the last."""
    cursor = page.get("next")
    return None if cursor is None else {**query, "cursor": cursor}


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without those that are None, and with times as text."""
    return {name: instant_of(value) for name, value in values.items() if value is not None}


def with_token(call: Call, token: str) -> Call:
    return call._replace(headers={**call.headers, "Authorization": f"Bearer {token}"})


def result_of(operation: str, reply: Reply) -> Any:
    """The body of a 200. Raises TarishiError otherwise."""
    if reply.status != 200:
        raise error_of(reply)
    if ROUTES[operation][2] == "file":
        return reply.body
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
        return result_of(operation, reply)

    def each(
        self, operation: str, *, path: Optional[Mapping[str, str]] = None, query: Mapping[str, Any]
    ) -> Iterator[Any]:
        """The items of a list, page by page as they are needed."""
        more: Optional[Mapping[str, Any]] = query
        while more is not None:
            page = self.call(operation, path=path, query=more)
            yield from page["items"]
            more = next_page(page, query)


def target_of(template: str, path: Mapping[str, str], query: Mapping[str, Any]) -> str:
    """The path and query of a call. A query parameter that is None is left out."""
    filled = re.sub(r"\{(\w+)\}", lambda found: _segment_of(found.group(1), path), template)
    parameters = {name: _parameter_of(value) for name, value in _given(query).items()}
    return f"{filled}?{urlencode(parameters)}" if parameters else filled


def _parameter_of(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


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
