/** Finds out whether an SMS provider knows the account, by a request that sends nothing. */
import type { Clock } from '../../platform/clock.ts';
import { filled } from '../contract/placeholders.ts';
import { createProviderClient, type Exchanged } from '../http/exchange.ts';
import { testExchange } from '../http/test-exchange.ts';
import { createIssuer } from './credentials.ts';
import { withQuery } from './request.ts';
import { verdictsOf } from './response.ts';
import type { HttpSmsSettings } from './settings.ts';

/** Without a `testPath` it only learns whether anybody listens. */
export async function testAccount(
  settings: HttpSmsSettings,
  { apiKey = '' }: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<string | undefined> {
  const { baseUrl, timeoutSeconds, testPath, username = '' } = settings;
  const client = createProviderClient({ baseUrl, timeoutMs: timeoutSeconds * 1000, clock });
  try {
    const issuer = createIssuer(settings, apiKey, {
      exchange: client.exchange,
      clock: { elapsedMs: () => clock.now() },
    });
    const credentials = await issuer.credentials();
    if ('kind' in credentials)
      return credentials.kind === 'answered'
        ? `the provider responded ${credentials.status} when asked for a token`
        : `no token from ${baseUrl}: ${credentials.reason}`;
    const path = filled(testPath ?? '/', { username: encodeURIComponent(username) });
    const { headers, query, fields } = credentials;
    return await testExchange(
      { baseUrl, timeoutSeconds, path: withQuery(path, [...query, ...fields]), headers },
      clock,
      (answered) =>
        testPath === undefined && answered.status < 500 ? undefined : problemOf(answered, settings),
    );
  } finally {
    await client.close();
  }
}

type Answered = Extract<Exchanged, { kind: 'answered' }>;

/** A request without a message may be refused as one. */
function problemOf(answered: Answered, settings: HttpSmsSettings): string | undefined {
  const { status } = answered;
  if (status < 300 || status === 400 || status === 422) return undefined;
  const [verdict] = verdictsOf(answered, settings);
  const said = verdict.kind === 'refused' ? `: ${verdict.reason}` : '';
  return `the provider responded ${status}${said}`;
}
