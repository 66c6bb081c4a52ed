/** Time that tests of SMPP move, and what a connector stands on, in memory. */
import { createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import type { NetworkReport, OutboundMessage, SentPart } from '../contract/connector.ts';
import type { PhoneMessage } from '../contract/phone-message.ts';
import { wholeAccount } from '../contract/share.ts';
import { checkSettings } from '../runtime/settings.ts';
import { createTroubleLog, type TroubleLog } from '../runtime/trouble.ts';
import { openSmpp, smppKind } from './open.ts';
import type { Timers } from './session/timers.ts';
import type { SmppSettings } from './settings.ts';

export interface FakeTimers extends Timers {
  /** Lets time pass and runs what is due in its order. */
  advance: (ms: number) => void;
}

export function createFakeTimers(): FakeTimers {
  let nowMs = 1_000;
  const due = new Set<{ atMs: number; run: () => void }>();
  return {
    now: () => nowMs,
    random: () => 0.5,
    after: (ms, run) => {
      const one = { atMs: nowMs + ms, run };
      due.add(one);
      return () => due.delete(one);
    },
    advance: (ms) => {
      const endMs = nowMs + ms;
      for (;;) {
        const [next] = [...due].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
        if (next === undefined) break;
        due.delete(next);
        nowMs = Math.max(nowMs, next.atMs);
        next.run();
      }
      nowMs = endMs;
    },
  };
}

/** Lets sockets work until it holds; fails when it does not come to hold. */
export async function until(holds: () => boolean, what = 'the condition'): Promise<void> {
  const startedMs = performance.now();
  while (!holds()) {
    if (performance.now() - startedMs > 150_000) throw new Error(`${what} did not come to hold`);
    await new Promise(setImmediate);
  }
}

export function smppSettings(settings: Partial<SmppSettings>): SmppSettings {
  return checkSettings(smppKind, { host: '127.0.0.1', systemId: 'tarishi', ...settings });
}

export interface Opened {
  connector: ReturnType<typeof openSmpp>;
  reports: NetworkReport[];
  /** Messages of phones. */
  messages: PhoneMessage[];
  parts: SentPart[];
  /** Called before a part is stored. */
  onKeep: (part: SentPart) => Promise<void>;
  /** Called before messages of phones are stored. */
  onMessages: (messages: readonly PhoneMessage[]) => Promise<void>;
  trouble: TroubleLog;
  /** Log lines. */
  lines: { msg: string; level: number; alarm?: boolean }[];
}

/** A connector whose reports and parts stay in memory. */
export function openConnector(settings: Partial<SmppSettings>, timers: Timers, password = 'secret'): Opened {
  const opened = {
    reports: [],
    messages: [],
    parts: [],
    lines: [],
    onKeep: async () => {},
    onMessages: async () => {},
  } as unknown as Opened;
  const clock = { now: timers.now, elapsedMs: timers.now };
  opened.trouble = createTroubleLog(clock);
  const context: Parameters<typeof openSmpp>[2] = {
    clock,
    trouble: opened.trouble,
    logger: pino({ level: 'debug' }, { write: (line: string) => opened.lines.push(JSON.parse(line)) }),
    report: async (reports) => {
      opened.reports.push(...reports);
    },
    receive: async (messages) => {
      await opened.onMessages(messages);
      opened.messages.push(...messages);
    },
    parts: {
      keep: async (part) => {
        await opened.onKeep(part);
        opened.parts.push(part);
      },
      of: async (ids) => opened.parts.filter(({ messageId }) => ids.includes(messageId)),
    },
  };
  const checked = smppSettings(settings);
  opened.connector = openSmpp(checked, { password }, context, timers);
  void opened.connector.use?.(wholeAccount({ parts: checked.binds, ratePerSecond: checked.rate }));
  return opened;
}

export function sms(id: string, content = 'Habari', phone = '+254711001000'): OutboundMessage {
  return { id, product: 'sms', channel: 'Safaricom', phone, sender: 'TARISHI', content };
}

export const manySms = (count: number): OutboundMessage[] =>
  Array.from({ length: count }, (_, index) => sms(String(index + 1)));

/** A TCP server on a free port that hands over its connections. */
export async function listenRaw(
  onSocket: (socket: Socket) => void,
): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
