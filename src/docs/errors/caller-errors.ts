/** Cause and fix of errors about the caller, the requested resource or the rate. */
import { errors } from '../../platform/errors.ts';
import type { ErrorText } from './error-text.ts';

export const callerErrors = {
  serviceNotActive: {
    title: 'Service not active',
    rejection: errors.serviceNotActive('…', '…'),
    cause: 'The messaging service exists but is not active.',
    fix: 'Ask your operator to activate it, or send through another service of your team.',
  },
  campaignNotActive: {
    title: 'Campaign not active',
    rejection: errors.campaignNotActive('…', '…'),
    cause: 'The campaign is archived.',
    fix: 'Use another campaign of your team, or ask your operator to restore this one.',
  },
  campaignExpired: {
    title: 'Campaign expired',
    rejection: errors.campaignExpired('…', '…'),
    cause: 'The campaign ended at the time in the sentence.',
    fix: 'Use a campaign that has not ended, or ask your operator to extend this one.',
  },
  denominationsNotAllowed: {
    title: 'Denominations not allowed by the campaign',
    rejection: errors.denominationsNotAllowed('…', ['…']),
    cause:
      'The campaign allows only some bundle sizes. The sentence lists all sizes in the request that it does not allow.',
    fix: 'Use sizes that the campaign allows, or ask your operator to add these. Nothing was disbursed.',
  },
  insufficientUnits: {
    title: 'Insufficient units',
    rejection: errors.insufficientUnits(3),
    cause:
      'The balance of your team does not cover the entire request. The sentence says how many units the request needs.',
    fix: 'Top up, or send to fewer recipients. Nothing was debited. An SMS costs one unit per 160 characters.',
  },
  missingToken: {
    title: 'Bearer token missing',
    rejection: errors.missingToken(),
    cause: 'The request has no `Authorization: Bearer …` header.',
    fix: 'Get a token from `POST /oauth/token` and send it with every request.',
  },
  invalidToken: {
    title: 'Bearer token invalid or expired',
    rejection: errors.invalidToken(),
    cause: 'The token has expired, was modified, or comes from another service.',
    fix: 'Get a new token once, then retry. Tokens are valid for an hour.',
  },
  missingScope: {
    title: 'Permission denied: scope required',
    rejection: errors.missingScope('…'),
    cause: 'The token does not have the scope that the operation requires.',
    fix: 'Omit `scope` when you get a token, or include this one. If your client does not have the scope, ask your operator to add it.',
    examples: [
      'missingScope',
      'missingDataScope',
      'missingReadScope',
      'missingReceiptScope',
      'missingChatAppScope',
    ],
  },
  clientDisabled: {
    title: 'Permission denied: client disabled',
    rejection: errors.clientDisabled(),
    cause: 'The client was disabled after the token was issued.',
    fix: 'Ask your operator. A new token does not help.',
  },
  addressNotAllowed: {
    title: 'Permission denied: IP address not allowed',
    rejection: errors.addressNotAllowed(),
    cause: 'The client may call only from the IP addresses on its list, and yours is not on it.',
    fix: 'Call from an address on the list, or ask your operator to add yours: the public address of your network.',
  },
  webOriginNotAllowed: {
    title: 'Permission denied: web origin not allowed',
    rejection: errors.webOriginNotAllowed(),
    cause: 'The request comes from a web page whose origin is not on the list of the client.',
    fix: 'Ask your operator to add the origin to the client, or use a token of a client that lists it.',
  },
  serviceUnknown: {
    title: 'Service not found',
    rejection: errors.serviceUnknown('…'),
    cause: 'Your team has no service with this id. Ids of other teams get the same response.',
    fix: 'Check the id in the path, and that the token belongs to the team that owns the service.',
  },
  campaignUnknown: {
    title: 'Campaign not found',
    rejection: errors.campaignUnknown('…'),
    cause: 'Your team has no campaign with this id. Ids of other teams get the same response.',
    fix: 'Check the id in the path, and that the token belongs to the team that owns the campaign.',
  },
  phoneNumberUnknown: {
    title: 'Phone number ID not found',
    rejection: errors.phoneNumberUnknown('…'),
    cause: 'The chat-app service has no sender number with this id.',
    fix: 'Send the id of the number, not the number itself. It must belong to the service in the path.',
  },
  inboundMessageUnknown: {
    title: 'Inbound message not found',
    rejection: errors.inboundMessageUnknown('…'),
    cause:
      'Nobody sent a chat-app message with this id to this number of your service, or who sent it is no longer kept.',
    fix: 'Send the `messageId` of an inbound message, and the `phoneNumberId` of the number that got it.',
  },
  mediaMissing: {
    title: 'File not found',
    rejection: errors.mediaMissing('…'),
    cause:
      'The message has no file, the chat app no longer has it, or it is larger than 100 MiB. Chat apps keep files for some days only.',
    fix: 'Get files soon after their messages. Ask the person to send it again.',
  },
  chatAppTemplateUnknown: {
    title: 'Chat-app template not found',
    rejection: errors.chatAppTemplateUnknown('…'),
    cause: 'Your team has no chat-app template with this id.',
    fix: 'Check `templateId`. SMS templates cannot be sent as chat-app messages.',
    examples: ['templateUnknown'],
  },
  templateMissing: {
    title: 'Template not found',
    rejection: errors.templateMissing('…'),
    cause: 'Your team has no template with this id, or none of the `product` in the query.',
    fix: 'Use an `id` that `GET /templates` lists.',
  },
  receiptUnknown: {
    title: 'Receipt not found',
    rejection: errors.receiptUnknown('…'),
    cause: 'Your team has no receipt with this id.',
    fix: 'Use the `webhook-id` of the receipt, or its `receiptId` in `GET /receipts`.',
  },
  requestUnknown: {
    title: 'Request not found',
    rejection: errors.requestUnknown('…'),
    cause: 'Your team has no request with this id.',
    fix: 'Use the `requestId` of the response that accepted the request, with a client of the same team.',
  },
  noRoute: {
    title: 'Resource not found: no such path',
    rejection: errors.noRoute(),
    cause:
      'There is no operation at this path. This is also the response to an id in the path that is longer than 64 characters or contains anything but letters, digits, `_` and `-`.',
    fix: 'Compare the path with the reference. It has no trailing slash.',
  },
  methodNotAllowed: {
    title: 'Method not allowed',
    rejection: errors.methodNotAllowed('GET', ['POST']),
    cause: 'The path exists but does not support this method.',
    fix: 'Use a method from the `Allow` header. A redirect from HTTP to HTTPS can turn POST into GET: use the HTTPS URL directly.',
  },
  keyInUse: {
    title: 'Idempotency-Key in use',
    rejection: errors.keyInUse(),
    cause: 'The first request with this `Idempotency-Key` is still running.',
    fix: 'Wait a second, then retry with the same key.',
  },
  keyReused: {
    title: 'Idempotency-Key used with another request',
    rejection: errors.keyReused(),
    cause: 'The `Idempotency-Key` was used within the last 24 hours with a different path or body.',
    fix: 'Use a new key for a new request. To retry, send the same path and body; white space and the order of properties do not matter.',
  },
  rateLimitExceeded: {
    title: 'Rate limit exceeded',
    rejection: errors.rateLimitExceeded(400, '…', 1),
    cause: 'Your team exceeded its limit of recipients per second. This request does not count.',
    fix: 'Wait for the number of seconds in `Retry-After`, then retry. Spread large lists evenly.',
  },
  capReached: {
    title: 'Cap reached',
    rejection: errors.capReached('…', '…', 5_000, 1),
    cause:
      'With this request your team or client would have more units accepted in this day or month, of UTC, than its cap. Nothing of the request was accepted.',
    fix: 'Wait for the number of seconds in `Retry-After`, when the next day or month begins, or ask an admin of your team (for the client) or your operator (for the team) to raise the cap.',
  },
  codesUnconfirmed: {
    title: 'Codes unconfirmed',
    rejection: errors.codesUnconfirmed(['…'], 1),
    cause:
      'Of the one-time codes to the country or the prefix of these numbers, in 24 hours or in this hour, so many were not confirmed that robots may have asked for them. Your team has a guard that refuses such codes. Nothing of the request was accepted.',
    fix: 'Confirm each code that a person enters (`POST /requests/{requestId}/confirm`). Offer the people with these numbers another way to sign in, and retry after the seconds in `Retry-After` at the earliest. If they are real, ask your operator to set the guard of your team to `Record`.',
  },
  replayLimitExceeded: {
    title: 'Too many receipts replayed',
    rejection: errors.replayLimitExceeded(100_000, 1),
    cause: 'Your team has had this many receipts replayed since its first replay, less than an hour ago.',
    fix: 'Wait for the number of seconds in `Retry-After`, then send the same replay again: it goes on where the last one ended.',
  },
  overloaded: {
    title: 'Service overloaded',
    rejection: errors.overloaded(),
    cause:
      'The service gets more requests from all clients together than it can process. Or too many tests of endpoints or replays of receipts are in progress, of your team or of all.',
    fix: 'Wait for the number of seconds in `Retry-After`, then retry with the same `Idempotency-Key`.',
  },
  tooManyRejectedRequests: {
    title: 'Too many rejected requests',
    rejection: errors.tooManyRejectedRequests(1),
    cause:
      'Your address has sent too many wrong credentials or tokens, or your team too many large bodies that were rejected.',
    fix: 'Wait for the number of seconds in `Retry-After`. Fix the requests that were rejected instead of retrying them unchanged.',
  },
  internal: {
    title: 'Internal error',
    rejection: errors.internal('…'),
    cause: 'The service failed, probably because of a bug.',
    fix: 'Retry with the same `Idempotency-Key`. If the error persists, report the request id.',
    examples: ['internal', 'serverError'],
  },
  networkAway: {
    title: 'Network temporarily unavailable',
    rejection: errors.networkAway(),
    cause: 'The chat app does not respond, or does not give the file now.',
    fix: 'Wait for the number of seconds in `Retry-After`, then retry.',
  },
  databaseAway: {
    title: 'Service temporarily unavailable',
    rejection: errors.databaseAway(),
    cause:
      'The database of the service is unreachable for a moment. The request may have been accepted before that.',
    fix: 'Wait for the number of seconds in `Retry-After`, then retry with the same `Idempotency-Key`.',
  },
  parameterRepeated: {
    title: 'Parameter repeated in the token request',
    rejection: errors.parameterRepeated(),
    cause: 'The form of the token request has the same parameter more than once.',
    fix: 'Send each parameter once, in the body: `grant_type=client_credentials` and, if you need it, `scope`.',
  },
  credentialsTwice: {
    title: 'Client credentials sent twice',
    rejection: errors.credentialsTwice(),
    cause: 'The request has an `Authorization` header, and a `client_secret` in its form.',
    fix: 'Send the id and secret of the client in one of the two places.',
  },
  clientIdsDiffer: {
    title: 'Client ids differ',
    rejection: errors.clientIdsDiffer(),
    cause: '`client_id` in the form names another client than the `Authorization` header.',
    fix: 'Leave `client_id` out when you use HTTP Basic.',
  },
  invalidClient: {
    title: 'Client authentication failed',
    rejection: errors.invalidClient('unknown-client'),
    cause: 'The client is unknown or disabled, or its secret is wrong.',
    fix: 'Check that the id and the secret are complete, and URL-encode them (`--data-urlencode` in curl).',
  },
  unsupportedGrantType: {
    title: 'Unsupported grant type',
    rejection: errors.unsupportedGrantType(),
    cause: '`grant_type` is a different OAuth 2.0 grant.',
    fix: 'Send `grant_type=client_credentials`.',
  },
  invalidScope: {
    title: 'Scope not allowed',
    rejection: errors.invalidScope(),
    cause: '`scope` contains a scope that the client does not have.',
    fix: 'Omit `scope` to get all scopes of the client, or ask your operator to add the missing one.',
  },
} satisfies Record<string, ErrorText>;
