"""What the service returns and posts, as the OpenAPI document says: written by npm run generate.

Responses and receipts may gain properties and values: ignore what you do not know.
"""

from typing import Literal, TypedDict, Union


class _SentSmsResult(TypedDict):
    type: Literal["SmsResponse"]
    #: Unique per request; every receipt of the request contains it.
    requestId: str
    #: Units debited, by channel; every active channel is listed.
    units: dict[str, int]
    #: Messages routed, by channel; every active channel is listed.
    addresses: dict[str, int]


class SentSmsResult(_SentSmsResult, total=False):
    """What was accepted, and what it cost."""

    #: When it is sent: at `schedule.sendAt`, or later when quiet hours end. Of a request: when the first
    #: of its messages is. Absent if it is sent at once.
    scheduledFor: str


class SentSms(TypedDict):
    """The response to an accepted send."""

    #: What was accepted, and what it cost.
    result: SentSmsResult


class PreviewProblem(TypedDict):
    """A reason why a send would be rejected or, with the code `duplicated`, `opted-out` or `quiet-hours`,
    have no effect."""

    #: Names the problem for programs: the `Error-Code` of the rejected send, `duplicated`, `opted-out`
    #: or `quiet-hours`. More codes may be added.
    code: str
    #: What is wrong, in one sentence.
    desc: str


class _PreviewAccount(TypedDict):
    #: What is sent. More products may be added.
    product: str
    #: Units that the send would debit, for all recipients without problems.
    units: int
    #: Units in the account now.
    balance: int


class PreviewAccount(_PreviewAccount, total=False):
    """What the request would cost one account of your team."""

    #: The channel of a mobile-data account.
    channel: str
    #: The bundle size of a mobile-data account.
    denomination: str
    #: The category of messages that a chat-app account pays for.
    category: str
    #: Units left after the send. Absent if the balance does not cover it.
    remaining: int


class _SmsPreviewRecipient(TypedDict):
    #: The phone number as the request has it.
    written: str
    #: Empty if nothing is wrong. At most 100 are listed.
    problems: list[PreviewProblem]


class SmsPreviewRecipient(_SmsPreviewRecipient, total=False):
    """One recipient. What depends on a plan is absent if the recipient has problems."""

    #: The phone number in E.164 form, or the user id. Absent if it cannot be parsed.
    phone: str
    #: The channel that the message would go through. Absent if the recipient has problems that reject
    #: the request.
    channel: str
    #: The text that the recipient would get, with its parameters filled in.
    text: str
    #: Units that the text costs, one for every 160 characters.
    units: int
    #: How the text is submitted to the network: in the GSM 7-bit alphabet, or in UCS-2 if a character
    #: needs it. More encodings may be added.
    encoding: str
    #: How many short messages are submitted to the network for the text; 1 if the network splits the
    #: text itself. Parts are not billed: see `units`.
    parts: int
    #: When it is sent: at `schedule.sendAt`, or later when quiet hours end. Of a request: when the first
    #: of its messages is. Absent if it is sent at once.
    scheduledFor: str


class _SmsPreview(TypedDict):
    #: Whether the request would be accepted if it were sent now. It would be rejected as a whole if one
    #: recipient has a problem other than `duplicated`, `opted-out` and `quiet-hours`.
    sendable: bool
    #: What is wrong with the whole request.
    problems: list[PreviewProblem]
    #: Units that would be debited, by channel; every active channel is listed.
    units: dict[str, int]
    #: Messages that would be sent, by channel; every active channel is listed.
    addresses: dict[str, int]
    #: JSON pointers of the properties of a free-form body that have no effect, each property of the
    #: entries once.
    ignoredProperties: list[str]
    #: The accounts that would pay. Empty if nothing is billed.
    accounts: list[PreviewAccount]
    #: In the order of the request. Where a repeated number is one recipient, it is listed once.
    recipients: list[SmsPreviewRecipient]


class SmsPreview(_SmsPreview, total=False):
    """What a send of the same body would do."""

    #: When it is sent: at `schedule.sendAt`, or later when quiet hours end. Of a request: when the first
    #: of its messages is. Absent if it is sent at once.
    scheduledFor: str


class _DisbursedMobileData(TypedDict):
    #: Unique per request; every receipt of the request contains it.
    requestId: str
    #: Bundles debited, by channel and denomination; every active channel is listed. Units of
    #: accompanying SMS are not included.
    units: dict[str, dict[str, int]]
    #: Bundles routed, by channel; every active channel is listed.
    addresses: dict[str, int]


class DisbursedMobileData(_DisbursedMobileData, total=False):
    """The response to an accepted disbursement."""

    #: When it is sent: at `schedule.sendAt`, or later when quiet hours end. Of a request: when the first
    #: of its messages is. Absent if it is sent at once.
    scheduledFor: str


