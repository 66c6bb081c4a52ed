/** A client's own server: gets callbacks, responds as a test asks it to, and waits for callbacks. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Callback {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: held to the document by the tests.
  body: any;
}

/** The server's response to the n-th callback (from 1) on a path. */
export type Reply = (nth: number) => { status: number; headers?: Record<string, string>; body?: string };

export interface Receiver {
  url: (path: string) => string;
  /** 200 where a path has none. */
  replies: Map<string, Reply>;
  on: (path: string) => Callback[];
  /** The callbacks on a path, as soon as there are `count`. */
  received: (path: string, count: number) => Promise<Callback[]>;
  close: () => void;
}

/** Listens on a free port of this machine. */
export async function startReceiver(): Promise<Receiver> {
  const callbacks: Callback[] = [];
  const replies = new Map<string, Reply>();
  const on = (path: string) => callbacks.filter((callback) => callback.path === path);
  let waiting: (() => void)[] = [];

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', method = '', headers } = request;
      const text = Buffer.concat(chunks).toString();
      callbacks.push({ path, method, headers, text, body: JSON.parse(text) });
      const { status, headers: more = {}, body } = replies.get(path)?.(on(path).length) ?? { status: 200 };
      response.writeHead(status, more).end(body);
      for (const resolve of waiting.splice(0)) resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: (path) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    replies,
    on,
    received: async (path, count) => {
      while (on(path).length < count)
        await new Promise<void>((resolve) => {
          waiting = [...waiting, resolve];
        });
      return on(path);
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
