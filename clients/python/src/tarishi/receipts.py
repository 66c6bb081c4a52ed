"""Verifies receipts by the Standard Webhooks scheme, and says what a server responds to them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from typing import Callable, Iterable, Mapping, NamedTuple, Union, cast

from .errors import TarishiReceiptError, parsed
from .responses import Posted

#: `whsec_…`; two while one replaces the other.
Secrets = Union[str, Iterable[str]]
#: Of a request; names in any case, with underscores as in WSGI's environ, or as bytes as in ASGI's scope.
Headers = Union[Mapping[str, str], Iterable[tuple[bytes, bytes]]]


def verify_receipt(
    body: Union[bytes, str], headers: Headers, signing_secret: Secrets, *, tolerance: float = 300
) -> Posted:
    """The receipt in a request to your callback URL.

    `body` must be the bytes that were received, not parsed and written again. `tolerance` is how many seconds the
    timestamp may be from the present. Raises TarishiReceiptError if the request is not a receipt of yours.
    """
    found = _webhook_headers(headers)
    identifier, timestamp, signatures = (found.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not identifier or not timestamp or not signatures:
        raise TarishiReceiptError(
            "missing-headers", "The request has no webhook-id, webhook-timestamp or webhook-signature"
        )
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > tolerance:
        raise TarishiReceiptError(
            "timestamp-out-of-range", f"The timestamp is not within {tolerance} seconds of now"
        )
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{identifier}.{timestamp}.".encode() + content
    candidates = [one[3:].encode() for one in signatures.split(" ") if one.startswith("v1,")]
    secrets = [signing_secret] if isinstance(signing_secret, str) else signing_secret
    expected = [base64.b64encode(hmac.new(_key_of(one), signed, hashlib.sha256).digest()) for one in secrets]
    if not any(hmac.compare_digest(one, other) for one in expected for other in candidates):
        raise TarishiReceiptError("wrong-signature", "No signature was made with your signing secret")
    receipt = parsed(content)
    if receipt is None:
        raise TarishiReceiptError("malformed-body", "The body is not a JSON object")
    return cast(Posted, receipt)


class ReceiptResponse(NamedTuple):
    """What a server responds to a request."""

    status: int
    #: Plain text; empty with 204.
    text: str


def handle_receipt(
    body: Union[bytes, str],
    headers: Headers,
    signing_secret: Secrets,
    on_receipt: Callable[[Posted, str], None],
    *,
    tolerance: float = 300,
) -> ReceiptResponse:
    """Passes a verified receipt and its webhook-id to `on_receipt` and returns 204; returns 400 for anything else.

    What `on_receipt` raises is raised: respond with 500, and the receipt is posted again later. A receipt can arrive
    more than once, always with the same webhook-id: store the ids that you have processed.
    """
    try:
        receipt = verify_receipt(body, headers, signing_secret, tolerance=tolerance)
    except TarishiReceiptError as error:
        return ReceiptResponse(400, error.desc)
    on_receipt(receipt, _webhook_headers(headers)["webhook-id"])
    return ReceiptResponse(204, "")


def _webhook_headers(headers: Headers) -> dict[str, str]:
    pairs = headers.items() if hasattr(headers, "items") else headers
    found: dict[str, str] = {}
    for name, value in pairs:
        text = name.decode("latin-1") if isinstance(name, bytes) else str(name)
        key = text.lower().replace("_", "-")
        key = key[5:] if key.startswith("http-") else key
        if key.startswith("webhook-"):
            found[key] = value.decode("latin-1") if isinstance(value, bytes) else str(value)
    return found


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
    except binascii.Error:
        key = b""
    if not key:
        # A mistake in the settings, which must not look like a forged receipt.
        raise ValueError("the signing secret is not whsec_ and Base64")
    return key