class PreviewMessage(TypedDict):
    """The SMS that accompanies a bundle, or is in reserve for a chat-app message."""

    #: The text that the recipient would get, with its parameters filled in.
    text: str
    #: Units that the text costs, one for every 160 characters.
    units: int
    #: How the text is submitted to the network: in the GSM 7-bit alphabet, or in UCS-2 if a character
    #: needs it. More encodings may be added.
    encoding: str
    #: How many short messages are submitted to the network for the text; 1 if the network splits the
    #: text itself. Parts are not billed: see `units`.
    parts: int


class _MobileDataPreviewRecipient(TypedDict):
    #: The phone number as the request has it.
    written: str
    #: Empty if nothing is wrong. At most 100 are listed.
    problems: list[PreviewProblem]


class MobileDataPreviewRecipient(_MobileDataPreviewRecipient, total=False):
    """One recipient. What depends on a plan is absent if the recipient has problems that reject the
    request."""

    #: The phone number in E.164 form, or the user id. Absent if it cannot be parsed.
    phone: str
    #: The channel that the message would go through. Absent if the recipient has problems that reject
    #: the request.
    channel: str
    #: The size of the bundle.
    denomination: str
    #: Units that the bundle costs.
    units: int
    #: The SMS that would follow the bundle. Absent if there is none.
    message: PreviewMessage


class _MobileDataPreview(TypedDict):
    #: Whether the request would be accepted if it were sent now. It would be rejected as a whole if one
    #: recipient has a problem other than `duplicated`, `opted-out` and `quiet-hours`.
    sendable: bool
    #: What is wrong with the whole request.
    problems: list[PreviewProblem]
    #: Bundles that would be debited, by channel and denomination; every active channel is listed.
    units: dict[str, dict[str, int]]
    #: Bundles that would be given, by channel; every active channel is listed.
    addresses: dict[str, int]
    #: The accounts that would pay. Empty if nothing is billed.
    accounts: list[PreviewAccount]
    #: In the order of the request. Where a repeated number is one recipient, it is listed once.
    recipients: list[MobileDataPreviewRecipient]


class MobileDataPreview(_MobileDataPreview, total=False):
    """What a disbursement of the same body would do."""

    #: When it is sent: at `schedule.sendAt`, or later when quiet hours end. Of a request: when the first
    #: of its messages is. Absent if it is sent at once.
    scheduledFor: str


class _SentChatAppTemplateResult(TypedDict):
    type: Literal["ChatAppResponse"]
    #: Unique per request; every receipt of the request contains it.
    requestId: str
    #: The number of messages.
    addresses: int
    #: Units debited by category. Empty when the team is not billed.
    units: dict[str, int]


class SentChatAppTemplateResult(_SentChatAppTemplateResult, total=False):
    """What was accepted, and what it cost."""

    #: When it is sent: at `schedule.sendAt`, or later when quiet hours end. Of a request: when the first
    #: of its messages is. Absent if it is sent at once.
    scheduledFor: str


class SentChatAppTemplate(TypedDict):
    """The response to an accepted send."""

    #: What was accepted, and what it cost.
    result: SentChatAppTemplateResult


class _PreviewHeader(TypedDict):
    #: What the header consists of. More formats may be added.
    format: str


class PreviewHeader(_PreviewHeader, total=False):
    """The header, with what its format needs."""

    #: The text of a text header with its parameters filled in.
    text: str
    #: Where the image, video or document is.
    url: str
    #: The name that a document is shown with.
    filename: str
    #: The latitude of a location, in degrees.
    latitude: float
    #: The longitude of a location, in degrees.
    longitude: float
    #: The name of a location.
    name: str
    #: The address of a location.
    address: str


class _PreviewButton(TypedDict):
    #: What the button does. More types may be added.
    type: str
    #: What is written on the button.
    text: str


class PreviewButton(_PreviewButton, total=False):
    """A button below the message."""

    #: The URL that it opens, the code that it copies, or the payload that it returns.
    value: str


class _PreviewOffer(TypedDict):
    #: What the offer is called.
    text: str


class PreviewOffer(_PreviewOffer, total=False):
    """The limited-time offer of the template."""

    #: When the offer ends. Absent if it has no end.
    endsAt: str


class _PreviewCard(TypedDict):
    #: In the order of the template.
    buttons: list[PreviewButton]


class PreviewCard(_PreviewCard, total=False):
    """One card of a carousel."""

    #: The header, with what its format needs.
    header: PreviewHeader
    #: The text of the card with its parameters filled in.
    body: str


class _ChatAppPreviewRecipient(TypedDict):
    #: The phone number as the request has it.
    written: str
    #: Empty if nothing is wrong. At most 100 are listed.
    problems: list[PreviewProblem]


class ChatAppPreviewRecipient(_ChatAppPreviewRecipient, total=False):
    """One recipient. What depends on a plan is absent if the recipient has problems."""

    #: The phone number in E.164 form, or the user id. Absent if it cannot be parsed.
    phone: str
    #: Units that the message costs; 0 if the team is not billed.
    units: int
    #: The header, with what its format needs.
    header: PreviewHeader
    #: The text of the body with its parameters filled in; the text of a reply, or the caption of its
    #: file.
    body: str
    #: The text below the body.
    footer: str
    #: In the order of the template.
    buttons: list[PreviewButton]
    #: The limited-time offer of the template.
    offer: PreviewOffer
    #: The cards of a carousel, in their order.
    cards: list[PreviewCard]
    #: The SMS in reserve. Absent if there is none.
    fallback: PreviewMessage
    #: When it is sent: at `schedule.sendAt`, or later when quiet hours end. Of a request: when the first
    #: of its messages is. Absent if it is sent at once.
    scheduledFor: str


