"""What the service returns and posts. Written by clients/python/write-types.ts from the OpenAPI document.

Responses and receipts may gain properties and values: ignore what you do not know.
"""

from typing import Literal, TypedDict, Union


class _SentSmsResult(TypedDict):
    type: Literal["SmsResponse"]
    requestId: str
    units: dict[str, int]
    addresses: dict[str, int]


class SentSmsResult(_SentSmsResult, total=False):
    """What was accepted, and what it cost."""

    scheduledFor: str


class SentSms(TypedDict):
    """The response to an accepted send."""

    result: SentSmsResult


class PreviewProblem(TypedDict):
    """A reason why a send would be rejected or, with the code `duplicated`, `opted-out` or `quiet-hours`,
    have no effect."""

    code: str
    desc: str


class _PreviewAccount(TypedDict):
    product: str
    units: int
    balance: int


class PreviewAccount(_PreviewAccount, total=False):
    """What the request would cost one account of your team."""

    channel: str
    denomination: str
    category: str
    remaining: int


class _SmsPreviewRecipient(TypedDict):
    written: str
    problems: list[PreviewProblem]


class SmsPreviewRecipient(_SmsPreviewRecipient, total=False):
    """One recipient. What depends on a plan is absent if the recipient has problems."""

    phone: str
    channel: str
    text: str
    units: int
    encoding: str
    parts: int
    scheduledFor: str


class _SmsPreview(TypedDict):
    sendable: bool
    problems: list[PreviewProblem]
    units: dict[str, int]
    addresses: dict[str, int]
    ignoredProperties: list[str]
    accounts: list[PreviewAccount]
    recipients: list[SmsPreviewRecipient]


class SmsPreview(_SmsPreview, total=False):
    """What a send of the same body would do."""

    scheduledFor: str


class _DisbursedMobileData(TypedDict):
    requestId: str
    units: dict[str, dict[str, int]]
    addresses: dict[str, int]


class DisbursedMobileData(_DisbursedMobileData, total=False):
    """The response to an accepted disbursement."""

    scheduledFor: str


class PreviewMessage(TypedDict):
    """The SMS that accompanies a bundle."""

    text: str
    units: int
    encoding: str
    parts: int


class _MobileDataPreviewRecipient(TypedDict):
    written: str
    problems: list[PreviewProblem]


class MobileDataPreviewRecipient(_MobileDataPreviewRecipient, total=False):
    """One recipient. What depends on a plan is absent if the recipient has problems that reject the
    request."""

    phone: str
    channel: str
    denomination: str
    units: int
    message: PreviewMessage


class _MobileDataPreview(TypedDict):
    sendable: bool
    problems: list[PreviewProblem]
    units: dict[str, dict[str, int]]
    addresses: dict[str, int]
    accounts: list[PreviewAccount]
    recipients: list[MobileDataPreviewRecipient]


class MobileDataPreview(_MobileDataPreview, total=False):
    """What a disbursement of the same body would do."""

    scheduledFor: str


class _SentChatAppTemplateResult(TypedDict):
    type: Literal["ChatAppResponse"]
    requestId: str
    addresses: int
    units: dict[str, int]


class SentChatAppTemplateResult(_SentChatAppTemplateResult, total=False):
    """What was accepted, and what it cost."""

    scheduledFor: str


class SentChatAppTemplate(TypedDict):
    """The response to an accepted send."""

    result: SentChatAppTemplateResult


class _PreviewHeader(TypedDict):
    format: str


class PreviewHeader(_PreviewHeader, total=False):
    """The header, with what its format needs."""

    text: str
    url: str
    filename: str
    latitude: float
    longitude: float
    name: str
    address: str


class _PreviewButton(TypedDict):
    type: str
    text: str


class PreviewButton(_PreviewButton, total=False):
    """A button below the message."""

    value: str


class _PreviewOffer(TypedDict):
    text: str


class PreviewOffer(_PreviewOffer, total=False):
    """The limited-time offer of the template."""

    endsAt: str


class _PreviewCard(TypedDict):
    buttons: list[PreviewButton]


class PreviewCard(_PreviewCard, total=False):
    """One card of a carousel."""

    header: PreviewHeader
    body: str


class _ChatAppPreviewRecipient(TypedDict):
    written: str
    problems: list[PreviewProblem]


