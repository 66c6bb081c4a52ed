/** An SMSC, a provider of bundles and a receiver of receipts, which keep what they get: no fault reaches them. */
import { pino } from 'pino';
import { startStub } from '../../src/connectors/http/provider-testing.ts';
import { systemTimers } from '../../src/connectors/smpp/session/timers.ts';
import { listenAsSmsc } from '../../src/partner/sandbox/smsc/smsc.ts';
import type { NewConnector } from '../support/prepared/connectors.ts';

export interface Networks {
  connectors: NewConnector[];
  /** When each SMS came, of performance.now(), by its number and text. */
  sms: Map<string, number[]>;
  /** How often each bundle was given, by its number. */
  bundles: Map<string, number>;
  /** The states and ids of the receipts of each message, by request and number. */
  receipts: Map<string, { states: Set<string>; ids: Set<string> }>;
  receiptUrl: string;
  close: () => Promise<void>;
}

export async function startNetworks(): Promise<Networks> {
  const sms: Networks['sms'] = new Map();
  const bundles: Networks['bundles'] = new Map();
  const receipts: Networks['receipts'] = new Map();
  const count = (counts: Map<string, number>, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

  const smsc = await listenAsSmsc({
    host: '127.0.0.1',
    port: 0,
    timers: systemTimers,
    logger: pino({ level: 'silent' }),
    admit: () => 0,
    answer: async ({ destination, text }) => {
      const message = smsKey(destination.number, text.toString('latin1'));
      sms.set(message, [...(sms.get(message) ?? []), performance.now()]);
      return { status: 0, report: { state: 'DELIVRD', error: '000', afterMs: 200 } };
    },
  });
  const references = new Set<string>();
  const provider = await startStub(({ method, url, body }) => {
    const reference: string =
      method === 'POST'
        ? body.externalReference
        : (new URLSearchParams(url.split('?')[1]).get('externalReference') ?? '');
    if (method === 'POST') {
      references.add(reference);
      count(bundles, body.msisdn);
    }
    if (!references.has(reference)) return { status: 404 };
    return {
      status: method === 'POST' ? 202 : 200,
      body: { transactionId: `T-${reference}`, externalReference: reference, status: 'SUCCESSFUL' },
    };
  });
  const receiver = await startStub(({ headers, body }) => {
    const message = messageKey(body.requestId, body.phone);
    const got = receipts.get(message) ?? { states: new Set(), ids: new Set() };
    got.states.add(body.deliveryStatus);
    got.ids.add(String(headers['webhook-id']));
    receipts.set(message, got);
    return { status: 204 };
  });
  return {
    connectors: [
      {
        name: 'smsc',
        kind: 'smpp',
        settings: { host: '127.0.0.1', port: smsc.port, systemId: 'failover' },
        secrets: { password: 'password' },
      },
      {
        name: 'provider',
        kind: 'bundles',
        settings: { baseUrl: provider.url, timeoutSeconds: 3 },
        secrets: { token: 'token', callbackSecret: 'callback-secret' },
      },
    ],
    sms,
    bundles,
    receipts,
    receiptUrl: `${receiver.url}/receipts`,
    close: async () => {
      await smsc.close();
      await provider.close();
      await receiver.close();
    },
  };
}

export const smsKey = (phone: string, text: string) => `${phone.replace('+', '')} ${text}`;
export const messageKey = (requestId: string, phone: string) => `${requestId} ${phone}`;