class _ChatAppPreview(TypedDict):
    #: Whether the request would be accepted if it were sent now. It would be rejected as a whole if one
    #: recipient has a problem other than `duplicated`, `opted-out` and `quiet-hours`.
    sendable: bool
    #: What is wrong with the whole request.
    problems: list[PreviewProblem]
    #: Units that would be debited, by category. Empty if the team is not billed.
    units: dict[str, int]
    #: Messages that would be sent.
    addresses: int
    #: The accounts that would pay. Empty if nothing is billed.
    accounts: list[PreviewAccount]
    #: In the order of the request. Where a repeated number is one recipient, it is listed once.
    recipients: list[ChatAppPreviewRecipient]


class ChatAppPreview(_ChatAppPreview, total=False):
    """What a send of the same body would do."""

    #: When it is sent: at `schedule.sendAt`, or later when quiet hours end. Of a request: when the first
    #: of its messages is. Absent if it is sent at once.
    scheduledFor: str


class _TimelineEntry(TypedDict):
    #: `Scheduled`: it was accepted to be sent later. `Released`: its time came, the bundle of a held SMS
    #: was delivered, or an SMS in reserve was needed. `Cancelled`: it was cancelled, the bundle of a
    #: held SMS was not delivered, or an SMS in reserve was not needed. `Submitted`: the network accepted
    #: it. `Reported`: it reached `state`. `Refunded`: its units came back. `ReceiptPosted`: your
    #: endpoint acknowledged the receipt; `ReceiptExhausted`: all attempts failed, or your endpoint
    #: responded with 410. More events may be added.
    event: str
    #: A time in UTC, to the millisecond (RFC 3339).
    at: str


class TimelineEntry(_TimelineEntry, total=False):
    """One thing that happened to a message."""

    #: `Scheduled`: it waits for its time, or is in reserve for a chat-app message until then. `Held`: an
    #: SMS that waits for its bundle to be delivered. `Queued`: not submitted yet. `Sending`: being
    #: submitted. `Submitted`: the network has it and owes a report. `Cancelled`: it is not sent, because
    #: it was cancelled, the bundle of a held SMS was not delivered, or an SMS in reserve was not needed.
    #: All others are the states of the receipts. More states may be added.
    state: str
    #: The network's explanation.
    reason: str
    #: The network's own code; ours are `opt-out-list`, `bundle-not-delivered` and `fallback-not-needed`.
    reasonCode: str
    #: The `webhook-id` of the receipt.
    receiptId: str


class _Message(TypedDict):
    #: The id of the message.
    messageId: str
    #: The id of its request.
    requestId: str
    #: The place of the recipient in the request, from 0. An SMS that accompanies a bundle, or is in
    #: reserve, has the place of the other message.
    position: int
    #: What is sent. More products may be added.
    product: str
    #: `Scheduled`: it waits for its time, or is in reserve for a chat-app message until then. `Held`: an
    #: SMS that waits for its bundle to be delivered. `Queued`: not submitted yet. `Sending`: being
    #: submitted. `Submitted`: the network has it and owes a report. `Cancelled`: it is not sent, because
    #: it was cancelled, the bundle of a held SMS was not delivered, or an SMS in reserve was not needed.
    #: All others are the states of the receipts. More states may be added.
    state: str
    #: Units debited for it.
    units: int
    #: Its units came back, because it was never submitted or its bundle was not given.
    refunded: bool
    #: A time in UTC, to the millisecond (RFC 3339).
    acceptedAt: str
    #: What happened to it, in order of time.
    timeline: list[TimelineEntry]


class Message(_Message, total=False):
    """One message or bundle, and what happened to it."""

    #: The recipient in E.164 form, or the user id of a chat app; absent once it is no longer kept.
    phone: str
    #: The channel of an SMS or a bundle.
    channel: str
    #: The sender number of a chat-app message.
    phoneNumberId: str
    #: Of a chat-app message with an SMS in reserve, the `messageId` of that.
    fallbackId: str
    #: Of an SMS in reserve, the `messageId` of its chat-app message.
    fallbackOf: str
    #: The size of a bundle.
    denomination: str
    #: Why it is in this state, in the words of the network or the service.
    reason: str
    #: The network's own code; ours are `opt-out-list`, `bundle-not-delivered` and `fallback-not-needed`.
    reasonCode: str
    #: Parts in which an SMS was submitted to its network, as previews count them.
    parts: int
    #: The correlator of the request.
    correlator: str
    #: When it is sent: at `schedule.sendAt`, or later when quiet hours end. Of a request: when the first
    #: of its messages is. Absent if it is sent at once.
    scheduledFor: str


class _MessagePage(TypedDict):
    #: The messages, newest first.
    items: list[Message]


