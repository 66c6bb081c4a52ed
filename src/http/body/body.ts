/** Reads a request body within its limits and rejects one that is malformed or of the wrong type. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Rejection } from '../../platform/errors.ts';
import { formLimitBytes, jsonBodyLimitBytes, shortBodyLimitBytes } from '../bounds.ts';
import { isForm, isJson } from '../contract/media-types.ts';
import type { BodyBudget } from './body-budget.ts';
import { requireBounded, requireStorableEscapes } from './json-text.ts';

/** A request whose body has not been read, as Koa's context holds it. */
export interface Unread {
  req: IncomingMessage;
  res: ServerResponse;
  /** Learns how long the body was, once all of it is read. */
  state: { bodyBytes?: number };
}

/** What the bodies of all requests may take up, and the team or address that this one counts for. */
export interface BodyBudgets {
  json: BodyBudget;
  form: BodyBudget;
}

/** The parsed body; `accepted` are the content types the operation takes. Rejects with 400 of the catalogue. */
export async function readBody(
  exchange: Unread,
  accepted: readonly string[],
  budgets: BodyBudgets,
  holder: string,
): Promise<unknown> {
  const { headers } = exchange.req;
  const contentType = mediaType(headers['content-type']);
  if (contentType === undefined || !accepted.includes(contentType))
    throw errors.unsupportedContentType(accepted.join(' or '));
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw errors.unsupportedContentEncoding();
  const form = isForm(contentType);
  const text = decode(
    form
      ? await readBytes(exchange, formLimitBytes, budgets.form, holder)
      : await readBytes(exchange, jsonBodyLimitBytes, budgets.json, holder),
  );
  if (form) return parseForm(text);
  if (isJson(contentType)) return parseJson(text);
  if (text.includes('\0')) throw errors.invalidCharacters();
  return text;
}

/** The media type in lower case; undefined when it is missing or names another charset than UTF-8. */
function mediaType(header: string | undefined): string | undefined {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return charset === undefined || /^"?utf-?8"?$/.test(charset) ? type : undefined;
}

/**
 * Bytes up to the limit; they count in the budget until the response is sent. What is beyond a limit is left
 * unread. A body that ends early or takes too long appears only in the log: the server has responded and closed the
 * connection. raw-body could be stopped only by destroying the request, which loses the client the response.
 */
export function readBytes(
  { req, res, state }: Unread,
  limitBytes: number,
  budget: BodyBudget,
  holder: string,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > limitBytes) {
      reject(errors.bodyTooLarge(limitBytes));
      return;
    }
    const lease = budget.open(holder);
    res.once('close', lease.end);
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (settle: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError);
      settle();
    };
    const refuse = (rejection: Rejection) => {
      finish(() => reject(rejection));
      lease.end();
      // The rest is dropped as it comes.
      req.resume();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) refuse(errors.bodyTooLarge(limitBytes));
      else if (lease.take(chunk.length)) chunks.push(chunk);
      else refuse(errors.overloaded());
    };
    const onEnd = () => {
      state.bodyBytes = size;
      finish(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    };
    const onError = () => finish(() => reject(errors.bodyIncomplete()));
    if (awaitsContinue(req)) res.writeContinue();
    req.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError);
  });
}

/** Whether the client waits for 100 Continue before it sends the body (RFC 9110, 10.1.1). */
export function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.expect?.toLowerCase() === '100-continue';
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw errors.invalidEncoding();
  }
}

function parseJson(text: string): unknown {
  // Before JSON.parse, which would build the whole tree first.
  requireBounded(text);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw errors.malformedBody();
  }
  requireStorableEscapes(text);
  return body;
}

/** Whether the headers do not promise a short body. */
export function mayBeLong({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > shortBodyLimitBytes
  );
}

/** Whether a body follows the headers (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** A form as an object; RFC 6749 section 3.2 allows no parameter twice and reads an empty one as absent. */
function parseForm(text: string): Record<string, string> {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) throw errors.parameterRepeated();
    form.set(name, value);
  }
  const present = [...form].filter(([, value]) => value !== '');
  // UTF-8 has no unpaired surrogates.
  if (text.includes('%00') || text.includes('\0')) throw errors.invalidCharacters();
  return Object.fromEntries(present);
}
