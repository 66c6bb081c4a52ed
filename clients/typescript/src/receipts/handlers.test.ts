/** Tests that each kind of server responds to receipts as the service expects, and to nothing else with 2xx. */
import { createHmac } from 'node:crypto';
import { createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, jest, test } from '@jest/globals';
import Koa from 'koa';
import {
  expressReceiptHandler,
  fetchReceiptHandler,
  koaReceiptHandler,
  nodeReceiptHandler,
  type Posted,
} from '../client.ts';
import type { NodeRequest } from './handlers.ts';

const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body = JSON.stringify({ type: 'SmsDeliveryReceipt', phone: '+254711000000', reason: 'Ñandú' }, null, 1);

function headers(): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(signingSecret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`id-1.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': 'id-1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

type OnReceipt = (receipt: Posted, webhookId: string) => void | Promise<void>;
interface Response {
  status: number;
  text: string;
  allow: string | null;
  /** What the server's own handling of errors was given. */
  errors: unknown[];
}
type Respond = (onReceipt: OnReceipt, posted?: Sent) => Promise<Response>;

/** Through a server, if it is given a listener. */
async function over(
  listener: RequestListener,
  { method = 'POST', ...posted }: Sent,
): Promise<Omit<Response, 'errors'>> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const sent = request(
        { port, host: '127.0.0.1', method, headers: posted.headers ?? headers() },
        (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text, allow: response.headers.allow ?? null }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(method === 'GET' ? undefined : (posted.body ?? body));
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const servers: Record<string, Respond> = {
  node: async (onReceipt, posted = {}) => {
    const errors: unknown[] = [];
    const handler = nodeReceiptHandler({ signingSecret, onReceipt, onError: (error) => errors.push(error) });
    return { ...(await over(handler, posted)), errors };
  },
  express: async (onReceipt, posted = {}) => {
    const errors: unknown[] = [];
    const handler = expressReceiptHandler({ signingSecret, onReceipt });
    const listener: RequestListener = (incoming, outgoing) =>
      void handler(incoming, outgoing, (error) => {
        errors.push(error);
        outgoing.writeHead(500).end();
      });
    return { ...(await over(listener, posted)), errors };
  },
  koa: async (onReceipt, posted = {}) => {
    const errors: unknown[] = [];
    const app = new Koa().use(koaReceiptHandler({ signingSecret, onReceipt }));
    app.on('error', (error) => errors.push(error));
    return { ...(await over(app.callback(), posted)), errors };
  },
  fetch: async (onReceipt, { method = 'POST', ...posted } = {}) => {
    const errors: unknown[] = [];
    const handler = fetchReceiptHandler({ signingSecret, onReceipt, onError: (error) => errors.push(error) });
    const sent = method === 'GET' ? {} : { body: posted.body ?? body };
    const response = await handler(
      new Request('http://here/', { method, headers: posted.headers ?? headers(), ...sent }),
    );
    const { status, headers: received } = response;
    return { status, text: await response.text(), allow: received.get('allow'), errors };
  },
};

describe.each(Object.entries(servers))('%s', (_, respond) => {
  const nothing = () => {};

  test('a receipt: 204, after it is processed', async () => {
    const seen: unknown[] = [];
    const response = await respond(async (...receipt) => {
      await Promise.resolve();
      seen.push(receipt);
    });
    expect(response).toEqual({ status: 204, text: '', allow: null, errors: [] });
    expect(seen).toEqual([[JSON.parse(body), 'id-1']]);
  });

  test('a forged receipt: 400 that says why', async () => {
    const response = await respond(nothing, { body: body.replace('Ñandú', 'none') });
    expect(response).toMatchObject({ status: 400, text: 'No signature was made with your signing secret' });
  });

  test('another method: 405', async () => {
    expect(await respond(nothing, { method: 'GET' })).toMatchObject({ status: 405, allow: 'POST' });
  });

  test('a body that is too large: 413', async () => {
    expect((await respond(nothing, { body: 'x'.repeat(2_000_000) })).status).toBe(413);
  });

  test('an error while it is processed: 500, and the error is reported', async () => {
    const error = new Error('the database is away');
    const response = await respond(() => Promise.reject(error));
    expect(response).toMatchObject({ status: 500, errors: [error] });
  });
});

describe('a body that middleware has read', () => {
  const handled = async (read: Partial<NodeRequest>) => {
    const written: unknown[] = [];
    const incoming = Object.assign(Readable.from([]), { method: 'POST', headers: headers(), ...read });
    await expressReceiptHandler({ signingSecret, onReceipt: () => {} })(
      incoming,
      { writeHead: (status) => ({ end: () => written.push(status) }) },
      (error) => written.push(error),
    );
    return written;
  };

  test('is taken if it is unparsed', async () => {
    expect(await handled({ body: Buffer.from(body) })).toEqual([204]);
    expect(await handled({ body })).toEqual([204]);
    expect(await handled({ body: JSON.parse(body), rawBody: Buffer.from(body) })).toEqual([204]);
  });

  test('is an error if it is parsed, because its signature is gone', async () => {
    expect(await handled({ body: JSON.parse(body) })).toEqual([
      expect.objectContaining({ message: expect.stringContaining('put this handler first') }),
    ]);
  });
});

test('without onError, an error goes to the console', async () => {
  const written = jest.spyOn(console, 'error').mockImplementation(() => {});
  const handler = fetchReceiptHandler({ signingSecret, onReceipt: () => Promise.reject('away') });
  const posted = new Request('http://here/', { method: 'POST', headers: headers(), body });
  expect((await handler(posted)).status).toBe(500);
  expect(written.mock.calls).toEqual([['away']]);
  written.mockRestore();
});