class MessagePage(_MessagePage, total=False):
    """One page of messages."""

    #: The `cursor` of the next page. Absent on the last page.
    next: str


class _AcceptedRequest(TypedDict):
    #: The id of the request.
    requestId: str
    #: What is sent. More products may be added.
    product: str
    #: A time in UTC, to the millisecond (RFC 3339).
    acceptedAt: str
    #: The number of messages; SMS that accompany bundles are included.
    messages: int
    #: How many messages are in which state.
    states: dict[str, int]


class AcceptedRequest(_AcceptedRequest, total=False):
    """An accepted request, and the state of its messages."""

    #: The service that an SMS or chat-app request was sent through.
    serviceId: str
    #: The campaign of a mobile-data request.
    campaignId: str
    #: What its SMS or chat-app messages come from.
    sender: str
    #: The correlator of the request, if it had one.
    correlator: str
    #: Where its receipts are posted. Absent if it asked for none.
    callbackUrl: str
    #: When it is sent: at `schedule.sendAt`, or later when quiet hours end. Of a request: when the first
    #: of its messages is. Absent if it is sent at once.
    scheduledFor: str


class _RequestPage(TypedDict):
    #: The requests, newest first.
    items: list[AcceptedRequest]


class RequestPage(_RequestPage, total=False):
    """One page of requests."""

    #: The `cursor` of the next page. Absent on the last page.
    next: str


class _AccountUnits(TypedDict):
    #: What is sent. More products may be added.
    product: str
    #: Units.
    units: int


class AccountUnits(_AccountUnits, total=False):
    """Units of one account."""

    #: The channel of a mobile-data account.
    channel: str
    #: The bundle size of a mobile-data account.
    denomination: str
    #: The category of messages that a chat-app account pays for.
    category: str


class CancelledRequest(TypedDict):
    """What cancellations of a request have come to."""

    #: The id of the request.
    requestId: str
    #: Messages that are never sent; each has the state `Cancelled`.
    cancelled: int
    #: Messages that were submitted, or were being submitted, whatever became of them.
    late: int
    #: Units that came back, by account.
    refunded: list[AccountUnits]


class ConfirmedRequest(TypedDict):
    """What is confirmed of a request."""

    #: The id of the request.
    requestId: str
    #: Codes that the guard counts as confirmed; 0 where it counts none.
    confirmed: int


class InboundMedia(TypedDict):
    """A file that a person sent. It stays at the network, and `GET /inbound-messages/{messageId}/media`
    gets it from there."""

    #: The network's own id of the file.
    id: str
    #: Its media type, as the network says it.
    mimeType: str


class _RepliedTo(TypedDict):
    #: The id of its request.
    requestId: str


class RepliedTo(_RepliedTo, total=False):
    """The last message of the service to that number in the 72 hours before."""

    #: The correlator of its request.
    correlator: str


class _InboundMessage(TypedDict):
    #: Always `InboundMessage`.
    type: Literal["InboundMessage"]
    #: Identifies the message; also the `webhook-id`.
    messageId: str
    #: What is sent. More products may be added.
    product: str
    #: The service whose sender it was sent to.
    serviceId: str
    #: The sender it was sent to, a short code or a phone number.
    to: str
    #: What was sent. `Button`: the person pressed a button, and `text` is what it says. `Media`: a file,
    #: as `media` says. `Other`: something without a text, such as a location. More kinds may be added.
    kind: str
    #: A time in UTC, to the millisecond (RFC 3339).
    receivedAt: str


_InboundMessageWords = TypedDict("_InboundMessageWords", {"from": str}, total=False)


class InboundMessage(_InboundMessage, _InboundMessageWords, total=False):
    """A message that a person sent to a sender of yours."""

    #: The whole text, the parts of a long SMS joined; of a file its caption. Empty if there is none;
    #: absent once it is no longer kept.
    text: str
    #: A file that a person sent. It stays at the network, and `GET /inbound-messages/{messageId}/media`
    #: gets it from there.
    media: InboundMedia
    #: How many parts of a long SMS did not arrive within an hour; absent if it is whole. `text` has an
    #: ellipsis in their place.
    missingParts: int
    #: The word that was acted upon. More words may be added.
    keyword: str
    #: Until when a `Reply` to this message is accepted. Only of chat-app messages whose sender is known.
    replyableUntil: str
    #: The last message of the service to that number in the 72 hours before.
    inReplyTo: RepliedTo


class _InboundPage(TypedDict):
    #: The messages, newest first.
    items: list[InboundMessage]


class InboundPage(_InboundPage, total=False):
    """One page of messages that people sent."""

    #: The `cursor` of the next page. Absent on the last page.
    next: str


class _ReceiptAttempt(TypedDict):
    #: A time in UTC, to the millisecond (RFC 3339).
    at: str
    #: How long the attempt took, in milliseconds.
    latencyMs: int


