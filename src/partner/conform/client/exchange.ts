/** What a sandbox recorded while a client ran once: its calls, the accepted messages, and how the client ended. */
import type { components } from '../../../../generated/sandbox.d.ts';
import { products } from '../../../model/products.ts';

export type RecordedCall = components['schemas']['ReceivedRequest'];

export interface Exchange {
  /** In their order. */
  calls: readonly RecordedCall[];
  /** How many messages were accepted. */
  messages: number;
  exitCode: number;
  /** Why the kit stopped it, as the end of a sentence; undefined: it ended by itself. */
  stopped: string | undefined;
}

/** The operations that send something. */
export const sendOperations: readonly string[] = Object.values(products).map(({ operation }) => operation);

export const sendsIn = ({ calls }: Exchange): RecordedCall[] =>
  calls.filter(({ operation = '' }) => sendOperations.includes(operation));

export const tokenCallsIn = ({ calls }: Exchange): RecordedCall[] =>
  calls.filter(({ operation }) => operation === 'issueToken');

export const keyOf = ({ headers }: RecordedCall): string | undefined => headers['idempotency-key'];

export const tokenOf = ({ headers }: RecordedCall): string | undefined => headers.authorization;

/** Milliseconds from one call to a later one. */
export function gapMs(one: RecordedCall, later: RecordedCall): number {
  return Date.parse(later.at) - Date.parse(one.at);
}

/** The next call that sends the same: with the same key or, if there is none, with the same body. */
export function retryOf(call: RecordedCall, exchange: Exchange): RecordedCall | undefined {
  const sends = sendsIn(exchange);
  const later = sends.slice(sends.indexOf(call) + 1);
  const key = keyOf(call);
  return (
    later.find((one) => key !== undefined && keyOf(one) === key) ??
    later.find(({ path, body }) => path === call.path && body === call.body)
  );
}

/** All calls that send the same as the first one. */
export function attemptsOf(first: RecordedCall, exchange: Exchange): RecordedCall[] {
  const attempts = [first];
  for (let next = retryOf(first, exchange); next !== undefined; next = retryOf(next, exchange))
    attempts.push(next);
  return attempts;
}
