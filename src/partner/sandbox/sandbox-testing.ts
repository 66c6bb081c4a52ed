/** Runs a sandbox in the test's own process, and calls it as clients and their tests do. */
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { openTestDatabase } from '../../platform/db/testing.ts';
import { serving } from '../../platform/serving-testing.ts';
import { type SandboxOptions, startSandbox } from './sandbox.ts';

type Answer = { status: number; body: never };

export interface TestSandbox extends Awaited<ReturnType<typeof startSandbox>> {
  control: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** Lets so long pass, as `PT1S` says. */
  advance: (duration: string) => Promise<Answer>;
  list: (what: 'messages' | 'receipts' | 'requests' | 'faults') => Promise<Record<string, unknown>[]>;
  /** Rejects when the connection is cut. */
  send: (path: string, body: object, headers?: Record<string, string>) => Promise<Answer>;
}

export async function startTestSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox(
    {
      host: '127.0.0.1',
      port: 0,
      seed: 1,
      anyId: false,
      smppPort: undefined,
      receiptsTo: undefined,
      scripts: {},
      ...options,
    },
    await openTestDatabase(process.env.DATABASE_URL),
    pino({ level: process.env.LOG_LEVEL ?? 'silent' }),
  );
  const { baseUrl, clientId, clientSecret } = sandbox.description;
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as never };
  };
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const token = async () => {
    const response = await fetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  return {
    ...sandbox,
    control: (method, path, body) => call(method, path, body),
    advance: (duration) => call('POST', '/sandbox/clock', { advance: duration }),
    list: async (what) => (await call('GET', `/sandbox/${what}`)).body[what],
    send: async (path, body, headers = {}) =>
      call('POST', path, body, { authorization: `Bearer ${await token()}`, ...headers }),
  };
}

export interface Receiver {
  url: string;
  /** The verified bodies, in the order in which they came. */
  received: Record<string, unknown>[];
  /** What it responds with; 204 unless a test says otherwise. */
  respond: (status: number) => void;
  /** How many requests had a wrong signature. */
  forged: () => number;
  close: () => Promise<void>;
}

/** A receiver that verifies receipts with the Standard Webhooks library. */
export async function startReceiver(signingSecret: string): Promise<Receiver> {
  const webhook = new Webhook(signingSecret);
  const received: Record<string, unknown>[] = [];
  let status = 204;
  let forged = 0;
  const { url, close } = await serving(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    try {
      received.push(webhook.verify(body, request.headers as Record<string, string>) as never);
      response.statusCode = status;
    } catch {
      forged += 1;
      response.statusCode = 400;
    }
    response.end();
  });
  return {
    url: `${url}/receipts`,
    received,
    respond: (next) => {
      status = next;
    },
    forged: () => forged,
    close,
  };
}
