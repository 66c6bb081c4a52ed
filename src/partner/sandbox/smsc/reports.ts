/** Keeps reports until an ESME acknowledges them, limited in number and time. */

import type { Link } from '../../../connectors/smpp/session/link.ts';
import type { Timers } from '../../../connectors/smpp/session/timers.ts';
import type { ShortMessage } from '../../../connectors/smpp/wire/bodies.ts';
import { statuses } from '../../../connectors/smpp/wire/commands.ts';

export interface SmscReports {
  /** To one of the ESME's receivers; kept when there is none, repeated when it is rejected or gets no response. */
  send: (systemId: string, message: ShortMessage) => void;
  sendAfter: (ms: number, systemId: string, message: ShortMessage) => void;
  /** Sends what was kept for an ESME that has bound a receiver. */
  sendKept: (systemId: string) => void;
  /** While it is, messages with later reports must be rejected. */
  full: () => boolean;
  close: () => void;
}

/** Reports without a receiver, of all ESMEs together; the oldest make room. */
const mostKept = 10_000;
const keptMs = 3_600_000;
/** Reports that wait for their time, or to be repeated. */
const mostWaiting = 10_000;
/** A report without an OK is repeated after 1 s, 2 s, 4 s, up to a minute; then it is dropped. */
const mostTries = 10;
const longestDelayMs = 60_000;

interface Kept {
  systemId: string;
  message: ShortMessage;
  untilMs: number;
}

export function createSmscReports(
  timers: Timers,
  receiverOf: (systemId: string) => Link | undefined,
): SmscReports {
  const waiting = new Set<() => void>();
  let kept: Kept[] = [];

  const full = () => waiting.size >= mostWaiting;
  const after = (ms: number, run: () => void) => {
    const cancel = timers.after(ms, () => {
      waiting.delete(cancel);
      run();
    });
    waiting.add(cancel);
  };
  const keep = (systemId: string, message: ShortMessage) => {
    if (kept.length >= mostKept) kept.shift();
    kept.push({ systemId, message, untilMs: timers.now() + keptMs });
  };
  const send = (systemId: string, message: ShortMessage, tries = 1) => {
    const receiver = receiverOf(systemId);
    if (receiver === undefined) return keep(systemId, message);
    receiver.request('deliver_sm', message, (taken) => {
      if (taken?.status === statuses.ok) return;
      if (receiverOf(systemId) === undefined) return keep(systemId, message);
      if (tries >= mostTries || full()) return;
      const delayMs = Math.min(1_000 * 2 ** (tries - 1), longestDelayMs);
      after(delayMs, () => send(systemId, message, tries + 1));
    });
  };

  return {
    send,
    sendAfter: (ms, systemId, message) => after(ms, () => send(systemId, message)),
    sendKept: (systemId) => {
      const now = timers.now();
      const fresh = kept.filter(({ untilMs }) => untilMs > now);
      kept = fresh.filter((one) => one.systemId !== systemId);
      for (const one of fresh) if (one.systemId === systemId) send(systemId, one.message);
    },
    full,
    close: () => {
      for (const cancel of waiting) cancel();
      waiting.clear();
      kept = [];
    },
  };
}
