/** Cause and fix of what is refused because of the request itself: its body, recipients and templates. */
import { errors } from '../errors.ts';
import type { ErrorText } from './error-text.ts';

export const requestErrors = {
  notHttp: {
    rejection: errors.notHttp(400, '…'),
    cause:
      'The bytes that arrived are no HTTP/1.1 request: a malformed line or header, no `Host` or two. The status is 431 when the headers are too large, 408 when the request took too long, and 505 for another version of HTTP.',
    fix: 'Use a maintained HTTP client, and the scheme that the address of the service begins with. Shorten headers; cookies are never needed.',
  },
  contentType: {
    rejection: errors.contentType('application/json'),
    cause: 'The `Content-Type` header is missing or names another type than the operation takes.',
    fix: 'Send `Content-Type: application/json`; the token endpoint takes `application/x-www-form-urlencoded`.',
  },
  contentEncoding: {
    rejection: errors.contentEncoding(),
    cause: 'The request has a `Content-Encoding` header, such as `gzip`.',
    fix: 'Send the body as it is. Some HTTP libraries compress large bodies on their own: switch that off.',
  },
  bodyTooLarge: {
    rejection: errors.bodyTooLarge(1_048_576),
    cause: 'The body is larger than one request may need. The connection is closed.',
    fix: 'Split the recipients over several requests.',
  },
  bodyIncomplete: {
    rejection: errors.bodyIncomplete(),
    cause: 'The connection ended before all of the body had arrived. Nothing was accepted.',
    fix: 'Repeat the request with the same `Idempotency-Key`.',
  },
  encoding: {
    rejection: errors.encoding(),
    cause: 'Some bytes of the body are not UTF-8, often because a text was read in another encoding.',
    fix: 'Encode the body as UTF-8. Convert texts that come from files or old databases first.',
  },
  malformedBody: {
    rejection: errors.malformedBody(),
    cause: 'The body cannot be read as JSON: a comma too many, a quotation mark too few, or no body at all.',
    fix: 'Build the body with a JSON library instead of putting strings together.',
  },
  nesting: {
    rejection: errors.nesting(20),
    cause: 'Objects and lists stand inside each other more deeply than any request of this contract needs.',
    fix: 'Compare the body with the example of the operation in the reference.',
  },
  parts: {
    rejection: errors.parts(100_000),
    cause: 'The body is made of far more values than any request of this contract has.',
    fix: 'Split the recipients over several requests.',
  },
  properties: {
    rejection: errors.properties(1_000),
    cause: 'An object has far more properties than any of this contract has.',
    fix: 'Compare the body with the example of the operation in the reference.',
  },
  characters: {
    rejection: errors.characters(),
    cause:
      'A text holds U+0000, or half of a surrogate pair, as when a text with emoji was cut in the middle.',
    fix: 'Cut texts by characters and not by UTF-16 units, and remove NUL characters.',
  },
  schemaViolation: {
    rejection: errors.schemaViolation('/… is required'),
    cause:
      'The body does not have the shape of the operation. The sentence names the place as a JSON pointer, such as `/messages/0/phone`, and the rule: missing, of another type, too long, unknown. Other sentences of this kind end differently.',
    fix: 'Compare that place with the schema in the reference. The rules are those of the variant that `type` selects.',
    examples: ['schemaViolation', 'invalidRequest'],
  },
  idempotencyKey: {
    rejection: errors.idempotencyKey(),
    cause: 'The `Idempotency-Key` header is empty, too long, or has characters that are not printable ASCII.',
    fix: 'Take a UUID, or an identifier of your own in ASCII.',
  },
  invalidPhones: {
    rejection: errors.invalidPhones(['…']),
    cause:
      'The sentence lists every number, as you wrote it, that cannot be read as a mobile number. An empty one is written `""`.',
    fix: 'Correct or remove the listed numbers and send the request again: nothing was sent to the others either. Write numbers with a plus and the country code.',
  },
  noChannel: {
    rejection: errors.noChannel(['…']),
    cause:
      'The listed numbers are valid, but no mobile network of this service takes them. All numbers of the request can be read: those that cannot are reported first.',
    fix: 'Remove the listed numbers from the request and send it again, but keep them in your address book: a network for them may be added.',
  },
  textsDiffer: {
    rejection: errors.textsDiffer('/…'),
    cause: 'An entry of `SendToEach` has both `message` and `text`, and they are not the same.',
    fix: 'Send `message` only. `text` is another name for it.',
  },
  correlator: {
    rejection: errors.correlator(),
    cause: '`receiptRequest.correlator` is empty or too long.',
    fix: 'Send an identifier of at most 100 characters, and keep details on your side.',
  },
  callbackUrl: {
    rejection: errors.callbackUrl(),
    cause:
      '`receiptRequest.callbackUrl` is relative, has another scheme, holds a user name or password, is too long, or has a host name that cannot exist.',
    fix: 'Send an absolute address such as `https://client.example/receipts`, with a host that is reachable from the internet. To keep others out, verify the signature instead of putting a password into the address.',
  },
  callbackAddress: {
    rejection: errors.callbackAddress(),
    cause:
      '`receiptRequest.callbackUrl` has a literal IP address that receipts are never posted to: private, loopback, link-local or reserved.',
    fix: 'Send an address with a host that is reachable from the internet, such as `https://client.example/receipts`.',
  },
  templateUnknown: {
    rejection: errors.templateUnknown('…'),
    cause: 'Your team has no SMS template with this id.',
    fix: 'Check the spelling of `templateId`, and that the token belongs to the team that owns the template.',
  },
  templateNotSendable: {
    rejection: errors.templateNotSendable('…', '…', '…'),
    cause: 'A template can be sent while its status is Active and its approval status APPROVED.',
    fix: 'Archived: activate it. PENDING: wait for its review. REJECTED: read the comment, change the text, and have it reviewed again.',
  },
  managedServiceUnknown: {
    rejection: errors.managedServiceUnknown('…'),
    cause: 'The template names a managed sender that does not exist.',
    fix: 'Have the template given a managed sender that exists. The request itself is in order.',
  },
  categoryMismatch: {
    rejection: errors.categoryMismatch('…', '…'),
    cause: 'The category of the template is not the category of its managed sender.',
    fix: 'Have the category of the template changed, or its sender. The request itself is in order.',
  },
  parameters: {
    rejection: errors.parameters({ errors: ['…'] }),
    cause:
      'Some parameters do not fit the template. `result` lists all faults: under each phone number when recipients have parameters of their own, else under `errors`.',
    fix: 'Mend every listed parameter and send the request again.',
    examples: ['parametersToEach', 'parametersToMany', 'parameterFaults', 'valueFaults', 'componentFaults'],
  },
} satisfies Record<string, ErrorText>;

/** Sentences that the document itself gives to a rule of its schemas (`x-errors`), by their examples. */
export const schemaErrors = {
  noRecipients: {
    rejection: errors.schemaViolation('No valid recipients found.'),
    cause: 'The list of phone numbers is empty.',
    fix: 'Send at least one, and no request at all when there is nobody to send to.',
  },
  noMessages: {
    rejection: errors.schemaViolation('No valid messages found.'),
    cause: 'The list of messages is empty.',
    fix: 'Send at least one, and no request at all when there is nothing to send.',
  },
  emptyMessage: {
    rejection: errors.schemaViolation('No valid messages found: /… must not be empty'),
    cause: 'The text at the place that the sentence names is empty or only white space.',
    fix: 'Send a text, or leave this recipient out.',
  },
  tooManyRecipients: {
    rejection: errors.schemaViolation('Maximum number of recipients exceeded.'),
    cause: 'A request takes 100 recipients, or 10 when it sends a template.',
    fix: 'Split the recipients over several requests, each with an `Idempotency-Key` of its own.',
  },
} satisfies Record<string, ErrorText>;
