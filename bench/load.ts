/** A load generator that costs little itself: keep-alive sockets, prepared bytes, answers counted by length. */
import { connect, type Socket } from 'node:net';

export interface Load {
  baseUrl: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Answers by status. */
  statuses: Record<string, number>;
}

/** Sends the same request over and over on every connection until the time is over. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(load.baseUrl);
  const request = Buffer.from(
    [
      `POST ${load.path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      ...Object.entries(load.headers).map(([name, value]) => `${name}: ${value}`),
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(load.body)}`,
      '',
      load.body,
    ].join('\r\n'),
  );
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const startedMs = performance.now();
  const deadlineMs = startedMs + load.seconds * 1000;
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      const next = answersOf(socket);
      while (performance.now() < deadlineMs) {
        const sentMs = performance.now();
        socket.write(request);
        const status = await next();
        latencies.push(performance.now() - sentMs);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      socket.destroy();
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return {
    requestsPerSecond: latencies.length / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    statuses,
  };
}

/** One answer at a time; rejects when the connection ends. Answers the status. */
function answersOf(socket: Socket): () => Promise<string> {
  let received = '';
  let settle: { resolve: (status: string) => void; reject: (error: Error) => void } | undefined;
  socket.setEncoding('latin1');
  socket.on('data', (text) => {
    received += text;
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < head + 4 + length) return;
    const status = received.slice(9, 12);
    received = received.slice(head + 4 + length);
    settle?.resolve(status);
  });
  const fail = (error?: Error) => settle?.reject(error ?? new Error('the connection ended'));
  socket.on('error', fail);
  socket.on('close', () => fail());
  return () =>
    new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
}
