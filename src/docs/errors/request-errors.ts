/** Cause and fix of errors in the request itself: its body, recipients and templates. */
import { errors } from '../../platform/errors.ts';
import type { ErrorText } from './error-text.ts';

export const requestErrors = {
  notHttp: {
    title: 'Request not valid HTTP',
    rejection: errors.notHttp(400, '…'),
    cause:
      'The request is not valid HTTP/1.1: a line or header is malformed, or `Host` is missing or repeated. The status is 431 if the headers are too large, 408 if the request took too long, and 505 for another HTTP version.',
    fix: 'Use a maintained HTTP client and the scheme (http or https) of the service. Shorten the headers; cookies are not needed.',
  },
  unsupportedContentType: {
    title: 'Unsupported content type',
    rejection: errors.unsupportedContentType('application/json'),
    cause: 'The `Content-Type` header is missing or has a type that the operation does not accept.',
    fix: 'Send `Content-Type: application/json`, or `application/x-www-form-urlencoded` to the token endpoint.',
  },
  unsupportedContentEncoding: {
    title: 'Compressed body not accepted',
    rejection: errors.unsupportedContentEncoding(),
    cause: 'The request has a `Content-Encoding` header, such as `gzip`.',
    fix: 'Send the body uncompressed. Some HTTP libraries compress large bodies by default: turn that off.',
  },
  bodyTooLarge: {
    title: 'Request body too large',
    rejection: errors.bodyTooLarge(1_048_576),
    cause: 'The body exceeds the limit. The connection is closed.',
    fix: 'Split the recipients over several requests.',
  },
  bodyIncomplete: {
    title: 'Request body incomplete',
    rejection: errors.bodyIncomplete(),
    cause: 'The connection ended before all of the body had arrived. Nothing was accepted.',
    fix: 'Repeat the request with the same `Idempotency-Key`.',
  },
  invalidEncoding: {
    title: 'Request body not valid UTF-8',
    rejection: errors.invalidEncoding(),
    cause:
      'The body contains bytes that are not valid UTF-8, often because a text was read in another encoding.',
    fix: 'Encode the body as UTF-8. Convert texts that come from files or old databases first.',
  },
  malformedBody: {
    title: 'Request body not valid JSON',
    rejection: errors.malformedBody(),
    cause:
      'The body is not valid JSON, for example because of an extra comma or a missing quotation mark, or it is empty.',
    fix: 'Build the body with a JSON library instead of concatenating strings.',
  },
  tooDeeplyNested: {
    title: 'Request body nested too deeply',
    rejection: errors.tooDeeplyNested(20),
    cause: 'Objects and lists are nested more deeply than in any valid request.',
    fix: 'Compare the body with the example of the operation in the reference.',
  },
  tooManyValues: {
    title: 'Too many values in the request body',
    rejection: errors.tooManyValues(100_000),
    cause: 'The body is made of far more values than any request of this contract has.',
    fix: 'Split the recipients over several requests.',
  },
  tooManyProperties: {
    title: 'Too many properties in an object',
    rejection: errors.tooManyProperties(1_000),
    cause: 'An object has far more properties than any of this contract has.',
    fix: 'Compare the body with the example of the operation in the reference.',
  },
  invalidCharacters: {
    title: 'NUL character or unpaired surrogate',
    rejection: errors.invalidCharacters(),
    cause:
      'A text contains U+0000, or half of a surrogate pair, for example because a text with an emoji was cut off.',
    fix: 'Cut texts by code points, not by UTF-16 code units, and remove NUL characters.',
  },
  schemaViolation: {
    title: 'Request does not match the schema',
    rejection: errors.schemaViolation('/… is required'),
    cause:
      'The body does not match the schema of the operation. The sentence names the place as a JSON pointer, such as `/messages/0/phone`, and the rule, such as a missing property, a wrong type or an unknown property.',
    fix: 'Compare that place with the schema in the reference. The rules are those of the variant that `type` selects.',
    examples: ['schemaViolation', 'misspelt', 'invalidRequest'],
  },
  invalidIdempotencyKey: {
    title: 'Invalid Idempotency-Key',
    rejection: errors.invalidIdempotencyKey(),
    cause: 'The `Idempotency-Key` header is empty, too long, or has characters that are not printable ASCII.',
    fix: 'Use a UUID, or your own identifier in ASCII.',
  },
  invalidCursor: {
    title: 'Cursor of another list',
    rejection: errors.invalidCursor(),
    cause:
      'The `cursor` comes from another list or from other filters, is incomplete, or was issued to another team.',
    fix: 'Repeat the filters of the first page with every cursor, and pass `next` unchanged.',
  },
  invalidPeriod: {
    title: 'Invalid period: from and to',
    rejection: errors.invalidPeriod(366),
    cause: '`from` is not earlier than `to`, or the time between them is longer than a search may look at.',
    fix: 'Swap the two if they are the wrong way round. Split a longer period into several searches.',
  },
  invalidReplayPeriod: {
    title: 'Invalid period of a replay',
    rejection: errors.invalidReplayPeriod(),
    cause: 'The period of the replay is empty: `to` is not later than `from`.',
    fix: 'Swap the two if they are the wrong way round. Leave `to` out to replay up to now.',
  },
  invalidPhones: {
    title: 'Invalid phone numbers',
    rejection: errors.invalidPhones(['…']),
    cause:
      'The sentence lists every number that is not a valid mobile number, as you wrote it. An empty one is written `""`.',
    fix: 'Correct or remove the listed numbers and send the request again: nothing was sent to any recipient. Write numbers with a plus and the country code.',
  },
  numberRequired: {
    title: 'Phone numbers required',
    rejection: errors.numberRequired('…', ['…']),
    cause:
      'The template is of the category AUTHENTICATION, or the request has an SMS in reserve, and the listed recipients are user ids. Chat apps send codes to phone numbers only, and SMS need one.',
    fix: 'Send the message to the phone number that the person gave you, or without an SMS in reserve.',
  },
  noChannel: {
    title: 'No channel for phone numbers',
    rejection: errors.noChannel(['…']),
    cause:
      'The listed numbers are valid, but no mobile network of this service covers them. Invalid numbers are reported first, so the other numbers are valid too.',
    fix: 'Remove the listed numbers from the request and send it again, but keep them in your address book: a network for them may be added.',
  },
  registrationsMissing: {
    title: 'Missing registrations',
    rejection: errors.registrationsMissing(['…'], '…'),
    cause:
      'Regulators of some countries want to know who sends and which text, such as `entityId` and `templateId` in India. The sentence names the channels of your recipients that need such registrations, and those that neither the template nor the sender has.',
    fix: 'Have the sender and the text registered, and add what you were given to the template or to the use of the sender. A free-form text has only the registrations of its sender: send a template where each text needs its own.',
  },
  textsDiffer: {
    title: 'message and text differ',
    rejection: errors.textsDiffer('/…'),
    cause: 'An entry of `SendToEach` has both `message` and `text`, and they are not the same.',
    fix: 'Send `message` only. `text` is another name for it.',
  },
  invalidCorrelator: {
    title: 'Invalid correlator',
    rejection: errors.invalidCorrelator(),
    cause: '`receiptRequest.correlator` is empty or too long.',
    fix: 'Send an identifier of at most 100 characters, and keep details on your side.',
  },
  scheduleInvalid: {
    title: 'Invalid schedule',
    rejection: errors.scheduleInvalid('/schedule/…'),
    cause:
      '`sendAt` is less than one minute or more than 30 days from now by the clock of the service, or `validUntil` is not later than it, or more than 14 days later.',
    fix: 'Send times in UTC, or with their offset, and check the clock of your machine. Leave `schedule` out to send at once.',
  },
  timeZoneInvalid: {
    title: 'Invalid time zone',
    rejection: errors.timeZoneInvalid(),
    cause:
      'The time-zone database has no zone with the name in `timeZone`. An offset such as `+03:00` is no zone.',
    fix: 'Send a name such as `America/New_York`, or leave `timeZone` out: quiet hours then count in all zones of the country.',
  },
  nothingToCancel: {
    title: 'Nothing to cancel',
    rejection: errors.nothingToCancel('…'),
    cause: 'All messages of the request were submitted before, or were being submitted.',
    fix: 'Look at the states of its messages. To have time to cancel, schedule requests.',
  },
  invalidTestUrl: {
    title: 'Invalid URL to test',
    rejection: errors.invalidTestUrl(),
    cause:
      'The URL to test is relative, too long, has another scheme than http and https, or contains a user name.',
    fix: 'Send the complete URL of your endpoint, such as `https://client.example/receipts`.',
  },
  forbiddenTestAddress: {
    title: 'URL to test has a private IP address',
    rejection: errors.forbiddenTestAddress(),
    cause: 'The host of the URL to test is an IP address that callbacks may never reach.',
    fix: 'Use a host name or an address that is reachable from the internet.',
  },
  invalidCallbackUrl: {
    title: 'Invalid callbackUrl',
    rejection: errors.invalidCallbackUrl(),
    cause:
      '`receiptRequest.callbackUrl` is relative, has a scheme other than http or https, contains a user name or password, is too long, or has an invalid host name.',
    fix: 'Send an absolute address such as `https://client.example/receipts`, with a host that is reachable from the internet. To reject requests from others, verify the signature instead of putting a password into the URL.',
  },
  forbiddenCallbackAddress: {
    title: 'callbackUrl has a private IP address',
    rejection: errors.forbiddenCallbackAddress(),
    cause:
      '`receiptRequest.callbackUrl` has a literal IP address that receipts are never posted to: private, loopback, link-local or reserved.',
    fix: 'Send an address with a host that is reachable from the internet, such as `https://client.example/receipts`.',
  },
  templateUnknown: {
    title: 'SMS template not found',
    rejection: errors.templateUnknown('…'),
    cause: 'Your team has no SMS template with this id.',
    fix: 'Check `templateId`, and that the token belongs to the team that owns the template.',
  },
  templateNotSendable: {
    title: 'Message template not sendable',
    rejection: errors.templateNotSendable('…', '…', '…'),
    cause: 'A template can be sent only while its status is Active and its approval status is APPROVED.',
    fix: 'If it is Archived, restore it. If it is PENDING, wait for the review. If it is REJECTED, read the comment, change the text and have it reviewed again.',
  },
  managedServiceUnknown: {
    title: 'Sender of the template not found',
    rejection: errors.managedServiceUnknown('…'),
    cause: 'The template names a sender of the platform that does not exist.',
    fix: 'Ask your operator to correct the sender of the template. The request itself is valid.',
  },
  categoryMismatch: {
    title: 'Categories of template and sender differ',
    rejection: errors.categoryMismatch('…', '…'),
    cause: 'The template and the sender of the platform that it names have different categories.',
    fix: 'Ask your operator to change the category or the sender of the template. The request itself is valid.',
  },
  senderNotApproved: {
    title: 'Sender not approved',
    rejection: errors.senderNotApproved('…', '…', '…'),
    cause:
      'Your team may not send as this sender on this channel. Pending: its review is not over; Rejected: it was refused; Expired: its registration has ended; Missing: nobody asked for it there.',
    fix: 'See GET /senders, and ask your operator to approve the sender for this channel or country. The request itself is valid.',
  },
  senderOfCategory: {
    title: 'Sender of another category',
    rejection: errors.senderOfCategory('…', '…', '…'),
    cause: 'The sender of the service is for messages of one category, and the request has another.',
    fix: 'Send through a service whose sender is for this category, or use a template of its category.',
  },
  senderRuleBroken: {
    title: 'Sender against the rules of a country',
    rejection: errors.senderRuleBroken('…', '…', '…', '…'),
    cause:
      'Your operator has enabled the rules of the recipient’s country on senders, and this one breaks them. The sentence says which rule, and where it is from.',
    fix: 'Ask your operator for a sender that fits, or to register this one for the country. The guide on senders explains each rule.',
  },
  replyInvalid: {
    title: 'Invalid reply',
    rejection: errors.replyInvalid('…'),
    cause:
      'A reply has both `text` and `media` or neither, or its file has an address or a property that the chat app would refuse.',
    fix: 'Send either a text or a file. The file needs a public URL; AUDIO takes no caption, and only a DOCUMENT takes a filename.',
  },
  fallbackInvalid: {
    title: 'Invalid SMS in reserve',
    rejection: errors.fallbackInvalid('…'),
    cause:
      'A recipient has no text for its SMS in reserve, or both kinds; its template is for another category than the chat-app template; or it would be sent after `validUntil`.',
    fix: 'Send either a `message` or a `templateId` with its `params`, of the category of the chat-app template, and let `after` end before `validUntil`.',
  },
  sessionClosed: {
    title: 'Replies no longer possible',
    rejection: errors.sessionClosed('…', '…'),
    cause:
      'Chat apps take texts and files without a template for 24 hours after a message of the person; `replyableUntil` of that message says until when.',
    fix: 'Reply to a later message of the person, or send a template.',
  },
  destinationNotAllowed: {
    title: 'Destinations not allowed',
    rejection: errors.destinationNotAllowed(['…']),
    cause: 'Your team, or this client, may not send to these countries or prefixes.',
    fix: 'Leave these recipients out, or ask an admin of your team (for the client) or your operator (for the team) to change the destinations.',
  },
  invalidParameters: {
    title: 'Template parameter validation failed',
    rejection: errors.invalidParameters({ errors: ['…'] }),
    cause:
      'Some parameters do not match the template. `result` lists all faults, under each phone number if recipients have separate parameters, otherwise under `errors`.',
    fix: 'Fix every listed parameter and send the request again.',
    examples: ['parametersToEach', 'parametersToMany', 'parameterFaults', 'valueFaults', 'componentFaults'],
  },
} satisfies Record<string, ErrorText>;

/** Errors whose sentence the OpenAPI document sets for a rule of a schema (`x-errors`), by example name. */
export const schemaErrors = {
  noRecipients: {
    title: 'No valid recipients',
    rejection: errors.schemaViolation('No valid recipients found.'),
    cause: 'The list of phone numbers is empty.',
    fix: 'Send at least one recipient. If there are none, do not send a request.',
  },
  noMessages: {
    title: 'No valid messages',
    rejection: errors.schemaViolation('No valid messages found.'),
    cause: 'The list of messages is empty.',
    fix: 'Send at least one message. If there are none, do not send a request.',
  },
  emptyMessage: {
    title: 'Message is empty',
    rejection: errors.schemaViolation('No valid messages found: /… must not be empty'),
    cause: 'The text at the place in the sentence is empty or only white space.',
    fix: 'Send a text, or remove this recipient.',
  },
  tooManyRecipients: {
    title: 'Too many recipients',
    rejection: errors.schemaViolation('Maximum number of recipients exceeded.'),
    cause: 'A request can have up to 100 recipients, or up to 10 if it sends a template.',
    fix: 'Split the recipients over several requests, each with its own `Idempotency-Key`.',
  },
} satisfies Record<string, ErrorText>;
