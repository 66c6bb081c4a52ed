/** Providers for tests: an HTTP server that records requests and returns scripted responses. */
import type { IncomingHttpHeaders } from 'node:http';
import { pino } from 'pino';
import { serving } from '../../platform/serving-testing.ts';
import type { NetworkReport, OutboundMessage } from '../contract/connector.ts';
import type { TemplateNews } from '../contract/inbound.ts';
import type { ConnectorContext } from '../contract/kind.ts';
import { createTroubleLog, type TroubleLog } from '../runtime/trouble.ts';

export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every shape.
  body: any;
}

export type StubAnswer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** The connection ends without an answer. */
  | 'drop'
  /** The connection stays, and nobody answers. */
  | 'silence';

export interface Stub {
  url: string;
  received: Received[];
  /** The requests that match, as soon as there are `count`. */
  got: (count: number, which?: (request: Received) => boolean) => Promise<Received[]>;
  /** May be set anew at any time. */
  answer: (request: Received) => StubAnswer | Promise<StubAnswer>;
  close: () => Promise<void>;
}

export async function startStub(answer: Stub['answer']): Promise<Stub> {
  const waiting: (() => void)[] = [];
  const { url, close } = await serving(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const received = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : bodyOf(text),
    };
    stub.received.push(received);
    for (const resolve of waiting.splice(0)) resolve();
    const said = await stub.answer(received);
    if (said === 'drop') request.socket.destroy();
    else if (said !== 'silence') {
      response.writeHead(said.status, { 'Content-Type': 'application/json', ...said.headers });
      response.end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body));
    }
  });
  const stub: Stub = {
    url,
    received: [],
    got: async (count, which = () => true) => {
      while (stub.received.filter(which).length < count)
        await new Promise<void>((resolve) => waiting.push(resolve));
      return stub.received.filter(which);
    },
    answer,
    close,
  };
  return stub;
}

/** JSON, or a form. */
const bodyOf = (text: string) =>
  text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));

export interface TestContext extends ConnectorContext {
  trouble: TroubleLog;
  clock: { now: () => number; elapsedMs: () => number; advance: (seconds: number) => void };
  reports: NetworkReport[];
  pauses: string[];
  news: TemplateNews[];
}

/** A context that records what a connector reports, with a clock that stands still. */
export function testContext(): TestContext {
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const clock: TestContext['clock'] = {
    now: () => nowMs,
    elapsedMs: () => nowMs,
    advance: (seconds) => {
      nowMs += seconds * 1000;
    },
  };
  const context: TestContext = {
    name: 'provider',
    clock,
    trouble: createTroubleLog(clock),
    logger: pino({ level: 'silent' }),
    reports: [],
    pauses: [],
    receive: async () => {},
    parts: { keep: async () => {}, of: async () => [] },
    news: [],
    report: async (reports) => {
      context.reports.push(...reports);
    },
    pause: async (reason) => {
      context.pauses.push(reason);
    },
    templates: async (news) => {
      context.news.push(...news);
    },
  };
  return context;
}

export const outbound = (more: Partial<OutboundMessage> = {}): OutboundMessage => ({
  id: '17',
  product: 'data',
  channel: 'Safaricom',
  phone: '+254711000000',
  sender: null,
  content: '1GB',
  ...more,
});
