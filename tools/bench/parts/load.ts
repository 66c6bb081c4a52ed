/** A load generator that costs little itself: keep-alive sockets, prepared bytes, and one request per socket at a time. */
import { connect, type Socket } from 'node:net';
import { servePart } from './part.ts';

export interface LoadOptions {
  baseUrls: readonly string[];
  method: 'GET' | 'POST';
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Sent in turn. */
  bodies: readonly string[];
  messagesPerRequest: number;
  connections: number;
  /** Requests per second over all connections; if absent, each connection sends its next request on each response. */
  perSecond?: number;
}

/** Since the last look. Latencies in milliseconds. */
export interface LoadResult {
  requests: number;
  statuses: Record<string, number>;
  accepted: { requests: number; p50: number; p99: number; max: number };
  refused: { requests: number; p99: number; withoutRetryAfter: number };
  /** Connections that the server closed. */
  closed: number;
}

export type LoadCalls = {
  /** Sends until so many messages in total were sent. */
  allow: (messages: number) => void;
  look: () => LoadResult;
  /** Sends nothing more; resolves with the messages accepted in total once every request has a response. */
  stop: () => Promise<{ accepted: number }>;
};

await servePart(async (options: LoadOptions) => {
  const targets = options.baseUrls.map((url) => new URL(url));
  const requests = targets.map((target) => options.bodies.map((body) => requestBytes(options, target, body)));
  const { messagesPerRequest } = options;
  let allowed = options.perSecond === undefined ? 0 : Number.POSITIVE_INFINITY;
  let sent = 0;
  let accepted = 0;
  let unanswered = 0;
  let stopping = false;
  let onIdle = () => {};
  let parked: (() => void)[] = [];
  let tokens = options.perSecond === undefined ? Number.POSITIVE_INFINITY : 0;
  let measured = emptyMeasurement();

  const release = () => {
    const waiting = parked;
    parked = [];
    for (const send of waiting) send();
  };
  const mayNotSend = () => stopping || tokens < 1 || sent + messagesPerRequest > allowed;

  const open = (index: number) => {
    const target = index % targets.length;
    const { port, hostname } = targets[target] ?? new URL('http://127.0.0.1');
    const bytes = requests[target] ?? [];
    const socket = connect(Number(port), hostname);
    let next = index % bytes.length;
    let sentMs = 0;
    let waiting = false;
    const send = () => {
      if (mayNotSend()) {
        parked.push(send);
        return;
      }
      tokens -= 1;
      sent += messagesPerRequest;
      unanswered += 1;
      waiting = true;
      sentMs = performance.now();
      socket.write(bytes[next] ?? '');
      next = (next + 1) % bytes.length;
    };
    const settle = () => {
      waiting = false;
      unanswered -= 1;
      if (stopping && unanswered === 0) onIdle();
    };
    socket.setNoDelay(true);
    socket.once('connect', send);
    onResponses(socket, (status, head) => {
      if (record(measured, status, performance.now() - sentMs, head)) accepted += messagesPerRequest;
      else sent -= messagesPerRequest;
      settle();
      send();
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      measured.closed += 1;
      parked = parked.filter((one) => one !== send);
      if (waiting) settle();
      if (!stopping) setTimeout(() => open(index), 100);
    });
  };
  for (let index = 0; index < options.connections; index += 1) open(index);
  if (options.perSecond !== undefined) {
    const { perSecond } = options;
    let lastMs = performance.now();
    setInterval(() => {
      const nowMs = performance.now();
      // Requests that could not be sent within a tenth of a second are not made up for.
      tokens = Math.min(tokens + ((nowMs - lastMs) / 1000) * perSecond, perSecond / 10);
      lastMs = nowMs;
      release();
    }, 5);
  }

  return {
    allow: (messages: number) => {
      allowed = messages;
      release();
    },
    look: () => {
      const result = summary(measured);
      measured = emptyMeasurement();
      return result;
    },
    stop: async () => {
      stopping = true;
      if (unanswered > 0)
        await new Promise<void>((resolve) => {
          onIdle = resolve;
        });
      return { accepted };
    },
  };
});

interface Measurement {
  statuses: Record<string, number>;
  acceptedMs: number[];
  refusedMs: number[];
  withoutRetryAfter: number;
  closed: number;
}

function emptyMeasurement(): Measurement {
  return { statuses: {}, acceptedMs: [], refusedMs: [], withoutRetryAfter: 0, closed: 0 };
}

/** Whether the request was accepted. */
function record(measured: Measurement, status: string, ms: number, head: string): boolean {
  measured.statuses[status] = (measured.statuses[status] ?? 0) + 1;
  const isAccepted = status.startsWith('2');
  (isAccepted ? measured.acceptedMs : measured.refusedMs).push(ms);
  if (!isAccepted && !/\r\nretry-after: /i.test(head)) measured.withoutRetryAfter += 1;
  return isAccepted;
}

function summary({ statuses, acceptedMs, refusedMs, withoutRetryAfter, closed }: Measurement): LoadResult {
  acceptedMs.sort((a, b) => a - b);
  refusedMs.sort((a, b) => a - b);
  const at = (sorted: number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return {
    requests: acceptedMs.length + refusedMs.length,
    statuses,
    accepted: {
      requests: acceptedMs.length,
      p50: at(acceptedMs, 0.5),
      p99: at(acceptedMs, 0.99),
      max: at(acceptedMs, 1),
    },
    refused: { requests: refusedMs.length, p99: at(refusedMs, 0.99), withoutRetryAfter },
    closed,
  };
}

function requestBytes({ method, path, headers }: LoadOptions, target: URL, body: string): Buffer {
  const lines = [
    `${method} ${method === 'GET' ? path + body : path} HTTP/1.1`,
    `Host: ${target.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  if (method === 'GET') return Buffer.from([...lines, '', ''].join('\r\n'));
  lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from([...lines, '', body].join('\r\n'));
}

/** Calls back with the status and the head of each response. */
function onResponses(socket: Socket, receive: (status: string, head: string) => void): void {
  let buffered = '';
  socket.setEncoding('latin1');
  socket.on('data', (text) => {
    buffered += text;
    const end = buffered.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(buffered)?.[1] ?? 0);
    if (buffered.length < end + 4 + length) return;
    const head = buffered.slice(0, end);
    buffered = buffered.slice(end + 4 + length);
    receive(head.slice(9, 12), head);
  });
}
