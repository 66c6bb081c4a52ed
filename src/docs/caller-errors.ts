/** Cause and fix of what is refused because of who calls, what is asked for, or how often. */
import { errors } from '../errors.ts';
import type { ErrorText } from './error-text.ts';

export const callerErrors = {
  serviceNotActive: {
    rejection: errors.serviceNotActive('…', '…'),
    cause: 'The messaging service exists, but is switched off.',
    fix: 'Have it switched on, or send through another service of your team.',
  },
  campaignNotActive: {
    rejection: errors.campaignNotActive('…', '…'),
    cause: 'The campaign was archived: nothing is given under it any more.',
    fix: 'Disburse under another campaign of your team, or have this one made active again.',
  },
  campaignExpired: {
    rejection: errors.campaignExpired('…', '…'),
    cause: 'The campaign ended at the time that the sentence names.',
    fix: 'Disburse under a campaign that still runs, or have the end of this one moved.',
  },
  denominationsNotAllowed: {
    rejection: errors.denominationsNotAllowed('…', ['…']),
    cause:
      'The campaign gives out bundles of some sizes only; the sentence lists all of the request that it does not.',
    fix: 'Ask for sizes that the campaign allows, or have these added to it. Nothing of the request was disbursed.',
  },
  insufficientUnits: {
    rejection: errors.insufficientUnits(3),
    cause:
      'The balance of your team does not cover the whole request. The number says how many units it needs.',
    fix: 'Top up, or send to fewer recipients. Nothing was debited. An SMS costs one unit for each 160 characters.',
  },
  missingToken: {
    rejection: errors.missingToken(),
    cause: 'The request has no `Authorization: Bearer …` header.',
    fix: 'Get a token from `POST /oauth/token` and send it with each call.',
  },
  invalidToken: {
    rejection: errors.invalidToken(),
    cause: 'The token has expired, was changed on its way, or comes from another service.',
    fix: 'Get a new token, once, and repeat the call. Tokens are good for an hour.',
  },
  missingScope: {
    rejection: errors.missingScope('…'),
    cause: 'The token does not carry the scope that the operation needs.',
    fix: 'Leave `scope` out when you get a token, or ask for this one. If the client may not have it, have it added.',
    examples: ['missingScope', 'missingDataScope', 'missingChatAppScope'],
  },
  clientDisabled: {
    rejection: errors.clientDisabled(),
    cause: 'The client was disabled after the token was issued.',
    fix: 'Ask those who run the service; no new token will help.',
  },
  addressNotAllowed: {
    rejection: errors.addressNotAllowed(),
    cause: 'The client has a list of addresses that it may call from, and yours is not on it.',
    fix: 'Call from an address of the list, or have yours added. Behind a proxy, the address is the one your network shows outside.',
  },
  webOriginNotAllowed: {
    rejection: errors.webOriginNotAllowed(),
    cause:
      'The call comes from a web page whose origin is not on the list of the client that the token belongs to.',
    fix: 'Have the origin added to the client, or call with a token of the client that lists it.',
  },
  serviceUnknown: {
    rejection: errors.serviceUnknown('…'),
    cause: 'Your team has no service with this id. The ids of other teams answer the same.',
    fix: 'Check the id in the path, and that the token belongs to the team that owns the service.',
  },
  campaignUnknown: {
    rejection: errors.campaignUnknown('…'),
    cause: 'Your team has no campaign with this id. The ids of other teams answer the same.',
    fix: 'Check the id in the path, and that the token belongs to the team that owns the campaign.',
  },
  phoneNumberUnknown: {
    rejection: errors.phoneNumberUnknown('…'),
    cause: 'The chat-app service has no sender number with this id.',
    fix: 'Send the id of the number, not the number itself, and one that belongs to the service in the path.',
  },
  chatAppTemplateUnknown: {
    rejection: errors.chatAppTemplateUnknown('…'),
    cause: 'Your team has no chat-app template with this id.',
    fix: 'Check the spelling of `templateId`. SMS templates cannot be sent as chat-app messages.',
    examples: ['templateUnknown'],
  },
  noRoute: {
    rejection: errors.noRoute(),
    cause:
      'There is no operation at this path. An id with other characters than letters, digits, `_` and `-`, or with more than 64 of them, is no path either.',
    fix: 'Compare the path with the reference; it has no slash at its end.',
  },
  methodNotAllowed: {
    rejection: errors.methodNotAllowed('GET', ['POST']),
    cause: 'The path exists, but takes another method.',
    fix: 'Use a method of the `Allow` header. A redirect from HTTP to HTTPS can turn POST into GET: call HTTPS at once.',
  },
  keyInUse: {
    rejection: errors.keyInUse(),
    cause: 'The first request with this `Idempotency-Key` has not been answered yet.',
    fix: 'Wait a second and repeat the request with the same key.',
  },
  keyReused: {
    rejection: errors.keyReused(),
    cause:
      'The `Idempotency-Key` belongs to another request of the last 24 hours, with another path or body.',
    fix: 'Take a new key for a new request. For a repeat, send the same path and body; white space and the order of properties make no difference.',
  },
  rateLimit: {
    rejection: errors.rateLimit(400, '…', 1),
    cause: 'Your team has sent more recipients in the last second than it may. This request was not counted.',
    fix: 'Wait as many seconds as `Retry-After` says and repeat the request. Send large lists evenly, not all at once.',
  },
  overloaded: {
    rejection: errors.overloaded(),
    cause: 'More requests arrive than the service can take, from all its clients together.',
    fix: 'Wait as many seconds as `Retry-After` says and repeat the request with the same `Idempotency-Key`.',
  },
  refusedTooOften: {
    rejection: errors.refusedTooOften(1),
    cause:
      'Your address has sent too many wrong credentials or tokens, or your team too many large bodies that were refused.',
    fix: 'Wait as many seconds as `Retry-After` says. Stop repeating what was refused: look at what the refusals said.',
  },
  internal: {
    rejection: errors.internal('…'),
    cause: 'The service failed. That is our fault, or the database was away for a moment.',
    fix: 'Repeat the request with the same `Idempotency-Key`. If it goes on, report the id of the request.',
    examples: ['internal', 'serverError'],
  },
  parameterRepeated: {
    rejection: errors.parameterRepeated(),
    cause: 'The form of the token request has the same parameter more than once.',
    fix: 'Send each parameter once, in the body: `grant_type=client_credentials` and, if you need it, `scope`.',
  },
  credentialsTwice: {
    rejection: errors.credentialsTwice(),
    cause: 'The request has an `Authorization` header, and a `client_secret` in its form.',
    fix: 'Send the id and secret of the client in one of the two places.',
  },
  clientIdsDiffer: {
    rejection: errors.clientIdsDiffer(),
    cause: '`client_id` in the form names another client than the `Authorization` header.',
    fix: 'Leave `client_id` out when you use HTTP Basic.',
  },
  invalidClient: {
    rejection: errors.invalidClient('unknown-client'),
    cause: 'The client is unknown or disabled, or its secret is wrong.',
    fix: 'Check both for characters that were cut off, and encode them: `--data-urlencode` in curl.',
  },
  unsupportedGrantType: {
    rejection: errors.unsupportedGrantType(),
    cause: '`grant_type` names another grant of OAuth 2.0.',
    fix: 'Send `grant_type=client_credentials`.',
  },
  invalidScope: {
    rejection: errors.invalidScope(),
    cause: '`scope` asks for something that the client does not have.',
    fix: 'Leave `scope` out to get all scopes of the client, or have the missing one added.',
  },
} satisfies Record<string, ErrorText>;