class ReceiptAttempt(_ReceiptAttempt, total=False):
    """One attempt to post a receipt."""

    #: The status of the response. Absent if there was none.
    status: int
    #: Why there was no response, such as `timeout`, `dns` or `connection refused`.
    error: str
    #: The beginning of the body of the response, up to 1 KiB. Absent if it was empty.
    response: str
    #: When the next attempt was due. Absent if there was to be none.
    nextAttemptAt: str


class _Receipt(TypedDict):
    #: The `webhook-id`; it never changes.
    receiptId: str
    #: Numbers the receipts of one message: 1, 2, 3 and so on. Their first attempts start in this order.
    #: A retried receipt may arrive after later ones, so the highest number has the latest state.
    sequence: int
    #: Where it is posted.
    callbackUrl: str
    #: `Waiting` for an attempt; `Delivered`; `Exhausted`: all attempts failed, or the endpoint responded
    #: with 410. More states may be added.
    state: str
    #: A time in UTC, to the millisecond (RFC 3339).
    createdAt: str
    #: The latest attempts, the newest last.
    attempts: list[ReceiptAttempt]


class Receipt(_Receipt, total=False):
    """A delivery receipt or a message that a person sent, and the attempts to post it."""

    #: The id of the request that it belongs to. Absent if it posts a message that a person sent.
    requestId: str
    #: The `messageId` of the message that a person sent, if it posts one.
    inboundMessageId: str
    #: What is posted, a JSON document; absent once it is no longer kept.
    body: str
    #: When it is posted next, at the earliest. Absent while it is being posted, and when it does not
    #: wait.
    nextAttemptAt: str
    #: It waits because its endpoint failed too often and is parked: the endpoint gets its next attempt
    #: then. Absent if it does not.
    parkedUntil: str


class _ReceiptPage(TypedDict):
    #: The receipts, newest first.
    items: list[Receipt]


class ReceiptPage(_ReceiptPage, total=False):
    """One page of receipts."""

    #: The `cursor` of the next page. Absent on the last page.
    next: str


class ReplayResponse(TypedDict):
    """The response to a replay."""

    #: How many receipts are posted again.
    receipts: int
    #: Whether a limit left receipts out. The same replay goes on with them.
    more: bool


class _ReceiptTestResponse(TypedDict):
    #: The `webhook-id` of the sample.
    receiptId: str
    #: How long the attempt took, in milliseconds.
    latencyMs: int


class ReceiptTestResponse(_ReceiptTestResponse, total=False):
    """What became of the sample."""

    #: The status of the response. Absent if there was none.
    status: int
    #: Why there was no response, such as `timeout`, `dns` or `connection refused`.
    error: str
    #: The beginning of the body of the response, up to 1 KiB. Absent if it was empty.
    response: str


class _OptOut(TypedDict):
    #: What is sent. More products may be added.
    product: str
    #: What the person opted out of.
    target: str
    #: Where it came from: a word that the person replied, your client, an operator, or a network that
    #: reported it.
    source: str
    #: A time in UTC, to the millisecond (RFC 3339).
    createdAt: str


class OptOut(_OptOut, total=False):
    """A phone number that wants no more messages."""

    #: In E.164 form, or the user id of a chat app. Absent once it was erased; the opt-out still holds.
    phone: str
    #: The service it applies to. Absent: all services of your team.
    serviceId: str


class _OptOutPage(TypedDict):
    #: The opt-outs, newest first.
    items: list[OptOut]


class OptOutPage(_OptOutPage, total=False):
    """One page of opt-outs."""

    #: The `cursor` of the next page. Absent on the last page.
    next: str


class OptOutsChanged(TypedDict):
    """What changed."""

    #: Numbers added or removed.
    changed: int
    #: Numbers that were so already.
    unchanged: int


class _Balance(TypedDict):
    #: What is sent. More products may be added.
    product: str
    #: The units that are left.
    balance: int


class Balance(_Balance, total=False):
    """What one account of your team holds."""

    #: The channel of a mobile-data account.
    channel: str
    #: The bundle size of a mobile-data account.
    denomination: str
    #: The category of messages that a chat-app account pays for.
    category: str


class _BalancePage(TypedDict):
    #: The accounts, by product.
    items: list[Balance]


class BalancePage(_BalancePage, total=False):
    """One page of balances."""

    #: The `cursor` of the next page. Absent on the last page.
    next: str


class ServicePhoneNumbersItem(TypedDict):
    #: The `phoneNumberId` of requests.
    phoneNumberId: str
    #: The phone number in E.164 form.
    phone: str


class _Service(TypedDict):
    #: What is sent. More products may be added.
    product: str
    #: The `serviceId` of requests.
    id: str
    #: What the resource is called.
    name: str
    #: Only an `Active` resource can be used. More statuses may be added.
    status: str
    #: A time in UTC, to the millisecond (RFC 3339).
    createdAt: str


class Service(_Service, total=False):
    """A service that SMS or chat-app messages are sent through."""

    #: What the SMS of this service come from, unless a template has its own sender.
    sender: str
    #: The numbers that chat-app messages of this service can come from.
    phoneNumbers: list[ServicePhoneNumbersItem]


class _ServicePage(TypedDict):
    #: The services, newest first.
    items: list[Service]


