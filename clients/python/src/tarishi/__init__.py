"""The client of the Tarishi API, and everything that the package exports."""

from .bodies import ChatAppMessage, Disbursement, SmsMessage
from .client import Tarishi
from .errors import TarishiConnectionError, TarishiError, TarishiReceiptError
from .receipts import handle_receipt, verify_receipt

__all__ = [
    "ChatAppMessage",
    "Disbursement",
    "SmsMessage",
    "Tarishi",
    "TarishiConnectionError",
    "TarishiError",
    "TarishiReceiptError",
    "handle_receipt",
    "verify_receipt",
]
