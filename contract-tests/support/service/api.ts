/** Calls the service as a client would, and checks every response against the published document. */
import { setImmediate as afterPoll } from 'node:timers/promises';
import { operationAt, undocumented, violations } from '../../../spec/document.ts';
import { type Answer, requireConformity } from '../document/conformity.ts';
import { record } from '../document/exercised.ts';
import { isMock } from '../document/prism.ts';
import { requireNoViolation, through } from '../document/through-proxy.ts';

export type { Answer } from '../document/conformity.ts';

export interface CallOptions {
  method?: string;
  token?: string | undefined;
  /** Sent as JSON; a string or bytes are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls the service. Throws if status, headers or body of the response are not documented. */
export async function call(baseUrl: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { method = 'POST', token, body, headers = {} } = options;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  // Loading a test file blocks for longer than Prism keeps an idle connection, and fetch would send on a closed one. The
  // first poll may have begun before the block.
  await afterPoll();
  await afterPoll();
  const response = await fetch(`${through(baseUrl, method, path, options)}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: (raw ? body : JSON.stringify(body)) as string }),
    redirect: 'manual',
  });
  requireNoViolation(response.headers);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : text,
  };
  // The mock may say more than the document names, as a later version of the service would.
  requireConformity(method, path, answer, isMock(baseUrl) ? violations : undocumented);
  const operation = operationAt(method, path);
  if (operation !== undefined && !isMock(baseUrl)) record(operation, String(answer.status), answer.body);
  return answer;
}

/** A token by the client's credentials in the form. */
export async function tokenFor(
  baseUrl: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  scope?: string,
): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scope === undefined ? {} : { scope }),
  });
  const answer = await call(baseUrl, '/oauth/token', {
    body: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
  return answer.body.access_token;
}