class ServicePage(_ServicePage, total=False):
    """One page of services."""

    #: The `cursor` of the next page. Absent on the last page.
    next: str


class _SenderUse(TypedDict):
    #: Only messages of approved uses are accepted.
    status: str


_SenderUseWords = TypedDict("_SenderUseWords", {"as": str}, total=False)


class SenderUse(_SenderUse, _SenderUseWords, total=False):
    """Where a sender may be used, and whether."""

    #: For messages of this channel.
    channel: str
    #: For phone numbers of this country (ISO 3166-1 alpha-2).
    country: str
    #: When its registration ends (RFC 3339, UTC).
    validUntil: str


class _Sender(TypedDict):
    #: What is sent. More products may be added.
    product: str
    #: The id of the sender; of a chat-app number the `phoneNumberId` of requests.
    id: str
    #: What people see, unless a use says otherwise.
    sender: str
    #: More kinds may be added.
    kind: str
    #: Pending: a use waits for its review; Approved: none waits, and one is approved; Rejected: none is.
    status: str
    #: Where it may be used. For a message the use of its channel counts, else that of its country, else
    #: the one without either. While a change waits for its review, what was approved before counts.
    uses: list[SenderUse]
    #: A time in UTC, to the millisecond (RFC 3339).
    createdAt: str


class Sender(_Sender, total=False):
    """What your team may send as."""

    #: The only category of messages that are sent as it; absent: any.
    category: str
    #: The first word of messages that are for your team, where others have the same number.
    keyword: str
    #: What the reviewer said.
    reviewComment: str


class _SenderPage(TypedDict):
    #: The senders, newest first.
    items: list[Sender]


class SenderPage(_SenderPage, total=False):
    """One page of senders."""

    #: The `cursor` of the next page. Absent on the last page.
    next: str


class _TemplateCardSlot(TypedDict):
    #: The type of the parameter.
    type: str
    #: Whether every request has to fill it.
    required: bool


class TemplateCardSlot(_TemplateCardSlot, total=False):
    """A parameter that a card of a carousel takes."""

    #: The `name` that the request gives. Absent if the parameter has none.
    name: str
    #: The `position` that the request gives. Absent if the parameter has none.
    position: int


class _TemplateSlot(TypedDict):
    #: Whether every request has to fill it.
    required: bool


class TemplateSlot(_TemplateSlot, total=False):
    """A parameter that the template takes."""

    #: The type of a chat-app parameter.
    type: str
    #: The `name` that the request gives. Absent if the parameter has none.
    name: str
    #: The `position` that the request gives. Absent if the parameter has none.
    position: int
    #: The `cardIndex` that the request gives for a card of a carousel.
    cardIndex: int
    #: The parameters of the card.
    params: list[TemplateCardSlot]
    #: What the value of an SMS parameter may consist of.
    format: str
    #: The most characters of a value.
    maxLength: int
    #: What fills it if the request does not.
    defaultValue: str


class _Template(TypedDict):
    #: What is sent. More products may be added.
    product: str
    #: The `templateId` of requests.
    id: str
    #: The category of a template. More categories may be added.
    category: str
    #: Only an `Active` resource can be used. More statuses may be added.
    status: str
    #: Only an `APPROVED` template can be sent. More statuses may be added.
    approvalStatus: str
    #: The text with its placeholders; of a chat-app template the text of its body.
    content: str
    #: What a request fills, in the order of the template.
    params: list[TemplateSlot]
    #: A time in UTC, to the millisecond (RFC 3339).
    createdAt: str
    #: A time in UTC, to the millisecond (RFC 3339).
    updatedAt: str


class Template(_Template, total=False):
    """An SMS or chat-app template."""

    #: What the reviewer said.
    reviewComment: str
    #: What the template is for.
    description: str
    #: The managed sender of an SMS template.
    managedServiceKey: str
    #: The name of a chat-app template at its network.
    name: str
    #: The language of a chat-app template, such as `en` or `sw_KE`.
    language: str


class _TemplatePage(TypedDict):
    #: The templates, newest first.
    items: list[Template]


class TemplatePage(_TemplatePage, total=False):
    """One page of templates."""

    #: The `cursor` of the next page. Absent on the last page.
    next: str


class _Campaign(TypedDict):
    #: The `campaignId` of requests.
    id: str
    #: What the resource is called.
    name: str
    #: Only an `Active` resource can be used. More statuses may be added.
    status: str
    #: The SMS service that messages accompanying a bundle go through by default.
    serviceId: str
    #: The bundle sizes that it allows.
    allowedDenominations: list[str]
    #: At most one bundle per phone number in this time.
    frequency: str
    #: A time in UTC, to the millisecond (RFC 3339).
    createdAt: str


class Campaign(_Campaign, total=False):
    """A campaign for mobile-data bundles, and its rules."""

    #: When the campaign stops accepting requests. Absent if it does not expire.
    expiresAt: str


class _CampaignPage(TypedDict):
    #: The campaigns, newest first.
    items: list[Campaign]


