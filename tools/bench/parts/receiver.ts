/** Receives callbacks and counts them: signed receipts once per webhook-id, and Kannel's calls of its dlr-url. */
import { createServer, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { servePart } from './part.ts';

export type ReceiverCalls = {
  port: () => number;
  counts: () => { received: number; faulty: number };
};

/** One signature in so many is verified: the receiver must not become the bottleneck. */
const verifiedOneIn = 500;

await servePart(async ({ signingSecret }: { signingSecret?: string }) => {
  const webhook = signingSecret === undefined ? undefined : new Webhook(signingSecret);
  const ids = new Set<string>();
  let plain = 0;
  let faulty = 0;

  const receive = (head: string, body: string) => {
    const id = headerOf(head, 'webhook-id');
    if (id === undefined) {
      plain += 1;
      return;
    }
    ids.add(id);
    if (webhook === undefined || ids.size % verifiedOneIn !== 1) return;
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        headerOf(head, name) ?? '',
      ]),
    );
    try {
      webhook.verify(Buffer.from(body, 'latin1').toString(), headers);
    } catch {
      faulty += 1;
    }
  };

  const server = createServer((socket) => serve(socket, receive));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: () => (typeof address === 'object' ? address?.port : 0),
    counts: () => ({ received: plain + ids.size, faulty }),
  };
});

const response = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

function serve(socket: Socket, receive: (head: string, body: string) => void): void {
  let buffered = '';
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => {});
  socket.on('data', (text) => {
    buffered += text;
    let responses = '';
    for (;;) {
      const end = buffered.indexOf('\r\n\r\n');
      if (end < 0) break;
      const head = buffered.slice(0, end + 2);
      const total = end + 4 + Number(headerOf(head, 'content-length') ?? 0);
      if (buffered.length < total) break;
      receive(head, buffered.slice(end + 4, total));
      buffered = buffered.slice(total);
      responses += response;
    }
    if (responses !== '') socket.write(responses);
  });
}

function headerOf(head: string, name: string): string | undefined {
  return new RegExp(`\\r\\n${name}: *(.*?)\\r\\n`, 'i').exec(head)?.[1];
}
