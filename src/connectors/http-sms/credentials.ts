/** Shows a provider who is asking: a header, or a value in the query or the body. */
import type { Stopwatch } from '../../platform/clock.ts';
import type { Exchanged, ProviderRequest } from '../http/exchange.ts';
import { textAt, valueAt } from '../http/fields.ts';
import type { HttpSmsSettings } from './settings.ts';

export interface Credentials {
  headers: Readonly<Record<string, string>>;
  query: [name: string, value: string][];
  /** Of the body; with the encoding `query`, in the query as well. */
  fields: [name: string, value: string][];
}

/** Without credentials: what the token endpoint said instead of a token. */
export type Issued = Credentials | Exchanged;

export interface Issuer {
  credentials: () => Promise<Issued>;
  /** The provider refused the last token. Whether another one may help. */
  forget: () => boolean;
}

type Settings = Pick<
  HttpSmsSettings,
  'authentication' | 'apiKeyName' | 'apiKeyPrefix' | 'username' | 'tokenPath'
>;

/** A token is not used in its last seconds. */
const marginSeconds = 30;

export function createIssuer(
  settings: Settings,
  apiKey: string,
  { exchange, clock }: { exchange: (request: ProviderRequest) => Promise<Exchanged>; clock: Stopwatch },
): Issuer {
  const { authentication, apiKeyName, apiKeyPrefix, username = '', tokenPath } = settings;
  const none: Credentials = { headers: {}, query: [], fields: [] };
  const basic = `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`;
  const bearer = (token: string) => ({ ...none, headers: { Authorization: `Bearer ${token}` } });
  const always = (credentials: Credentials): Issuer => ({
    credentials: async () => credentials,
    forget: () => false,
  });
  if (authentication === 'bearer') return always(bearer(apiKey));
  if (authentication === 'basic') return always({ ...none, headers: { Authorization: basic } });
  if (authentication === 'header')
    return always({ ...none, headers: { [apiKeyName]: apiKeyPrefix + apiKey } });
  if (authentication === 'query') return always({ ...none, query: [[apiKeyName, apiKey]] });
  if (authentication === 'body') return always({ ...none, fields: [[apiKeyName, apiKey]] });

  let token: { text: string; untilMs: number } | undefined;
  /** Concurrent messages wait for one token. */
  let underWay: Promise<Issued> | undefined;
  const issue = async (): Promise<Issued> => {
    const exchanged = await exchange({
      method: 'POST',
      path: tokenPath,
      headers: { Authorization: basic },
      form: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const text = exchanged.kind === 'answered' ? textAt(exchanged.body, 'access_token') : undefined;
    if (exchanged.kind !== 'answered' || exchanged.status >= 300 || text === undefined) return exchanged;
    const seconds = Number(valueAt(exchanged.body, 'expires_in')) || 60;
    token = { text, untilMs: clock.elapsedMs() + Math.max(1, seconds - marginSeconds) * 1000 };
    return bearer(text);
  };
  return {
    credentials: async () => {
      if (token !== undefined && clock.elapsedMs() < token.untilMs) return bearer(token.text);
      underWay ??= issue().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    forget: () => {
      const had = token !== undefined;
      token = undefined;
      return had;
    },
  };
}