class CampaignPage(_CampaignPage, total=False):
    """One page of campaigns."""

    #: The `cursor` of the next page. Absent on the last page.
    next: str


class BodyNamedParameter(TypedDict):
    """A body placeholder by name, written `{{name}}`."""

    type: Literal["BodyNamedParameter"]
    #: A name in the template; letters, digits and underscores.
    name: str
    #: The value of the placeholder.
    value: str


class BodyPositionalParameter(TypedDict):
    """A body placeholder by position, written `{{1}}`."""

    type: Literal["BodyPositionalParameter"]
    #: Counted from 1.
    position: int
    #: The value of the placeholder.
    value: str


class HeaderNamedParameter(TypedDict):
    """A header placeholder by name. The filled header has at most 60 characters."""

    type: Literal["HeaderNamedParameter"]
    #: A name in the template; letters, digits and underscores.
    name: str
    #: The value of the placeholder.
    value: str


class HeaderPositionalParameter(TypedDict):
    """A header placeholder by position. The filled header has at most 60 characters."""

    type: Literal["HeaderPositionalParameter"]
    #: Counted from 1.
    position: int
    #: The value of the placeholder.
    value: str


class _MediaParameter(TypedDict):
    type: Literal["MediaParameter"]
    #: Public http or https URL from which the network fetches the file.
    value: str


class MediaParameter(_MediaParameter, total=False):
    """The header's image, video or document, depending on the template."""

    #: The file name shown for a document; for document headers only.
    filename: str


class _LocationParameter(TypedDict):
    type: Literal["LocationParameter"]
    #: Degrees north.
    latitude: float
    #: Degrees east.
    longitude: float
    #: The name of the place.
    value: str


class LocationParameter(_LocationParameter, total=False):
    """The location in the header."""

    #: The postal address of the place.
    address: str


class UrlNamedParameter(TypedDict):
    """The placeholder of a URL button, by name."""

    type: Literal["UrlNamedParameter"]
    #: A name in the template; letters, digits and underscores.
    name: str
    #: The end of the button's URL. No white space.
    value: str


class UrlPositionalParameter(TypedDict):
    """The placeholder of a URL button. `position` counts the URL buttons with a placeholder."""

    type: Literal["UrlPositionalParameter"]
    #: Counted from 1.
    position: int
    #: The end of the button's URL. No white space.
    value: str


class QuickReplyPayloadParameter(TypedDict):
    """The payload that the network sends when a quick-reply button is tapped. `position` counts these
    buttons. Without a payload the network sends the button's text."""

    type: Literal["QuickReplyPayloadParameter"]
    #: Counted from 1.
    position: int
    #: The payload.
    value: str


class CopyParameter(TypedDict):
    """The text that a copy button copies. `position` counts these buttons."""

    type: Literal["CopyParameter"]
    #: Counted from 1.
    position: int
    #: The text to copy.
    value: str


class CouponCodeParameter(TypedDict):
    """The coupon code of an offer."""

    type: Literal["CouponCodeParameter"]
    #: The code.
    value: str


class OtpParameter(TypedDict):
    """A one-time password, in both the body and the copy button. AUTHENTICATION templates only."""

    type: Literal["OtpParameter"]
    #: The password.
    value: str


class LimitedTimeOfferParameter(TypedDict):
    """When an offer ends. MARKETING templates only."""

    type: Literal["LimitedTimeOfferParameter"]
    #: A time in the future, in RFC 3339 format.
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
    #: The card's place in the template, counted from 0.
    cardIndex: int
    #: Public http or https URL of the card's image or video.
    value: str
    #: Parameters of the card's own body and buttons.
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


class TemplateParameter(TypedDict):
    """A value for one placeholder of a template."""

    #: The name of a placeholder of the template; letters, digits and underscores.
    name: str
    #: Not empty; no `{`, `}` or control characters.
    value: str


class _ChatAppFallback(TypedDict):
    #: The id of an SMS service of your team.
    serviceId: str
    #: How many seconds the chat-app message has to be delivered, from when it may leave: when it is
    #: accepted, at its `sendAt` or when quiet hours end. If no network has taken it by then, it expires.
    after: int


class ChatAppFallback(_ChatAppFallback, total=False):
    """An SMS in reserve for each recipient: `message`, or `templateId` with `params`. It is sent at once if
    the chat-app message is refused, fails or expires, and after `after` seconds if that is not delivered
    by then. Otherwise it is cancelled, and its units are refunded. It has the category of the chat-app
    template, and so must its own template have. Each recipient must be a phone number with a channel for
    SMS."""

    #: Up to 960 characters, not only white space. Costs one unit per 160 characters.
    message: str
    #: The id of a template of your team.
    templateId: str
    #: Values for the placeholders of the SMS template.
    params: list[TemplateParameter]


class _ChatAppMedia(TypedDict):
    #: How the chat app shows it.
    kind: Literal["IMAGE", "VIDEO", "AUDIO", "DOCUMENT"]
    #: Public http or https URL of the file.
    url: str


