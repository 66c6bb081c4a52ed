/** The catalogue of all published errors, one line each; errors/ has the sentences in `result`. */
import { withSlugs } from './errors/slugs.ts';
import { shortened } from './text/code-points.ts';

/**
 * An error that a client may see. Thrown anywhere, rendered in one place (http/errors.ts).
 * `desc` is public: it never carries another team's data, SQL or stack traces.
 */
export class Rejection extends Error {
  readonly status: number;
  readonly desc: string;
  /** Structured details for `result`, if the sentence alone is not enough. */
  readonly result: unknown;
  /** Response headers of this error, such as `Retry-After` (seconds). */
  readonly headers: Readonly<Record<string, string>>;
  /** For the log only: what exactly is wrong, in a word. */
  readonly reason: string | undefined;
  /** The name of its page in the documentation. */
  slug: string | undefined;
  /** The error code of RFC 6749 or RFC 6750, where the body has the `{error, error_description}` form. */
  readonly code: string | undefined;

  constructor(status: number, desc: string, details: RejectionDetails = {}) {
    super(desc);
    this.name = 'Rejection';
    this.status = status;
    this.desc = desc;
    this.result = details.result;
    this.headers = details.headers ?? {};
    this.code = details.code;
    this.reason = details.reason;
  }
}

interface RejectionDetails {
  result?: unknown;
  headers?: Readonly<Record<string, string>>;
  code?: string;
  reason?: string | undefined;
}

/** Faults of the parameters: by recipient as written, or under `errors` for a shared set. */
export type ParameterFaults = Readonly<Record<string, readonly (string | object)[]>>;

const bad = (desc: string, result?: unknown) =>
  new Rejection(400, desc, result === undefined ? {} : { result });
const denied = (why: string) =>
  new Rejection(403, `Permission denied: ${why}`, {
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' },
  });
const oauth = (status: number, code: string, desc: string, details: Omit<RejectionDetails, 'code'> = {}) =>
  new Rejection(status, desc, { ...details, code });
const tryLater = (desc: string, seconds: number) =>
  new Rejection(429, desc, {
    code: 'rate_limit_exceeded',
    headers: { 'Retry-After': String(seconds) },
  });
const templateNotFound = (id: string) => `Message template ${id} not found.`;
const invalidRequest = (desc: string) => oauth(400, 'invalid_request', desc);

/** Once each, in order, as the client wrote them; long ones are cut, and empty ones quoted. */
const listed = (inputs: readonly string[]) =>
  [...new Set(inputs)].map((input) => (input === '' ? '""' : shortened(input))).join(', ');

