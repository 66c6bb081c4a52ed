/** Submits messages part by part, and returns the outcome of each message. */

import { ItemFault, orItemFault } from '../../../isolation/fault.ts';
import type { FinalState } from '../../../receipts/states.ts';
import type { HandOver, OutboundMessage } from '../../contract/connector.ts';
import type { SentPart, SentParts } from '../../contract/kind.ts';
import { cleanId } from '../../contract/network-text.ts';
import { keptId } from '../reports/report-id.ts';
import type { Job, Pool, Submitted } from '../session/pool.ts';
import type { Timers } from '../session/timers.ts';
import { destinationAddress, type SmppSettings, sourceAddress, validityPeriod } from '../settings.ts';
import type { ShortMessage } from '../wire/bodies.ts';
import { statusText } from './outcomes.ts';
import { partsOf } from './parts.ts';
import type { Retries } from './retries.ts';

export interface HandOverDependencies {
  settings: SmppSettings;
  pool: Pool;
  parts: SentParts;
  retries: Retries;
  timers: Timers;
}

/** Parts that have not gone out by then are taken back; with the longest response time-out, still within a lease. */
const sendingMs = 10_000;
const answeringMs = 35_000;

/** Resolves when every part has a response or was taken back. */
export async function handOver(
  dependencies: HandOverDependencies,
  messages: readonly OutboundMessage[],
): Promise<HandOver[]> {
  const { parts, timers } = dependencies;
  const known = new Map<string, SentPart[]>();
  for (const part of await parts.of(messages.map(({ id }) => id)))
    known.set(part.messageId, [...(known.get(part.messageId) ?? []), part]);
  const deadlineMs = timers.now() + sendingMs;
  return Promise.all(
    messages.map((message) =>
      handOverOne(dependencies, message, known.get(message.id) ?? [], deadlineMs).catch(failed),
    ),
  );
}

/** Only a message that cannot be encoded is given up; the outcome of any other is unknown. */
function failed(error: unknown): HandOver {
  if (error instanceof ItemFault) return { kind: 'faulty', reason: error.message };
  return { kind: 'later', delaySeconds: 1 };
}

/** The state of a part: its id at the network, or the outcome of sending it; undefined: no response yet. */
type PartResult = { kind: 'sent'; id: string } | Exclude<Submitted, { kind: 'accepted' }> | undefined;

async function handOverOne(
  dependencies: HandOverDependencies,
  message: OutboundMessage,
  known: readonly SentPart[],
  deadlineMs: number,
): Promise<HandOver> {
  const { settings, pool, parts, retries, timers } = dependencies;
  const heldSeconds = retries.heldSeconds(message.phone);
  if (heldSeconds > 0) return { kind: 'later', delaySeconds: heldSeconds };
  const shortMessages = orItemFault('the short message cannot be written', () =>
    shortMessagesOf(message, settings),
  );
  const results: PartResult[] = shortMessages.map((_, index) => {
    const sent = known.find(({ number }) => number === index + 1);
    return sent && { kind: 'sent', id: sent.networkId };
  });
  const keep = async (index: number, id: string) => {
    const part = { messageId: message.id, number: index + 1, parts: shortMessages.length, networkId: id };
    results[index] = { kind: 'sent', id };
    await parts.keep(part);
  };

  await new Promise<void>((resolve) => {
    let open = results.filter((result) => result === undefined).length;
    const done = () => {
      open -= 1;
      if (open <= 0) finish();
    };
    const jobs = shortMessages.map(
      (fields, index): Job => ({
        fields,
        deadlineMs,
        onDone: (submitted) => {
          if (submitted.kind === 'accepted') {
            // Without an id no report can be matched; the part still counts as sent.
            const usable = cleanId(submitted.id);
            const id = usable === undefined ? `${message.id}/${index + 1}` : keptId(usable, settings);
            return keep(index, id).then(done, done);
          }
          results[index] = submitted;
          done();
          return undefined;
        },
      }),
    );
    const cancels = [
      timers.after(deadlineMs - timers.now(), () => {
        for (const job of jobs) pool.withdraw(job);
      }),
      timers.after(answeringMs, () => finish()),
    ];
    const finish = () => {
      for (const cancel of cancels) cancel();
      resolve();
    };
    if (open === 0) return finish();
    jobs.forEach((job, index) => {
      if (results[index] === undefined) pool.submit(job);
    });
  });
  return verdict(message, results, dependencies);
}

function shortMessagesOf(
  { id, phone, sender, content }: OutboundMessage,
  settings: SmppSettings,
): ShortMessage[] {
  // The same on every try, so that a phone joins parts of two tries; the next message has another one.
  const reference = Number(BigInt(id) & 0xffffn);
  const common = {
    serviceType: settings.serviceType,
    source: sourceAddress(sender ?? '', settings),
    destination: destinationAddress(phone, settings),
    protocolId: 0,
    priority: 0,
    scheduledAt: '',
    validityPeriod: validityPeriod(settings.validitySeconds),
    registeredDelivery: settings.registeredDelivery,
    replaceIfPresent: 0,
    defaultMessageId: 0,
  };
  return partsOf(content, reference, settings).map((part) => ({ ...common, ...part }));
}

/** The outcome of all parts together: rejected if one is; accepted if all are; otherwise the rest is sent again. */
function verdict(
  { id, phone }: OutboundMessage,
  results: readonly PartResult[],
  { settings, retries }: HandOverDependencies,
): HandOver {
  const [only, ...others] = results;
  if (only?.kind === 'sent' && others.length === 0)
    return { kind: 'accepted', networkId: only.id, stored: true };
  const { length: segments } = results;
  const partIds = results.flatMap((result) => (result?.kind === 'sent' ? [result.id] : []));
  const end = (state: FinalState, reason: string, code: { reasonCode?: string }): HandOver =>
    partIds.length === 0
      ? { kind: 'rejected', state, reason, ...code }
      : { kind: 'accepted', segments, partIds, reports: [state] };

  for (const result of results) {
    if (result?.kind === 'refused')
      return end(result.state, result.reason, { reasonCode: statusText(result.status) });
    if (result?.kind === 'impossible') return end('Failed', result.reason, {});
  }
  const is = (kind: NonNullable<PartResult>['kind']) => results.some((result) => result?.kind === kind);
  if (is('queueFull')) return { kind: 'later', delaySeconds: retries.hold(phone) };
  for (const result of results) {
    if (result?.kind !== 'retry') continue;
    const delaySeconds = retries.delaySeconds(id);
    if (delaySeconds === undefined)
      return end('Failed', 'The network failed too often', { reasonCode: statusText(result.status) });
    return { kind: 'later', delaySeconds };
  }
  if (is('withdrawn')) return { kind: 'later', delaySeconds: 1 };
  const unanswered = results.some((result) => result === undefined || result.kind === 'unanswered');
  if (unanswered && settings.unanswered === 'resend')
    return { kind: 'later', delaySeconds: results.includes(undefined) ? settings.responseTimeoutSeconds : 1 };
  return { kind: 'accepted', segments, partIds };
}