class ChatAppPreviewRecipient(_ChatAppPreviewRecipient, total=False):
    """One recipient. What depends on a plan is absent if the recipient has problems."""

    phone: str
    units: int
    header: PreviewHeader
    body: str
    footer: str
    buttons: list[PreviewButton]
    offer: PreviewOffer
    cards: list[PreviewCard]
    scheduledFor: str


class _ChatAppPreview(TypedDict):
    sendable: bool
    problems: list[PreviewProblem]
    units: dict[str, int]
    addresses: int
    accounts: list[PreviewAccount]
    recipients: list[ChatAppPreviewRecipient]


class ChatAppPreview(_ChatAppPreview, total=False):
    """What a send of the same body would do."""

    scheduledFor: str


class _TimelineEntry(TypedDict):
    event: str
    at: str


class TimelineEntry(_TimelineEntry, total=False):
    """One thing that happened to a message."""

    state: str
    reason: str
    reasonCode: str
    receiptId: str


class _Message(TypedDict):
    messageId: str
    requestId: str
    position: int
    product: str
    state: str
    units: int
    refunded: bool
    acceptedAt: str
    timeline: list[TimelineEntry]


class Message(_Message, total=False):
    """One message or bundle, and what happened to it."""

    phone: str
    channel: str
    phoneNumberId: str
    denomination: str
    reason: str
    reasonCode: str
    segments: int
    correlator: str
    scheduledFor: str


class _MessagePage(TypedDict):
    items: list[Message]


class MessagePage(_MessagePage, total=False):
    """One page of messages."""

    next: str


class _AcceptedRequest(TypedDict):
    requestId: str
    product: str
    acceptedAt: str
    messages: int
    states: dict[str, int]


class AcceptedRequest(_AcceptedRequest, total=False):
    """An accepted request, and the state of its messages."""

    serviceId: str
    campaignId: str
    sender: str
    correlator: str
    callbackUrl: str
    scheduledFor: str


class _RequestPage(TypedDict):
    items: list[AcceptedRequest]


class RequestPage(_RequestPage, total=False):
    """One page of requests."""

    next: str


class _AccountUnits(TypedDict):
    product: str
    units: int


class AccountUnits(_AccountUnits, total=False):
    """Units of one account."""

    channel: str
    denomination: str
    category: str


class CancelledRequest(TypedDict):
    """What cancellations of a request have come to."""

    requestId: str
    cancelled: int
    late: int
    refunded: list[AccountUnits]


class InboundMedia(TypedDict):
    """A file that a person sent. It stays at the network."""

    id: str
    mimeType: str


class _RepliedTo(TypedDict):
    requestId: str


class RepliedTo(_RepliedTo, total=False):
    """The last message of the service to that number in the 72 hours before."""

    correlator: str


class _InboundMessage(TypedDict):
    type: Literal["InboundMessage"]
    messageId: str
    product: str
    serviceId: str
    to: str
    kind: str
    receivedAt: str


_InboundMessageWords = TypedDict("_InboundMessageWords", {"from": str}, total=False)


class InboundMessage(_InboundMessage, _InboundMessageWords, total=False):
    """A message that a person sent to a sender of yours."""

    text: str
    media: InboundMedia
    missingParts: int
    keyword: str
    inReplyTo: RepliedTo


class _InboundPage(TypedDict):
    items: list[InboundMessage]


class InboundPage(_InboundPage, total=False):
    """One page of messages that people sent."""

    next: str


class _ReceiptAttempt(TypedDict):
    at: str
    latencyMs: int


class ReceiptAttempt(_ReceiptAttempt, total=False):
    """One attempt to post a receipt."""

    status: int
    error: str
    response: str
    nextAttemptAt: str


class _Receipt(TypedDict):
    receiptId: str
    sequence: int
    callbackUrl: str
    state: str
    createdAt: str
    attempts: list[ReceiptAttempt]


class Receipt(_Receipt, total=False):
    """A delivery receipt or a message that a person sent, and the attempts to post it."""

    requestId: str
    inboundMessageId: str
    body: str
    nextAttemptAt: str


class _ReceiptPage(TypedDict):
    items: list[Receipt]


class ReceiptPage(_ReceiptPage, total=False):
    """One page of receipts."""

    next: str


