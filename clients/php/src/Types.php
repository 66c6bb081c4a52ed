<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

/**
 * The shapes of what the service takes, returns and posts, for PHPStan, Psalm and editors. Responses and receipts may
 * gain keys and values: ignore what you do not know.
 *
 * AcceptedRequest: An accepted request, and the state of its messages.
 *
 * @phpstan-type AcceptedRequest array{
 *     requestId: string,
 *     product: string,
 *     serviceId?: string,
 *     campaignId?: string,
 *     sender?: string,
 *     correlator?: string,
 *     callbackUrl?: string,
 *     acceptedAt: string,
 *     scheduledFor?: string,
 *     messages: int,
 *     states: array<string, int>,
 * }
 *
 * AccountUnits: Units of one account.
 *
 * @phpstan-type AccountUnits array{
 *     product: string,
 *     channel?: string,
 *     denomination?: string,
 *     category?: string,
 *     units: int,
 * }
 *
 * Balance: What one account of your team holds.
 *
 * @phpstan-type Balance array{
 *     product: string,
 *     channel?: string,
 *     denomination?: string,
 *     category?: string,
 *     balance: int,
 * }
 *
 * BalancePage: One page of balances.
 *
 * @phpstan-type BalancePage array{
 *     items: list<Balance>,
 *     next?: string,
 * }
 *
 * Campaign: A campaign for mobile-data bundles, and its rules.
 *
 * @phpstan-type Campaign array{
 *     id: string,
 *     name: string,
 *     status: string,
 *     serviceId: string,
 *     allowedDenominations: list<string>,
 *     frequency: string,
 *     expiresAt?: string,
 *     createdAt: string,
 * }
 *
 * CampaignPage: One page of campaigns.
 *
 * @phpstan-type CampaignPage array{
 *     items: list<Campaign>,
 *     next?: string,
 * }
 *
 * CancelledRequest: What cancellations of a request have come to.
 *
 * @phpstan-type CancelledRequest array{
 *     requestId: string,
 *     cancelled: int,
 *     late: int,
 *     refunded: list<AccountUnits>,
 * }
 *
 * ChatAppDeliveryReceipt: One state that a chat-app message has reached.
 *
 * @phpstan-type ChatAppDeliveryReceipt array{
 *     type: 'ChatAppDeliveryReceipt',
 *     requestId: string,
 *     position: int,
 *     correlator: string,
 *     phone: string,
 *     phoneNumberId: string,
 *     messageId?: string,
 *     sequence: int,
 *     timestamp: string,
 *     deliveryStatus: string,
 *     reason?: string,
 *     reasonCode?: string,
 *     fallbackStatus?: string,
 * }
 *
 * ChatAppFallback: An SMS in reserve for each recipient: `message`, or `templateId` with `params`. It is
 * sent at once if the chat-app message is refused, fails or expires, and after `after` seconds if that
 * is not delivered by then. Otherwise it is cancelled, and its units are refunded. It has the category
 * of the chat-app template, and so must its own template have. Each recipient must be a phone number
 * with a channel for SMS.
 *
 * @phpstan-type ChatAppFallback array{
 *     serviceId: string,
 *     after: int,
 *     message?: string,
 *     templateId?: string,
 *     params?: list<TemplateParameter>,
 * }
 *
 * ChatAppMedia: A file, which the chat app fetches from its URL.
 *
 * @phpstan-type ChatAppMedia array{
 *     kind: 'IMAGE'|'VIDEO'|'AUDIO'|'DOCUMENT',
 *     url: string,
 *     caption?: string,
 *     filename?: string,
 * }
 *
 * ChatAppPreview: What a send of the same body would do.
 *
 * @phpstan-type ChatAppPreview array{
 *     sendable: bool,
 *     problems: list<PreviewProblem>,
 *     units: array<string, int>,
 *     addresses: int,
 *     scheduledFor?: string,
 *     accounts: list<PreviewAccount>,
 *     recipients: list<ChatAppPreviewRecipient>,
 * }
 *
 * ChatAppPreviewRecipient: One recipient. What depends on a plan is absent if the recipient has
 * problems.
 *
 * @phpstan-type ChatAppPreviewRecipient array{
 *     written: string,
 *     phone?: string,
 *     units?: int,
 *     header?: PreviewHeader,
 *     body?: string,
 *     footer?: string,
 *     buttons?: list<PreviewButton>,
 *     offer?: PreviewOffer,
 *     cards?: list<PreviewCard>,
 *     fallback?: PreviewMessage,
 *     scheduledFor?: string,
 *     problems: list<PreviewProblem>,
 * }
 *
 * ConfirmedRequest: What is confirmed of a request.
 *
 * @phpstan-type ConfirmedRequest array{
 *     requestId: string,
 *     confirmed: int,
 * }
 *
 * DataDeliveryReceipt: The final state of one bundle.
 *
 * @phpstan-type DataDeliveryReceipt array{
 *     type: 'DataDeliveryReceipt',
 *     requestId: string,
 *     position: int,
 *     correlator: string,
 *     phone: string,
 *     denomination: string,
 *     sequence: int,
 *     timestamp: string,
 *     deliveryStatus: string,
 *     reason?: string,
 *     reasonCode?: string,
 * }
 *
 * DisbursedMobileData: The response to an accepted disbursement.
 *
 * @phpstan-type DisbursedMobileData array{
 *     requestId: string,
 *     units: array<string, array<string, int>>,
 *     addresses: array<string, int>,
 *     scheduledFor?: string,
 * }
 *
 * InboundMedia: A file that a person sent. It stays at the network, and `GET
 * /inbound-messages/{messageId}/media` gets it from there.
 *
 * @phpstan-type InboundMedia array{
 *     id: string,
 *     mimeType: string,
 * }
 *
 * InboundMessage: A message that a person sent to a sender of yours.
 *
 * @phpstan-type InboundMessage array{
 *     type: 'InboundMessage',
 *     messageId: string,
 *     product: string,
 *     serviceId: string,
 *     from?: string,
 *     to: string,
 *     kind: string,
 *     text?: string,
 *     media?: InboundMedia,
 *     missingParts?: int,
 *     receivedAt: string,
 *     keyword?: string,
 *     replyableUntil?: string,
 *     inReplyTo?: RepliedTo,
 * }
 *
 * InboundPage: One page of messages that people sent.
 *
 * @phpstan-type InboundPage array{
 *     items: list<InboundMessage>,
 *     next?: string,
 * }
 *
 * Message: One message or bundle, and what happened to it.
 *
 * @phpstan-type Message array{
 *     messageId: string,
 *     requestId: string,
 *     position: int,
 *     product: string,
 *     phone?: string,
 *     channel?: string,
 *     phoneNumberId?: string,
 *     fallbackId?: string,
 *     fallbackOf?: string,
 *     denomination?: string,
 *     state: string,
 *     reason?: string,
 *     reasonCode?: string,
 *     units: int,
 *     refunded: bool,
 *     parts?: int,
 *     correlator?: string,
 *     acceptedAt: string,
 *     scheduledFor?: string,
 *     timeline: list<TimelineEntry>,
 * }
 *
 * MessagePage: One page of messages.
 *
 * @phpstan-type MessagePage array{
 *     items: list<Message>,
 *     next?: string,
 * }
 *
 * MobileDataPreview: What a disbursement of the same body would do.
 *
 * @phpstan-type MobileDataPreview array{
 *     sendable: bool,
 *     problems: list<PreviewProblem>,
 *     units: array<string, array<string, int>>,
 *     addresses: array<string, int>,
 *     scheduledFor?: string,
 *     accounts: list<PreviewAccount>,
 *     recipients: list<MobileDataPreviewRecipient>,
 * }
 *
 * MobileDataPreviewRecipient: One recipient. What depends on a plan is absent if the recipient has
 * problems that reject the request.
 *
 * @phpstan-type MobileDataPreviewRecipient array{
 *     written: string,
 *     phone?: string,
 *     channel?: string,
 *     denomination?: string,
 *     units?: int,
 *     message?: PreviewMessage,
 *     problems: list<PreviewProblem>,
 * }
 *
 * OptOut: A phone number that wants no more messages.
 *
 * @phpstan-type OptOut array{
 *     phone?: string,
 *     product: string,
 *     serviceId?: string,
 *     target: string,
 *     source: string,
 *     createdAt: string,
 * }
 *
 * OptOutPage: One page of opt-outs.
 *
 * @phpstan-type OptOutPage array{
 *     items: list<OptOut>,
 *     next?: string,
 * }
 *
 * OptOutsChanged: What changed.
 *
 * @phpstan-type OptOutsChanged array{
 *     changed: int,
 *     unchanged: int,
 * }
 *
 * PreviewAccount: What the request would cost one account of your team.
 *
 * @phpstan-type PreviewAccount array{
 *     product: string,
 *     channel?: string,
 *     denomination?: string,
 *     category?: string,
 *     units: int,
 *     balance: int,
 *     remaining?: int,
 * }
 *
 * PreviewButton: A button below the message.
 *
 * @phpstan-type PreviewButton array{
 *     type: string,
 *     text: string,
 *     value?: string,
 * }
 *
 * PreviewCard: One card of a carousel.
 *
 * @phpstan-type PreviewCard array{
 *     header?: PreviewHeader,
 *     body?: string,
 *     buttons: list<PreviewButton>,
 * }
 *
 * PreviewHeader: The header, with what its format needs.
 *
 * @phpstan-type PreviewHeader array{
 *     format: string,
 *     text?: string,
 *     url?: string,
 *     filename?: string,
 *     latitude?: float,
 *     longitude?: float,
 *     name?: string,
 *     address?: string,
 * }
 *
 * PreviewMessage: The SMS that accompanies a bundle, or is in reserve for a chat-app message.
 *
 * @phpstan-type PreviewMessage array{
 *     text: string,
 *     units: int,
 *     encoding: string,
 *     parts: int,
 * }
 *
 * PreviewOffer: The limited-time offer of the template.
 *
 * @phpstan-type PreviewOffer array{
 *     text: string,
 *     endsAt?: string,
 * }
 *
 * PreviewProblem: A reason why a send would be rejected or, with the code `duplicated`, `opted-out` or
 * `quiet-hours`, have no effect.
 *
 * @phpstan-type PreviewProblem array{
 *     code: string,
 *     desc: string,
 * }
 *
 * Receipt: A delivery receipt or a message that a person sent, and the attempts to post it.
 *
 * @phpstan-type Receipt array{
 *     receiptId: string,
 *     requestId?: string,
 *     inboundMessageId?: string,
 *     sequence: int,
 *     callbackUrl: string,
 *     body?: string,
 *     state: string,
 *     createdAt: string,
 *     nextAttemptAt?: string,
 *     parkedUntil?: string,
 *     attempts: list<ReceiptAttempt>,
 * }
 *
 * ReceiptAttempt: One attempt to post a receipt.
 *
 * @phpstan-type ReceiptAttempt array{
 *     at: string,
 *     latencyMs: int,
 *     status?: int,
 *     error?: string,
 *     response?: string,
 *     nextAttemptAt?: string,
 * }
 *
 * ReceiptPage: One page of receipts.
 *
 * @phpstan-type ReceiptPage array{
 *     items: list<Receipt>,
 *     next?: string,
 * }
 *
 * ReceiptTestResponse: What became of the sample.
 *
 * @phpstan-type ReceiptTestResponse array{
 *     receiptId: string,
 *     latencyMs: int,
 *     status?: int,
 *     error?: string,
 *     response?: string,
 * }
 *
 * ReplayResponse: The response to a replay.
 *
 * @phpstan-type ReplayResponse array{
 *     receipts: int,
 *     more: bool,
 * }
 *
 * RepliedTo: The last message of the service to that number in the 72 hours before.
 *
 * @phpstan-type RepliedTo array{
 *     requestId: string,
 *     correlator?: string,
 * }
 *
 * RequestPage: One page of requests.
 *
 * @phpstan-type RequestPage array{
 *     items: list<AcceptedRequest>,
 *     next?: string,
 * }
 *
 * Sender: What your team may send as.
 *
 * @phpstan-type Sender array{
 *     product: string,
 *     id: string,
 *     sender: string,
 *     kind: string,
 *     category?: string,
 *     keyword?: string,
 *     status: string,
 *     uses: list<SenderUse>,
 *     reviewComment?: string,
 *     createdAt: string,
 * }
 *
 * SenderPage: One page of senders.
 *
 * @phpstan-type SenderPage array{
 *     items: list<Sender>,
 *     next?: string,
 * }
 *
 * SenderUse: Where a sender may be used, and whether.
 *
 * @phpstan-type SenderUse array{
 *     channel?: string,
 *     country?: string,
 *     as?: string,
 *     status: string,
 *     validUntil?: string,
 * }
 *
 * Service: A service that SMS or chat-app messages are sent through.
 *
 * @phpstan-type Service array{
 *     product: string,
 *     id: string,
 *     name: string,
 *     status: string,
 *     sender?: string,
 *     phoneNumbers?: list<array{
 *         phoneNumberId: string,
 *         phone: string,
 *     }>,
 *     createdAt: string,
 * }
 *
 * ServicePage: One page of services.
 *
 * @phpstan-type ServicePage array{
 *     items: list<Service>,
 *     next?: string,
 * }
 *
 * SmsDeliveryReceipt: The final state of one SMS.
 *
 * @phpstan-type SmsDeliveryReceipt array{
 *     type: 'SmsDeliveryReceipt',
 *     requestId: string,
 *     position: int,
 *     correlator?: string,
 *     phone: string,
 *     sequence: int,
 *     timestamp: string,
 *     deliveryStatus: string,
 *     reason?: string,
 *     reasonCode?: string,
 *     isFallback?: bool,
 * }
 *
 * SmsPreview: What a send of the same body would do.
 *
 * @phpstan-type SmsPreview array{
 *     sendable: bool,
 *     problems: list<PreviewProblem>,
 *     units: array<string, int>,
 *     addresses: array<string, int>,
 *     ignoredProperties: list<string>,
 *     scheduledFor?: string,
 *     accounts: list<PreviewAccount>,
 *     recipients: list<SmsPreviewRecipient>,
 * }
 *
 * SmsPreviewRecipient: One recipient. What depends on a plan is absent if the recipient has problems.
 *
 * @phpstan-type SmsPreviewRecipient array{
 *     written: string,
 *     phone?: string,
 *     channel?: string,
 *     text?: string,
 *     units?: int,
 *     encoding?: string,
 *     parts?: int,
 *     scheduledFor?: string,
 *     problems: list<PreviewProblem>,
 * }
 *
 * Template: An SMS or chat-app template.
 *
 * @phpstan-type Template array{
 *     product: string,
 *     id: string,
 *     category: string,
 *     status: string,
 *     approvalStatus: string,
 *     reviewComment?: string,
 *     description?: string,
 *     managedServiceKey?: string,
 *     name?: string,
 *     language?: string,
 *     content: string,
 *     params: list<TemplateSlot>,
 *     createdAt: string,
 *     updatedAt: string,
 * }
 *
 * TemplateCardSlot: A parameter that a card of a carousel takes.
 *
 * @phpstan-type TemplateCardSlot array{
 *     type: string,
 *     name?: string,
 *     position?: int,
 *     required: bool,
 * }
 *
 * TemplatePage: One page of templates.
 *
 * @phpstan-type TemplatePage array{
 *     items: list<Template>,
 *     next?: string,
 * }
 *
 * TemplateParameter: A value for one placeholder of a template.
 *
 * @phpstan-type TemplateParameter array{
 *     name: string,
 *     value: string,
 * }
 *
 * TemplateSlot: A parameter that the template takes.
 *
 * @phpstan-type TemplateSlot array{
 *     type?: string,
 *     name?: string,
 *     position?: int,
 *     cardIndex?: int,
 *     params?: list<TemplateCardSlot>,
 *     format?: string,
 *     required: bool,
 *     maxLength?: int,
 *     defaultValue?: string,
 * }
 *
 * TimelineEntry: One thing that happened to a message.
 *
 * @phpstan-type TimelineEntry array{
 *     event: string,
 *     at: string,
 *     state?: string,
 *     reason?: string,
 *     reasonCode?: string,
 *     receiptId?: string,
 * }
 *
 * Posted: what is posted to a callback URL.
 *
 * @phpstan-type Posted SmsDeliveryReceipt|DataDeliveryReceipt|ChatAppDeliveryReceipt|InboundMessage
 */
final class Types
{
}
