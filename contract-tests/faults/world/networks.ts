/** The other side: an SMSC, a bundle provider, WhatsApp and the receiver of receipts, which keep what they got. */
import { createHmac } from 'node:crypto';
import { pino } from 'pino';
import {
  type Received,
  type Stub,
  type StubAnswer,
  startStub,
} from '../../../src/connectors/http/provider-testing.ts';
import { systemTimers } from '../../../src/connectors/smpp/session/timers.ts';
import type { ShortMessage } from '../../../src/connectors/smpp/wire/bodies.ts';
import { listenAsSmsc, type Smsc, type SmscAnswer } from '../../../src/partner/sandbox/smsc/smsc.ts';
import { network } from '../choke/network.ts';
import { wallMs } from '../time/virtual-time.ts';
import { call } from './client.ts';
import type { NewConnector } from './data.ts';

export interface Got {
  /** What was sent: a part of an SMS, a bundle's reference, a chat-app message. */
  what: string;
  /** By the clock on the wall. */
  atMs: number;
}

export interface Posted {
  id: string;
  body: string;
  answered: number;
}

/** How the networks and the receiver behave in a life. What they are called for is in `got` already. */
export interface Script {
  sms: (networks: Networks, message: ShortMessage) => SmscAnswer;
  bundle: (request: Received, networks: Networks) => StubAnswer | Promise<StubAnswer>;
  chat: (request: Received, networks: Networks) => StubAnswer;
  /** The first connector of a route, where a life has one: of SMS and of bundles. */
  first: (request: Received, networks: Networks) => StubAnswer;
  /** The status for a receipt, which is not in `posted` yet. */
  receipt: (networks: Networks) => number;
}

export interface Networks {
  script: Script;
  /** In the order in which they came. */
  got: Got[];
  posted: Posted[];
  /** Set by a life whose receiver does not work at first. */
  receiverWorks: boolean;
  connectors: NewConnector[];
  /** Those of routes, which a life adds. */
  firstConnectors: { sms: NewConnector; data: NewConnector };
  receiverUrl: string;
  /** Called with everything that arrives. */
  onArrival: (words: string) => void;
  /** The references that the provider knows. */
  books: Set<string>;
  /** Has a network call the service, again and again until it is heard. */
  callBack: (connector: Caller, afterMs: number, document: object) => void;
  /** A phone sends a part of a text through the SMSC, until it is taken. */
  hear: (message: ShortMessage) => void;
  /** Calls it once, when the next message comes. */
  onSending: (call: () => void) => void;
  /** Forgets all that it got, and what it would still send. */
  clear: () => Promise<void>;
  close: () => Promise<void>;
}

export const callbackSecret = 'callback-secret';
export const appSecret = 'app-secret';

const systemId = 'faults';
const firstPath = '/first';

/** How soon networks repeat what was not heard. */
const againMs = 5_000;

/** The connectors whose networks call. */
type Caller = 'provider' | 'meta' | 'first-sms';

async function isHeard(connector: Caller, body: string, port: number | undefined): Promise<boolean> {
  if (port === undefined) return false;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signed = (secret: string, ...pieces: string[]) => {
    const hmac = createHmac('sha256', secret);
    for (const piece of pieces) hmac.update(piece);
    return `sha256=${hmac.digest('hex')}`;
  };
  const headers =
    connector === 'meta'
      ? { 'x-hub-signature-256': signed(appSecret, body) }
      : { 'x-timestamp': timestamp, 'x-signature': signed(callbackSecret, `${timestamp}.`, body) };
  const path = connector === 'first-sms' ? `${connector}/${callbackSecret}` : connector;
  const response = await call(port, `/inbound/${path}`, body, {
    'content-type': 'application/json',
    ...headers,
  });
  return typeof response === 'object' && response.status < 300;
}