class ReplayResponse(TypedDict):
    """The response to a replay."""

    receipts: int
    more: bool


class _ReceiptTestResponse(TypedDict):
    receiptId: str
    latencyMs: int


class ReceiptTestResponse(_ReceiptTestResponse, total=False):
    """What became of the sample."""

    status: int
    error: str
    response: str


class _OptOut(TypedDict):
    product: str
    target: str
    source: str
    createdAt: str


class OptOut(_OptOut, total=False):
    """A phone number that wants no more messages."""

    phone: str
    serviceId: str


class _OptOutPage(TypedDict):
    items: list[OptOut]


class OptOutPage(_OptOutPage, total=False):
    """One page of opt-outs."""

    next: str


class OptOutsChanged(TypedDict):
    """What changed."""

    changed: int
    unchanged: int


class _Balance(TypedDict):
    product: str
    balance: int


class Balance(_Balance, total=False):
    """What one account of your team holds."""

    channel: str
    denomination: str
    category: str


class _BalancePage(TypedDict):
    items: list[Balance]


class BalancePage(_BalancePage, total=False):
    """One page of balances."""

    next: str


class ServicePhoneNumbersItem(TypedDict):
    phoneNumberId: str
    phone: str


class _Service(TypedDict):
    product: str
    id: str
    name: str
    status: str
    createdAt: str


class Service(_Service, total=False):
    """A service that SMS or chat-app messages are sent through."""

    sender: str
    phoneNumbers: list[ServicePhoneNumbersItem]


class _ServicePage(TypedDict):
    items: list[Service]


class ServicePage(_ServicePage, total=False):
    """One page of services."""

    next: str


class _TemplateCardSlot(TypedDict):
    type: str
    required: bool


class TemplateCardSlot(_TemplateCardSlot, total=False):
    """A parameter that a card of a carousel takes."""

    name: str
    position: int


class _TemplateSlot(TypedDict):
    required: bool


class TemplateSlot(_TemplateSlot, total=False):
    """A parameter that the template takes."""

    type: str
    name: str
    position: int
    cardIndex: int
    params: list[TemplateCardSlot]
    format: str
    maxLength: int
    defaultValue: str


class _Template(TypedDict):
    product: str
    id: str
    category: str
    status: str
    approvalStatus: str
    content: str
    parameters: list[TemplateSlot]
    createdAt: str
    updatedAt: str


class Template(_Template, total=False):
    """An SMS or chat-app template."""

    reviewComment: str
    description: str
    managedServiceKey: str
    name: str
    language: str


class _TemplatePage(TypedDict):
    items: list[Template]


class TemplatePage(_TemplatePage, total=False):
    """One page of templates."""

    next: str


class _Campaign(TypedDict):
    id: str
    name: str
    status: str
    serviceId: str
    allowedDenominations: list[str]
    frequency: str
    createdAt: str


class Campaign(_Campaign, total=False):
    """A campaign for mobile-data bundles, and its rules."""

    expiresAt: str


class _CampaignPage(TypedDict):
    items: list[Campaign]


class CampaignPage(_CampaignPage, total=False):
    """One page of campaigns."""

    next: str


class BodyNamedParameter(TypedDict):
    """A body placeholder by name, written `{{name}}`."""

    type: Literal["BodyNamedParameter"]
    name: str
    value: str


class BodyPositionalParameter(TypedDict):
    """A body placeholder by position, written `{{1}}`."""

    type: Literal["BodyPositionalParameter"]
    position: int
    value: str


class HeaderNamedParameter(TypedDict):
    """A header placeholder by name. The filled header has at most 60 characters."""

    type: Literal["HeaderNamedParameter"]
    name: str
    value: str


class HeaderPositionalParameter(TypedDict):
    """A header placeholder by position. The filled header has at most 60 characters."""

    type: Literal["HeaderPositionalParameter"]
    position: int
    value: str


class _MediaParameter(TypedDict):
    type: Literal["MediaParameter"]
    value: str


class MediaParameter(_MediaParameter, total=False):
    """The header's image, video or document, depending on the template."""

    filename: str


class _LocationParameter(TypedDict):
    type: Literal["LocationParameter"]
    latitude: float
    longitude: float
    value: str


