/** The errors that calls and receipts end with, all of one class, and how one is read from a response. */

/** What is known of an error; only `code` and `desc` always are. */
export interface ErrorFields {
  code: string;
  desc: string;
  status?: number | undefined;
  result?: unknown;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  helpUrl?: string | undefined;
  cause?: unknown;
}

/** Why a call failed. Decide by `status` and `code`; `desc` is for people and may change. */
export class TarishiError extends Error {
  override readonly name: string = 'TarishiError';
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined;
  /** The `Error-Code` of the response, such as `insufficient-units`; `unknown` if it has none. */
  readonly code: string;
  /** What is wrong, in one sentence. */
  readonly desc: string;
  /** Details, such as the faults of template parameters. */
  readonly result: unknown;
  /** The id to give when you ask for help. */
  readonly requestId: string | undefined;
  /** The number of seconds to wait before you try again, if the response says so. */
  readonly retryAfter: number | undefined;
  /** The page that explains the error and how to fix it. */
  readonly helpUrl: string | undefined;

  constructor(fields: ErrorFields) {
    const { code, desc, status, requestId } = fields;
    const facts = [status, code, requestId].filter((fact) => fact !== undefined);
    super(`${desc} (${facts.join(', ')})`, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.status = status;
    this.code = code;
    this.desc = desc;
    this.result = fields.result;
    this.requestId = requestId;
    this.retryAfter = fields.retryAfter;
    this.helpUrl = fields.helpUrl;
  }
}

/** There was no response; `code` is `timeout` or `connection-failed`, and `cause` the underlying error. */
export class TarishiConnectionError extends TarishiError {
  override readonly name = 'TarishiConnectionError';
}

/**
 * What was posted to you is not a receipt of yours. `code` is `missing-headers`, `timestamp-out-of-range`,
 * `wrong-signature` or `malformed-body`.
 */
export class TarishiReceiptError extends TarishiError {
  override readonly name = 'TarishiReceiptError';
}

/** A response whose body was read. */
export interface Reply {
  url: string;
  status: number;
  headers: Headers;
  /** Empty of a file. */
  text: string;
  /** Of a call for a file that got it. */
  file?: Blob;
}

/** The error that a response without success means, also if it came from a proxy and not from the service. */
export function errorOf({ url, status, headers, text }: Reply): TarishiError {
  const body = (parsed(text) ?? {}) as Record<string, unknown>;
  const desc = body.desc ?? body.error_description;
  const code = headers.get('Error-Code') ?? body.error;
  return new TarishiError({
    status,
    code: typeof code === 'string' ? code : 'unknown',
    desc: typeof desc === 'string' ? desc : `The response has the status ${status}`,
    result: body.result,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfterOf(headers),
    helpUrl: helpUrlOf(headers, url),
  });
}

/** The seconds of `Retry-After`, which may also be a date (RFC 9110, section 10.2.3). */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.now()) / 1000;
  return /[a-z]/i.test(value) && Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

function helpUrlOf(headers: Headers, url: string): string | undefined {
  const [, target] = /<([^<>]*)>\s*;\s*rel="?help"?/.exec(headers.get('Link') ?? '') ?? [];
  return target !== undefined && URL.canParse(target, url) ? new URL(target, url).href : undefined;
}

/** Undefined if the text is not a JSON object. */
export function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
