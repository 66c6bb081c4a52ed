/** Reads files that people sent: their addresses live for five minutes and need the token of the business. */
import { Transform } from 'node:stream';
import { request } from 'undici';
import type { Clock } from '../../platform/clock.ts';
import { mediaLimitBytes, type OpenedMedia } from '../contract/kind.ts';
import { createProviderClient, unansweredWords } from '../http/exchange.ts';
import type { WhatsAppSettings } from './settings.ts';
import { objectOf, textOf } from './template-definition.ts';

/** For all of a file. */
const longestMs = 600_000;

export async function openMedia(
  { baseUrl, timeoutSeconds, version }: WhatsAppSettings,
  token: string,
  clock: Clock,
  id: string,
): Promise<OpenedMedia> {
  const headers = { Authorization: `Bearer ${token}` };
  const timeoutMs = timeoutSeconds * 1000;
  const client = createProviderClient({ baseUrl, timeoutMs, clock });
  try {
    const path = `/${version}/${encodeURIComponent(id)}`;
    const answer = await client.exchange({ method: 'GET', path, headers });
    if (answer.kind !== 'answered') return { kind: 'away', reason: unansweredWords(answer) };
    const refused = refusalOf(answer.status);
    if (refused !== undefined) return refused;
    const address = addressOf(textOf(objectOf(answer.body).url), baseUrl);
    return address === undefined ? { kind: 'missing' } : await openAddress(address, headers, timeoutMs);
  } finally {
    await client.close();
  }
}

/** The token goes nowhere else than to the provider, or to where the provider says over TLS. */
function addressOf(url: string | undefined, baseUrl: string): URL | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const address = new URL(url);
  return address.protocol === 'https:' || address.origin === new URL(baseUrl).origin ? address : undefined;
}

async function openAddress(
  address: URL,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<OpenedMedia> {
  try {
    const answer = await request(address, {
      headers: { ...headers, 'User-Agent': 'tarishi' },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: AbortSignal.timeout(longestMs),
    });
    const { statusCode, body } = answer;
    const length = Number(answer.headers['content-length'] ?? Number.NaN);
    const refused =
      refusalOf(statusCode) ?? (length > mediaLimitBytes ? { kind: 'missing' as const } : undefined);
    if (refused !== undefined) {
      // Nobody reads it.
      body.on('error', () => {}).destroy();
      return refused;
    }
    const stream = limited();
    body.on('error', (error) => stream.destroy(error)).pipe(stream);
    stream.on('close', () => body.destroy());
    return { kind: 'open', stream, bytes: Number.isNaN(length) ? undefined : length };
  } catch (error) {
    return { kind: 'away', reason: String((error as NodeJS.ErrnoException).code ?? 'failed') };
  }
}

/** Undefined: it is there. Redirects are followed nowhere. */
function refusalOf(status: number): Exclude<OpenedMedia, { kind: 'open' }> | undefined {
  if (status === 200) return undefined;
  if (status === 429 || status >= 500 || status === 401 || status === 403)
    return { kind: 'away', reason: `the provider responded ${status}` };
  return { kind: 'missing' };
}

function limited(): Transform {
  let left = mediaLimitBytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new Error('the file is too large'));
      else done(null, chunk);
    },
  });
}