class LocationParameter(_LocationParameter, total=False):
    """The location in the header."""

    address: str


class UrlNamedParameter(TypedDict):
    """The placeholder of a URL button, by name."""

    type: Literal["UrlNamedParameter"]
    name: str
    value: str


class UrlPositionalParameter(TypedDict):
    """The placeholder of a URL button. `position` counts the URL buttons with a placeholder."""

    type: Literal["UrlPositionalParameter"]
    position: int
    value: str


class QuickReplyPayloadParameter(TypedDict):
    """The payload that the network sends when a quick-reply button is tapped. `position` counts these
    buttons. Without a payload the network sends the button's text."""

    type: Literal["QuickReplyPayloadParameter"]
    position: int
    value: str


class CopyParameter(TypedDict):
    """The text that a copy button copies. `position` counts these buttons."""

    type: Literal["CopyParameter"]
    position: int
    value: str


class CouponCodeParameter(TypedDict):
    """The coupon code of an offer."""

    type: Literal["CouponCodeParameter"]
    value: str


class OtpParameter(TypedDict):
    """A one-time password, in both the body and the copy button. AUTHENTICATION templates only."""

    type: Literal["OtpParameter"]
    value: str


class LimitedTimeOfferParameter(TypedDict):
    """When an offer ends. MARKETING templates only."""

    type: Literal["LimitedTimeOfferParameter"]
    value: str


#: Fills one place of a carousel card.
ChatAppCardParameter = Union[
    BodyNamedParameter,
    BodyPositionalParameter,
    UrlNamedParameter,
    UrlPositionalParameter,
    QuickReplyPayloadParameter,
    CopyParameter,
]


class CarouselCardParameter(TypedDict):
    """A card of a carousel. Every approved card is sent exactly once."""

    type: Literal["CarouselCardParameter"]
    cardIndex: int
    value: str
    params: list[ChatAppCardParameter]


#: Fills one place of the template, selected by `type`.
ChatAppParameter = Union[
    BodyNamedParameter,
    BodyPositionalParameter,
    HeaderNamedParameter,
    HeaderPositionalParameter,
    MediaParameter,
    LocationParameter,
    UrlNamedParameter,
    UrlPositionalParameter,
    QuickReplyPayloadParameter,
    CopyParameter,
    CouponCodeParameter,
    OtpParameter,
    LimitedTimeOfferParameter,
    CarouselCardParameter,
]


#: The size of a bundle. The campaign sets the allowed sizes.
Denomination = Literal[
    "10MB",
    "20MB",
    "25MB",
    "30MB",
    "50MB",
    "100MB",
    "150MB",
    "200MB",
    "250MB",
    "500MB",
    "750MB",
    "1GB",
    "2GB",
    "3GB",
    "5GB",
    "10GB",
]


class _SmsDeliveryReceipt(TypedDict):
    type: Literal["SmsDeliveryReceipt"]
    requestId: str
    position: int
    phone: str
    sequence: int
    timestamp: str
    deliveryStatus: str


class SmsDeliveryReceipt(_SmsDeliveryReceipt, total=False):
    """The final state of one SMS."""

    correlator: str
    reason: str
    reasonCode: str


class _DataDeliveryReceipt(TypedDict):
    type: Literal["DataDeliveryReceipt"]
    requestId: str
    position: int
    correlator: str
    phone: str
    denomination: str
    sequence: int
    timestamp: str
    deliveryStatus: str


class DataDeliveryReceipt(_DataDeliveryReceipt, total=False):
    """The final state of one bundle."""

    reason: str
    reasonCode: str


class _ChatAppDeliveryReceipt(TypedDict):
    type: Literal["ChatAppDeliveryReceipt"]
    requestId: str
    position: int
    correlator: str
    phone: str
    phoneNumberId: str
    sequence: int
    timestamp: str
    deliveryStatus: str


class ChatAppDeliveryReceipt(_ChatAppDeliveryReceipt, total=False):
    """One state that a chat-app message has reached."""

    messageId: str
    reason: str
    reasonCode: str


#: What became of a message.
DeliveryReceipt = Union[SmsDeliveryReceipt, DataDeliveryReceipt, ChatAppDeliveryReceipt]


#: What is posted to a callback URL.
Posted = Union[DeliveryReceipt, InboundMessage]