class ChatAppMedia(_ChatAppMedia, total=False):
    """A file, which the chat app fetches from its URL."""

    #: The text below it. Not for AUDIO.
    caption: str
    #: The name that a DOCUMENT is shown with. Not for the other kinds.
    filename: str


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
    #: The id of the request, as in the response to the send.
    requestId: str
    #: The place of the recipient in the request, from 0. An SMS that accompanies a bundle, or is in
    #: reserve, has the place of the other message.
    position: int
    #: The recipient in E.164 form.
    phone: str
    #: Numbers the receipts of one message: 1, 2, 3 and so on. Their first attempts start in this order.
    #: A retried receipt may arrive after later ones, so the highest number has the latest state.
    sequence: int
    #: When the message reached this state, by the network's clock if it reported a time.
    timestamp: str
    #: The final state of a message. Its units are refunded if no network accepted it (`InvalidMsisdn`,
    #: `Failed`, `Expired`, `Cancelled`, and `SubscriberOptedOut` with the reasonCode `opt-out-list`) and
    #: spent otherwise. `Expired`: no network accepted it within its validity. `Cancelled`: you cancelled
    #: it. `DeliveryUncertain`: no report within 72 hours. More states may be added; all are final.
    deliveryStatus: str


class SmsDeliveryReceipt(_SmsDeliveryReceipt, total=False):
    """The final state of one SMS."""

    #: The correlator of the request, if it had one.
    correlator: str
    #: The network's explanation.
    reason: str
    #: The network's own code.
    reasonCode: str
    #: It was in reserve for the chat-app message of the same `requestId` and `position`; absent for
    #: others.
    isFallback: bool


class _DataDeliveryReceipt(TypedDict):
    type: Literal["DataDeliveryReceipt"]
    #: The id of the request, as in the response to the disbursement.
    requestId: str
    #: The place of the recipient in the request, from 0. An SMS that accompanies a bundle, or is in
    #: reserve, has the place of the other message.
    position: int
    #: The correlator of the request.
    correlator: str
    #: The recipient in E.164 form.
    phone: str
    #: The size of the bundle.
    denomination: str
    #: Numbers the receipts of one message: 1, 2, 3 and so on. Their first attempts start in this order.
    #: A retried receipt may arrive after later ones, so the highest number has the latest state.
    sequence: int
    #: When the bundle reached this state, by the network's clock if it reported a time.
    timestamp: str
    #: The final state of a bundle. Its unit is spent if the bundle was `Delivered` or may have been
    #: (`Uncertain`: no report within 72 hours), and refunded otherwise. `Expired`: no network accepted
    #: it within its validity. `Cancelled`: you cancelled it. `Duplicated`: the campaign does not allow
    #: another bundle for this number yet, or the network already knows the disbursement. More states may
    #: be added; all are final.
    deliveryStatus: str


class DataDeliveryReceipt(_DataDeliveryReceipt, total=False):
    """The final state of one bundle."""

    #: The explanation of the network or the campaign.
    reason: str
    #: The network's own code.
    reasonCode: str


class _ChatAppDeliveryReceipt(TypedDict):
    type: Literal["ChatAppDeliveryReceipt"]
    #: The id of the request, as in the response to the send.
    requestId: str
    #: The place of the recipient in the request, from 0. An SMS that accompanies a bundle, or is in
    #: reserve, has the place of the other message.
    position: int
    #: The correlator of the request.
    correlator: str
    #: The recipient in E.164 form, or the user id that the message was sent to.
    phone: str
    #: The sender number of the request.
    phoneNumberId: str
    #: Numbers the receipts of one message: 1, 2, 3 and so on. Their first attempts start in this order.
    #: A retried receipt may arrive after later ones, so the highest number has the latest state.
    sequence: int
    #: When the message reached this state, by the network's clock if it reported a time.
    timestamp: str
    #: Sent, Delivered and Read follow each other; a network may skip states. Units are refunded if the
    #: network rejected the message on submission (`Failed` or `SubscriberOptedOut` as the first
    #: receipt), did not accept it within its validity (`Expired`), the recipient was on the list of
    #: opt-outs (`SubscriberOptedOut` with the reasonCode `opt-out-list`) or you cancelled it
    #: (`Cancelled`), and spent otherwise. `Uncertain`: no report within 72 hours. More states may be
    #: added.
    deliveryStatus: str


class ChatAppDeliveryReceipt(_ChatAppDeliveryReceipt, total=False):
    """One state that a chat-app message has reached."""

    #: The network's own id of the message, once it has one.
    messageId: str
    #: The network's explanation.
    reason: str
    #: The network's own code.
    reasonCode: str
    #: What has become of the SMS in reserve, which has the same `requestId` and `position`; absent if
    #: there is none. `Waiting`: it may yet be sent. `Sent`: it was released, and has a receipt of its
    #: own. `NotSent`: it is never sent, and its units are refunded. More may be added.
    fallbackStatus: str


#: What became of a message.
DeliveryReceipt = Union[SmsDeliveryReceipt, DataDeliveryReceipt, ChatAppDeliveryReceipt]


#: What is posted to a callback URL.
Posted = Union[DeliveryReceipt, InboundMessage]
