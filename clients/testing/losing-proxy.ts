/** A proxy before a service that loses responses: the service has carried the request out, the client hears nothing. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LosingProxy {
  url: string;
  /** The Idempotency-Key of each send, in order. */
  keys: string[];
  /** How many of the next responses to sends are lost. */
  lose: (count: number) => void;
  close: () => void;
}

export async function startLosingProxy(upstream: string): Promise<LosingProxy> {
  const keys: string[] = [];
  let losses = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    const { authorization, 'content-type': type, 'idempotency-key': key } = headers;
    const passed = Object.entries({ authorization, 'content-type': type, 'idempotency-key': key });
    const answer = await fetch(`${upstream}${url}`, {
      method,
      headers: passed.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])) as [
        string,
        string,
      ][],
      ...(body === '' ? {} : { body }),
    });
    const text = await answer.text();
    if (typeof key === 'string') {
      keys.push(key);
      losses -= 1;
      if (losses >= 0) return response.destroy();
    }
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    lose: (count) => {
      losses = count;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