const catalogue = {
  // The request before its schema
  notHttp: (status: number, reason: string) =>
    new Rejection(status, `The request is not valid HTTP: ${reason}.`),
  unsupportedContentType: (expected: string) => bad(`The content type must be ${expected}.`),
  unsupportedContentEncoding: () => bad('A compressed request body is not accepted.'),
  bodyTooLarge: (limitBytes: number) => bad(`The request body is larger than ${limitBytes} bytes.`),
  bodyIncomplete: () => bad('The request body ended early.'),
  invalidEncoding: () => bad('The request body is not valid UTF-8.'),
  malformedBody: () => bad('The request body is not valid JSON.'),
  tooDeeplyNested: (limit: number) => bad(`The request body is nested deeper than ${limit} levels.`),
  tooManyValues: (limit: number) =>
    bad(`The request body has more than ${limit} objects, lists and properties.`),
  tooManyProperties: (limit: number) =>
    bad(`An object of the request body has more than ${limit} properties.`),
  invalidCharacters: () => bad('The request body contains a NUL character or an unpaired surrogate.'),
  schemaViolation: (sentence: string) => bad(sentence),
  invalidIdempotencyKey: () => bad('Idempotency-Key must have 1 to 255 printable ASCII characters.'),

  invalidCursor: () => bad('The cursor does not belong to this list. Start again without a cursor.'),
  invalidPeriod: (days: number) =>
    bad(`Query parameter from must be earlier than to, by at most ${days} days.`),

  invalidReplayPeriod: () => bad('/to must be later than /from'),

  // Recipients and receipts
  invalidPhones: (inputs: readonly string[]) => bad(`Invalid phone numbers: ${listed(inputs)}`),
  noChannel: (inputs: readonly string[]) => bad(`No channel for phone numbers: ${listed(inputs)}`),
  numberRequired: (what: string, inputs: readonly string[]) =>
    bad(`${what} go to phone numbers only: ${listed(inputs)}`),
  textsDiffer: (place: string) => bad(`${place}/message and ${place}/text differ`),
  invalidCorrelator: () => bad('receiptRequest.correlator must have 1 to 100 characters.'),
  invalidCallbackUrl: () =>
    bad(
      'receiptRequest.callbackUrl must be an absolute http or https URL of at most 2048 characters without user information.',
    ),
  forbiddenCallbackAddress: () =>
    bad('receiptRequest.callbackUrl must not name a private or reserved IP address.'),

  scheduleInvalid: (rule: string) => bad(rule),
  timeZoneInvalid: () => bad('/timeZone must be the name of a time zone, such as America/New_York.'),

  invalidTestUrl: () =>
    bad(
      'callbackUrl must be an absolute http or https URL of at most 2048 characters without user information.',
    ),
  forbiddenTestAddress: () => bad('callbackUrl must not name a private or reserved IP address.'),

  // Templates
  templateUnknown: (id: string) => bad(templateNotFound(id)),
  templateNotSendable: (id: string, status: string, approvalStatus: string) =>
    bad(
      `Message template ${id} is not sendable. Current status: ${status} and approval status: ${approvalStatus}`,
    ),
  managedServiceUnknown: (key: string) => bad(`Managed service descriptor not found for key: ${key}`),
  categoryMismatch: (template: string, managed: string) =>
    bad(`Template category ${template} does not match managed service descriptor category ${managed}`),
  registrationsMissing: (missing: readonly string[], where: string) =>
    bad(`Missing registrations: ${missing.join('; ')}. Add them to ${where}.`),
  invalidParameters: (faults: ParameterFaults) => bad('Template parameter validation failed', faults),

  // Replies
  replyInvalid: (rule: string) => bad(rule),
  sessionClosed: (id: string, until: string) =>
    bad(`Replies to inbound message ${id} were possible until ${until}.`),

  // SMS in reserve
  fallbackInvalid: (rule: string) => bad(rule),

  // Senders
  senderNotApproved: (sender: string, channel: string, status: string) =>
    bad(`Sender ${sender} is not approved for ${channel}. Current status: ${status}`),
  senderOfCategory: (sender: string, wanted: string, category: string) =>
    bad(`Sender ${sender} is for ${wanted} messages, not for ${category}.`),
  senderRuleBroken: (sender: string, country: string, rule: string, source: string) =>
    bad(`Sender ${sender} cannot be used in ${country}: ${rule}. Source: ${source || 'the operator'}`),

  // Own limits
  destinationNotAllowed: (phones: readonly string[]) => bad(`Destinations not allowed: ${listed(phones)}`),
  capReached: (holder: string, period: string, most: number, retryAfterSeconds: number) =>
    tryLater(`The cap of the ${holder} of ${most} unit(s) per ${period} is reached.`, retryAfterSeconds),
  codesUnconfirmed: (phones: readonly string[], retryAfterSeconds: number) =>
    tryLater(
      `Too many codes to the countries or prefixes of these numbers are unconfirmed: ${listed(phones)}`,
      retryAfterSeconds,
    ),

  // Services, campaigns and balances
  serviceNotActive: (id: string, status: string) =>
    bad(`Service ${id} is not active. Current status: ${status}`),
  campaignNotActive: (id: string, status: string) =>
    bad(`Campaign ${id} is not active. Current status: ${status}`),
  campaignExpired: (id: string, at: string) => bad(`Campaign ${id} expired at ${at}.`),
  denominationsNotAllowed: (id: string, denominations: readonly string[]) =>
    bad(`Campaign ${id} does not allow denominations: ${denominations.join(', ')}`),
  insufficientUnits: (units: number) => bad(`Insufficient units for ${units} unit(s) requested.`),

  // Who calls
  missingToken: () =>
    new Rejection(401, 'A bearer token is required.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
      reason: 'missing',
    }),
  invalidToken: (reason?: string) =>
    new Rejection(401, 'The bearer token is invalid or has expired.', {
      headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
      reason,
    }),
  missingScope: (scope: string) => denied(`the scope ${scope} is required.`),
  clientDisabled: () => denied('the client is disabled.'),
  webOriginNotAllowed: () => denied('the client may not be used by pages of this web origin.'),
  addressNotAllowed: () => denied('the client may not call from this address.'),

  // Management
  missingRole: (role: string) => denied(`the role ${role} is required.`),
  platformOnly: (deed = 'do this') => denied(`only users of the platform may ${deed}.`),
  managementFaults: (sentences: string) => bad(sentences),
  managementNotFound: (sentences: string) => new Rejection(404, sentences),
  managementArchived: (sentences: string) => new Rejection(404, sentences),
  managementConflict: (sentences: string) => new Rejection(409, sentences),
  resourceChanged: () =>
    new Rejection(
      412,
      'The resource was changed since you read it: the ETag in If-Match is not the current one.',
    ),
  ifMatchMissing: () =>
    new Rejection(428, 'The If-Match header is required: send the ETag of the resource that you read.'),

  // What is asked for
  serviceUnknown: (id: string) => new Rejection(404, `Service ${id} not found.`),
  phoneNumberUnknown: (id: string) => new Rejection(404, `Phone number ID ${id} not found.`),
  inboundMessageUnknown: (id: string) => new Rejection(404, `Inbound message ${id} not found.`),
  mediaMissing: (id: string) => new Rejection(404, `Inbound message ${id} has no file that can be read.`),
  chatAppTemplateUnknown: (id: string) => new Rejection(404, templateNotFound(id)),
  templateMissing: (id: string) => new Rejection(404, templateNotFound(id)),
  campaignUnknown: (id: string) => new Rejection(404, `Campaign ${id} not found.`),
  receiptUnknown: (id: string) => new Rejection(404, `Receipt ${id} not found.`),
  requestUnknown: (id: string) => new Rejection(404, `Request ${id} not found.`),
  noRoute: () => new Rejection(404, 'Resource not found.'),
  methodNotAllowed: (method: string, allowed: readonly string[]) =>
    new Rejection(405, `Method ${method} is not allowed here.`, { headers: { Allow: allowed.join(', ') } }),
  nothingToCancel: (id: string) => new Rejection(409, `Request ${id} has no message left to cancel.`),
  keyInUse: () => new Rejection(409, 'A request with this Idempotency-Key is still running.'),
  keyReused: () => new Rejection(409, 'This Idempotency-Key was used with another request.'),
  rateLimitExceeded: (limit: number, noun: string, retryAfterSeconds: number) =>
    tryLater(`The limit of ${limit} ${noun} per second is exceeded.`, retryAfterSeconds),
  replayLimitExceeded: (limit: number, retryAfterSeconds: number) =>
    tryLater(`The limit of ${limit} replayed receipts per hour is exceeded.`, retryAfterSeconds),
  overloaded: () => tryLater('The service is overloaded. Try again later.', 2),
  tooManyRejectedRequests: (retryAfterSeconds: number) =>
    tryLater('Too many requests were rejected. Try again later.', retryAfterSeconds),
  internal: (requestId: string) =>
    new Rejection(500, `Internal error. Quote request ${requestId} when you report it.`, {
      code: 'server_error',
    }),
  networkAway: () =>
    new Rejection(503, 'The network is temporarily unavailable. Try again later.', {
      code: 'temporarily_unavailable',
      headers: { 'Retry-After': '5' },
    }),
  databaseAway: () =>
    new Rejection(503, 'The service is temporarily unavailable. Try again later.', {
      code: 'temporarily_unavailable',
      headers: { 'Retry-After': '5' },
    }),

  // The token endpoint
  parameterRepeated: () => invalidRequest('A parameter is repeated.'),
  credentialsTwice: () =>
    invalidRequest('Send client credentials either by HTTP Basic or in the form, not both.'),
  clientIdsDiffer: () => invalidRequest('/client_id differs from the client id sent by HTTP Basic.'),
  invalidClient: (reason: string) =>
    oauth(401, 'invalid_client', 'Client authentication failed.', {
      headers: { 'WWW-Authenticate': 'Basic realm="tarishi"' },
      reason,
    }),
  unsupportedGrantType: () =>
    oauth(400, 'unsupported_grant_type', 'The grant type must be client_credentials.'),
  invalidScope: () =>
    oauth(400, 'invalid_scope', 'The client is not allowed one or more of the requested scopes.'),
} as const;

/** Makes the rejections. */
export const errors = withSlugs(catalogue);
