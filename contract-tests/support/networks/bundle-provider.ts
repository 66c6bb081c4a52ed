/** The running service with its bundles at a stub of an HTTP provider, which records what it gave. */
import { createHmac } from 'node:crypto';
import {
  type Received,
  type Stub,
  type StubAnswer,
  startStub,
} from '../../../src/connectors/http/provider-testing.ts';
import { addConnector } from '../prepared/connectors.ts';
import { bundleToMany, type DataService, startData } from '../requests/disbursement.ts';
import { type Answer, call } from '../service/api.ts';

export interface Bundles {
  data: DataService;
  stub: Stub;
  /** The status of each bundle that was posted, by reference. */
  books: Map<string, string>;
  /** A well-behaved provider: records each post, and responds to queries from its records. */
  wellBehaved: (request: Received) => StubAnswer;
  /** Disburses 100MB under the demo's open campaign; throws if it is rejected. */
  disburse: (phone: string, receiptRequest: object) => Promise<void>;
  /** Calls back as the provider does. */
  tell: (reference: string, status: string, more?: { reason?: object; secret?: string }) => Promise<Answer>;
  dispose: () => Promise<void>;
}

export const secrets = { token: 'canary-token', callbackSecret: 'canary-callback-secret' };

export async function startBundles(): Promise<Bundles> {
  const books: Bundles['books'] = new Map();
  const wellBehaved = ({ method, url, body }: Received): StubAnswer => {
    const reference =
      method === 'POST'
        ? body.externalReference
        : new URLSearchParams(url.split('?')[1]).get('externalReference');
    if (method === 'POST') books.set(reference, books.get(reference) ?? 'PENDING');
    const status = books.get(reference);
    if (status === undefined) return { status: 404 };
    return {
      status: method === 'POST' ? 202 : 200,
      body: { transactionId: `T-${reference}`, externalReference: reference, status },
    };
  };
  const stub = await startStub(wellBehaved);
  const connector = {
    name: 'provider',
    kind: 'bundles',
    settings: { baseUrl: stub.url, timeoutSeconds: 1 },
    secrets,
  };
  const data = await startData({}, async (prepared) => {
    await addConnector(prepared, connector);
    await prepared.knex('channels').update({ bundle_connector: 'provider' });
  });
  return {
    data,
    stub,
    books,
    wellBehaved,
    disburse: async (phone, receiptRequest) => {
      const answer = await data.disburse(bundleToMany([phone], '100MB', { receiptRequest }));
      if (answer.status !== 200) throw new Error(answer.text);
    },
    tell: (reference, status, { reason, secret = secrets.callbackSecret } = {}) => {
      const transactionId = `T-${reference}`;
      const document = { transactionId, externalReference: reference, status, reason };
      const occurredAt = new Date().toISOString();
      const body = Buffer.from(JSON.stringify({ ...document, occurredAt }));
      const timestamp = String(Math.floor(Date.now() / 1000));
      const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
      const headers = { 'x-timestamp': timestamp, 'x-signature': `sha256=${digest}` };
      return call(data.demo.baseUrl, '/inbound/provider', { body, headers });
    },
    dispose: async () => {
      await data.service.dispose();
      await stub.close();
    },
  };
}

export const postOf = (phone: string) => (request: Received) =>
  request.method === 'POST' && request.body.msisdn === phone.slice(1);
export const questionAbout = (reference: string) => (request: Received) =>
  request.method === 'GET' && request.url.endsWith(reference);