/** `port`: where the service listens now. */
export async function startNetworks(usual: Script, port: () => number | undefined): Promise<Networks> {
  const waiting: (() => void)[] = [];
  let round = 0;
  const arrived = (what: string) => {
    networks.got.push({ what, atMs: wallMs() });
    networks.onArrival(`got ${what}`);
    for (const call of waiting.splice(0)) call();
  };
  const listenForSms = (port: number): Promise<Smsc> =>
    listenAsSmsc({
      host: '127.0.0.1',
      port,
      timers: systemTimers,
      logger: pino({ level: 'silent' }),
      admit: () => 0,
      answer: async (message) => {
        arrived(partOf(message));
        return networks.script.sms(networks, message);
      },
    });
  let smsc = await listenForSms(0);
  const provider = await startStub((request) => {
    const first = request.url.startsWith(firstPath) ? 'first ' : '';
    if (request.method === 'POST')
      arrived(
        request.body.msisdn === undefined
          ? `${first}sms ${String(request.body.to).replace('+', '')}`
          : `${first}bundle ${request.body.msisdn}`,
      );
    if (first !== '') return networks.script.first(request, networks);
    return networks.script.bundle(request, networks);
  });
  const meta = await startStub((request) => {
    arrived(`chat ${String(request.body.to).replace('+', '')}`);
    return networks.script.chat(request, networks);
  });
  const receiver = await startStub(({ headers, body }) => {
    const answered = networks.script.receipt(networks);
    networks.posted.push({ id: String(headers['webhook-id']), body: JSON.stringify(body), answered });
    networks.onArrival(`receipt ${body.deliveryStatus} ${headers['webhook-id']}, answered ${answered}`);
    return { status: answered };
  });
  const stubs: Record<string, Stub> = { provider, meta, receiver };
  for (const [name, { url }] of Object.entries(stubs)) network.peers.set(Number(new URL(url).port), name);
  network.peers.set(smsc.port, 'smsc');
  const timeoutSeconds = 3;
  const networks: Networks = {
    script: usual,
    got: [],
    posted: [],
    receiverWorks: false,
    onArrival: () => {},
    books: new Set(),
    callBack: (connector, afterMs, document) => {
      const own = round;
      const body = JSON.stringify(document);
      const again = async () => {
        if (own !== round || (await isHeard(connector, body, port()))) return;
        setTimeout(again, againMs);
      };
      setTimeout(again, afterMs);
    },
    hear: (message) => smsc.deliver(systemId, message),
    onSending: (call) => waiting.push(call),
    receiverUrl: `${receiver.url}/receipts`,
    connectors: [
      {
        name: 'smsc',
        kind: 'smpp',
        settings: { host: '127.0.0.1', port: smsc.port, systemId, responseTimeoutSeconds: 10 },
        secrets: { password: 'password' },
      },
      {
        name: 'provider',
        kind: 'bundles',
        settings: { baseUrl: provider.url, timeoutSeconds },
        secrets: { token: 'token', callbackSecret },
      },
      {
        name: 'meta',
        kind: 'whatsapp',
        settings: { baseUrl: meta.url, timeoutSeconds, statusWaitSeconds: 5 },
        secrets: { token: 'token', appSecret, verifyToken: 'verify' },
      },
    ],
    firstConnectors: {
      sms: {
        name: 'first-sms',
        kind: 'http-sms',
        settings: {
          baseUrl: provider.url,
          path: `${firstPath}/messages`,
          timeoutSeconds,
          statuses: { DELIVERED: 'Delivered' },
        },
        secrets: { apiKey: 'key', callbackSecret },
      },
      data: {
        name: 'first-data',
        kind: 'bundles',
        settings: {
          baseUrl: provider.url,
          disbursePath: `${firstPath}/disbursements`,
          queryPath: `${firstPath}/disbursements`,
          timeoutSeconds,
        },
        secrets: { token: 'token', callbackSecret },
      },
    },
    clear: async () => {
      await smsc.close();
      smsc = await listenForSms(smsc.port);
      waiting.splice(0);
      networks.got = [];
      networks.posted = [];
      networks.receiverWorks = false;
      networks.books.clear();
      round += 1;
    },
    close: async () => {
      await smsc.close();
      for (const stub of Object.values(stubs)) await stub.close();
    },
  };
  return networks;
}

/** Long texts say in their first octets which part they are. */
function partOf({ destination, esmClass, text }: ShortMessage): string {
  const part = (esmClass & 0x40) === 0 ? '' : ` part ${text[text[0] ?? 0]}`;
  return `sms ${destination.number}${part}`;
}
