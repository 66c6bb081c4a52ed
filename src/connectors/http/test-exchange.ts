/** Sends a provider a request that changes nothing, to find out whether it knows us. */
import type { Clock } from '../../platform/clock.ts';
import { createProviderClient, type Exchanged } from './exchange.ts';

type Answered = Extract<Exchanged, { kind: 'answered' }>;

export interface TestRequest {
  baseUrl: string;
  timeoutSeconds: number;
  /** With its query; added to the base URL. */
  path: string;
  headers: Readonly<Record<string, string>>;
}

/** Resolves to what is wrong, or to undefined. `problemOf` judges a response. */
export async function testExchange(
  { baseUrl, timeoutSeconds, path, headers }: TestRequest,
  clock: Clock,
  problemOf: (answer: Answered) => string | undefined,
): Promise<string | undefined> {
  const client = createProviderClient({ baseUrl, timeoutMs: timeoutSeconds * 1000, clock });
  try {
    const exchanged = await client.exchange({ method: 'GET', path, headers });
    if (exchanged.kind === 'unsent') return `no connection to ${baseUrl}: ${exchanged.reason}`;
    if (exchanged.kind === 'unanswered') return `no response from ${baseUrl}: ${exchanged.reason}`;
    return problemOf(exchanged);
  } finally {
    await client.close();
  }
}
