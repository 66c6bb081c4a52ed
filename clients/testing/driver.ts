/**
 * Carries out calls of the TypeScript client, one for each line of JSON on stdin (`Step`), and writes a line with what
 * became of it (`Outcome`). driver.py, driver.php and ../go/driver_test.go do the same for the other clients.
 */
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { methods } from '../methods.ts';
import {
  fetchReceiptHandler,
  Tarishi,
  TarishiError,
  type TarishiOptions,
  verifyReceipt,
} from '../typescript/src/client.ts';
import type { Outcome, Step } from './clients.ts';

let pauses: number[] = [];
const clients = new Map<string, Tarishi>();

// Notes the pauses between the client's attempts instead of waiting; the timers of fetch stay as they are.
const timer = globalThis.setTimeout;
globalThis.setTimeout = ((resume: () => void, ms: number, ...others: []) => {
  if (!new Error().stack?.includes('transport.ts')) return timer(resume, ms, ...others);
  pauses.push(ms);
  return timer(resume, 0);
}) as typeof setTimeout;

type Method = (...args: unknown[]) => unknown;

interface Posted {
  body: string;
  headers: Record<string, string>;
  signingSecret: string | string[];
}

async function carryOut({ call, client: { timeout, ...options }, args, options: settings, times }: Step) {
  if (call === 'verifyReceipt') {
    const { body, headers, signingSecret } = args as unknown as Posted;
    return verifyReceipt(body, headers, signingSecret);
  }
  if (call === 'handleReceipt') return handled(args as unknown as Posted);
  const key = JSON.stringify([timeout, options]);
  const timeoutMs = timeout === undefined ? {} : { timeoutMs: Number(timeout) * 1000 };
  const client = clients.get(key) ?? new Tarishi({ ...options, ...timeoutMs } as unknown as TarishiOptions);
  clients.set(key, client);
  const [resource = '', method = ''] = call.split('.');
  const target = (client as unknown as Record<string, Record<string, Method>>)[resource];
  const once = async () => listed(await target?.[method]?.(...wordsOf(call, args), settings));
  return times === 1 ? once() : Promise.all(Array.from({ length: times }, once));
}

/** The id of what a call is about comes first, then the others together; a send takes all of them together. */
function wordsOf(call: string, { ...args }: Step['args']): unknown[] {
  const [resource, method] = call.split('.');
  const found = methods.find((one) => one.group === resource && [one.name, one.each].includes(method ?? ''));
  if (found === undefined) throw new Error(`no method ${call}`);
  if (found.composed !== undefined) return [args];
  const { id, query, body } = found;
  const ids = id === undefined ? [] : [args[id.name]];
  if (id !== undefined) delete args[id.name];
  return [...ids, ...(query.length === 0 && body === undefined ? [] : [args])];
}

async function handled({ body, headers, signingSecret }: Posted) {
  const seen: unknown[] = [];
  const handler = fetchReceiptHandler({ signingSecret, onReceipt: (...receipt) => void seen.push(receipt) });
  const { status } = await handler(new Request('http://here/', { method: 'POST', body, headers }));
  return { status, seen };
}

async function listed(result: unknown): Promise<unknown> {
  if (result instanceof Blob) return result.text();
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  const items: unknown[] = [];
  for await (const item of result as AsyncIterable<unknown>) items.push(item);
  return items;
}

async function outcomeOf(step: Step): Promise<Omit<Outcome, 'pauses'>> {
  try {
    return { value: await carryOut(step) };
  } catch (error) {
    const dump = inspect([error, ...clients.values()], { depth: null, showHidden: true });
    if (error instanceof TarishiError) {
      const { name: kind, status, code, desc, result, requestId, retryAfter, helpUrl } = error;
      return { error: { kind, status, code, desc, result, requestId, retryAfter, helpUrl }, dump };
    }
    const { message: desc = String(error) } = error as Error;
    return { error: { kind: error instanceof TypeError ? 'argument' : 'bug', desc }, dump };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  pauses = [];
  const outcome = await outcomeOf(
    JSON.parse(line, (_, part) => (part?.instant === undefined ? part : new Date(part.instant))),
  );
  process.stdout.write(`${JSON.stringify({ ...outcome, pauses })}\n`);
}
