/** Submits messages part by part, and returns the outcome of each message. */

import type { NetworkState } from '../../../model/states.ts';
import { ownReasons } from '../../../model/words/told.ts';
import { ItemFault, orItemFault } from '../../../platform/isolation/fault.ts';
import type { HandOver, LookAgain, OutboundMessage, SentPart } from '../../contract/connector.ts';
import type { SentParts } from '../../contract/kind.ts';
import { cleanId } from '../../contract/network-text.ts';
import type { Retries } from '../../runtime/retries.ts';
import { keptId } from '../reports/report-id.ts';
import type { Job, Pool, Submitted } from '../session/pool.ts';
import type { Timers } from '../session/timers.ts';
import { destinationAddress, type SmppSettings, sourceAddress, validityPeriod } from '../settings.ts';
import type { ShortMessage } from '../wire/bodies.ts';
import { statusText } from './outcomes.ts';
import { parametersOf } from './parameters.ts';
import { partsOf } from './parts.ts';

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
/** Between attempts to store what the network has. */
const storingPauseMs = 1_000;

/** Resolves when every part has a response or was taken back. `leftMs`: no part leaves whose response could be too late. */
export async function handOver(
  dependencies: HandOverDependencies,
  messages: readonly OutboundMessage[],
  leftMs: () => number,
  lookAgain?: LookAgain,
): Promise<HandOver[]> {
  const { parts, timers } = dependencies;
  const known = new Map<string, SentPart[]>();
  for (const part of await parts.of(messages.map(({ id }) => id)))
    known.set(part.messageId, [...(known.get(part.messageId) ?? []), part]);
  const deadlineMs = timers.now() + Math.min(sendingMs, leftMs() - answeringMs);
  return Promise.all(
    messages.map((message) =>
      handOverOne(dependencies, message, known.get(message.id) ?? [], deadlineMs, lookAgain).catch(failed),
    ),
  );
}

/** Only a message that cannot be encoded is given up; the outcome of any other is unknown. */
function failed(error: unknown): HandOver {
  if (error instanceof ItemFault) return { kind: 'faulty', reason: error.message };
  return { kind: 'later', delaySeconds: 1 };
}

/** The network has it, and it may be stored that it does. */
type SentResult = { kind: 'sent'; part: SentPart; stored: boolean };

/** The state of a part; undefined: no response yet. */
type PartResult = SentResult | Exclude<Submitted, { kind: 'accepted' }> | undefined;

async function handOverOne(
  dependencies: HandOverDependencies,
  message: OutboundMessage,
  known: readonly SentPart[],
  deadlineMs: number,
  lookAgain?: LookAgain,
): Promise<HandOver> {
  const { settings, pool, parts, retries, timers } = dependencies;
  const heldSeconds = retries.heldSeconds(message.phone);
  if (heldSeconds > 0) return { kind: 'later', delaySeconds: heldSeconds };
  const shortMessages = orItemFault('the short message cannot be written', () =>
    shortMessagesOf(message, settings),
  );
  const results: PartResult[] = shortMessages.map((_, index) => {
    const sent = known.find(({ number }) => number === index + 1);
    return sent && { kind: 'sent', part: sent, stored: true };
  });
  let over = false;
  /** What becomes of it, if it may not leave any more. */
  let instead: HandOver | undefined;
  /** Once a part of it has left, the others follow. */
  let left = known.length;
  const mayLeave = () => {
    if (left > 0) return undefined;
    return lookAgain?.(message.id)?.then((decision) => {
      if (left === 0) instead ??= decision;
      return instead !== undefined;
    });
  };
  /** Until it is stored the part keeps its place in the window: while nothing can be, no more leaves than may be sent twice. */
  const keep = async (index: number, id: string) => {
    const part = { messageId: message.id, number: index + 1, parts: shortMessages.length, networkId: id };
    const result: SentResult = { kind: 'sent', part, stored: false };
    results[index] = result;
    while (!over && !result.stored)
      await parts.keep(part).then(
        () => {
          result.stored = true;
        },
        () => new Promise<void>((resolve) => void timers.after(storingPauseMs, resolve)),
      );
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
        lookAgain: mayLeave,
        onOut: (out) => {
          left += out ? 1 : -1;
        },
        onDone: (submitted) => {
          if (submitted.kind === 'accepted') {
            // Without an id no report can be matched; the part still counts as sent.
            const usable = cleanId(submitted.id);
            const id = usable === undefined ? `${message.id}/${index + 1}` : keptId(usable, settings);
            // What cannot be stored in time is stored with the outcome of the message.
            return keep(index, id).then(done);
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
      over = true;
      for (const cancel of cancels) cancel();
      resolve();
    };
    if (open === 0) return finish();
    jobs.forEach((job, index) => {
      if (results[index] === undefined) pool.submit(job);
    });
  });
  return left === 0 && instead !== undefined ? instead : verdict(message, results, dependencies);
}

function shortMessagesOf(message: OutboundMessage, settings: SmppSettings): ShortMessage[] {
  const { id, phone, sender, content, messageClass } = message;
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
  const parameters = parametersOf(message, settings.parameters);
  const { concatenation, defaultAlphabet } = settings;
  const form = { concatenation, defaultAlphabet, isFlash: messageClass === 0 };
  return partsOf(content, reference, form).map((part) => ({
    ...common,
    ...part,
    tlvs: [...part.tlvs, ...parameters],
  }));
}

/** The outcome of all parts together: rejected if one is; accepted if all are; otherwise the rest is sent again. */
function verdict(
  { id, phone }: OutboundMessage,
  results: readonly PartResult[],
  { settings, retries }: HandOverDependencies,
): HandOver {
  const sent = results.filter((result) => result?.kind === 'sent');
  const { length: segments } = results;
  const [only] = sent;
  if (only !== undefined && segments === 1)
    return {
      kind: 'accepted',
      networkId: only.part.networkId,
      segments,
      ...(only.stored ? { stored: true } : {}),
    };
  const partIds = sent.map(({ part }) => part.networkId);
  const unstored = sent.flatMap(({ part, stored }) => (stored ? [] : [part]));
  const unanswered = results.some((result) => result === undefined || result.kind === 'unanswered');
  const later = (delaySeconds: number): HandOver => ({
    kind: 'later',
    delaySeconds,
    ...(unanswered ? { unanswered } : {}),
    ...(unstored.length === 0 ? {} : { sent: unstored }),
  });
  const end = (state: NetworkState, reason: string, code: { reasonCode?: string }): HandOver =>
    partIds.length === 0
      ? { kind: 'rejected', state, reason, ...code }
      : { kind: 'accepted', segments, partIds, reports: [state] };

  for (const result of results) {
    if (result?.kind === 'refused')
      return end(result.state, result.reason, { reasonCode: statusText(result.status) });
    if (result?.kind === 'impossible') return end('Failed', result.reason, {});
  }
  const is = (kind: NonNullable<PartResult>['kind']) => results.some((result) => result?.kind === kind);
  if (is('queueFull')) return later(retries.hold(phone));
  for (const result of results) {
    if (result?.kind !== 'retry') continue;
    const delaySeconds = retries.delaySeconds(id);
    if (delaySeconds === undefined)
      return end('Failed', ownReasons.tooOften, { reasonCode: statusText(result.status) });
    return later(delaySeconds);
  }
  if (is('withdrawn')) return later(1);
  if (unanswered && settings.unanswered === 'resend')
    return later(results.includes(undefined) ? settings.responseTimeoutSeconds : 1);
  return { kind: 'accepted', segments, partIds };
}
