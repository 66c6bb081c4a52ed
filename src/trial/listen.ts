/** Receives receipts on this machine, verifies their signatures and hands them on. */
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '../clock.ts';
import { signingKeyOf, signReceipt } from '../receipts/callback/signature.ts';

export type Heard = { verified: true; receipt: Record<string, unknown> } | { verified: false; why: string };

interface ListenerOptions {
  port: number;
  /** Of the client: `whsec_…`. */
  signingSecret: string;
  clock: Clock;
  onHeard: (heard: Heard) => void;
}

/** A timestamp further away may belong to a receipt that somebody recorded (Standard Webhooks). */
const toleranceSeconds = 300;

/** Responds to a verified receipt with 204, to others with 400. */
export async function startListener({ port, signingSecret, clock, onHeard }: ListenerOptions) {
  const key = signingKeyOf(signingSecret);

  const hear = async (request: IncomingMessage): Promise<Heard> => {
    const body = await text(request);
    const {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures,
    } = request.headers;
    if (request.method !== 'POST' || id === undefined || timestamp === undefined || signatures === undefined)
      return { verified: false, why: 'it is not a signed POST' };
    const timestampSeconds = Number(timestamp);
    if (!(Math.abs(clock.now() / 1_000 - timestampSeconds) <= toleranceSeconds))
      return { verified: false, why: 'its timestamp is not of the last five minutes' };
    const signed = { id: String(id), timestampSeconds, body, keys: [key] };
    const { 'webhook-signature': expected = '' } = signReceipt(signed);
    if (
      !String(signatures)
        .split(' ')
        .some((one) => same(one, expected))
    )
      return { verified: false, why: 'its signature was made with another secret' };
    return { verified: true, receipt: JSON.parse(body) };
  };

  const server = createServer((request, response) => {
    hear(request).then(
      (heard) => {
        response.writeHead(heard.verified ? 204 : 400).end();
        onHeard(heard);
      },
      () => response.destroy(),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function same(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
