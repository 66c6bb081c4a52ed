"""The errors that calls and receipts end with, all of one class, and how one is read from a response."""

from __future__ import annotations

import json
import re
import time
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, Optional
from urllib.parse import urljoin


class TarishiError(Exception):
    """Why a call failed. Decide by `status` and `code`; `desc` is for people and may change."""

    #: The HTTP status; None if there was no response.
    status: Optional[int]
    #: The `Error-Code` of the response, such as `insufficient-units`; `unknown` if it has none.
    code: str
    #: What is wrong, in one sentence.
    desc: str
    #: Details, such as the faults of template parameters.
    result: Any
    #: The id to give when you ask for help.
    request_id: Optional[str]
    #: The number of seconds to wait before you try again, if the response says so.
    retry_after: Optional[int]
    #: The page that explains the error and how to fix it.
    help_url: Optional[str]

    def __init__(
        self,
        code: str,
        desc: str,
        *,
        status: Optional[int] = None,
        result: Any = None,
        request_id: Optional[str] = None,
        retry_after: Optional[int] = None,
        help_url: Optional[str] = None,
    ) -> None:
        facts = [str(fact) for fact in (status, code, request_id) if fact is not None]
        super().__init__(f"{desc} ({', '.join(facts)})")
        self.status = status
        self.code = code
        self.desc = desc
        self.result = result
        self.request_id = request_id
        self.retry_after = retry_after
        self.help_url = help_url


class TarishiConnectionError(TarishiError):
    """There was no response; `code` is `timeout` or `connection-failed`, and `__cause__` the underlying error."""


class TarishiReceiptError(TarishiError):
    """What was posted to you is not a receipt of yours.

    `code` is `missing-headers`, `timestamp-out-of-range`, `wrong-signature` or `malformed-body`.
    """


class Reply(NamedTuple):
    """A response whose body was read."""

    url: str
    status: int
    headers: Message
    body: bytes


def error_of(reply: Reply) -> TarishiError:
    """The error that a response without success means, also if it came from a proxy and not from the service."""
    body = parsed(reply.body) or {}
    code = reply.headers.get("Error-Code") or body.get("error")
    desc = body.get("desc") or body.get("error_description")
    return TarishiError(
        code if isinstance(code, str) else "unknown",
        desc if isinstance(desc, str) else f"The response has the status {reply.status}",
        status=reply.status,
        result=body.get("result"),
        request_id=reply.headers.get("X-Request-Id"),
        retry_after=retry_after_of(reply.headers),
        help_url=_help_url_of(reply),
    )


def retry_after_of(headers: Message) -> Optional[int]:
    """The seconds of `Retry-After`, which may also be a date (RFC 9110, section 10.2.3)."""
    value = headers.get("Retry-After", "").strip()
    if re.fullmatch("[0-9]{1,9}", value):
        return int(value)
    try:
        return max(0, round(parsedate_to_datetime(value).timestamp() - time.time()))
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _help_url_of(reply: Reply) -> Optional[str]:
    found = re.search(r'<([^<>]*)>\s*;\s*rel="?help"?', reply.headers.get("Link", ""))
    return urljoin(reply.url, found.group(1)) if found else None


def parsed(body: bytes) -> Optional[dict[str, Any]]:
    """None if the body is not a JSON object."""
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
