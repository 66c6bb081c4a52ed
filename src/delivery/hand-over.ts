/** Submits messages to their connectors, one batch per connector, concurrently. */

import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Connector, HandOver, LookAgain } from '../connectors/contract/connector.ts';
import type { Product } from '../model/plan.ts';
import { ownReasons } from '../model/words/told.ts';
import { reasonOf } from '../platform/isolation/fault.ts';
import { singleOut } from '../platform/isolation/single-out.ts';
import { optedOut } from '../products/consent/opt-out.ts';
import type { Through } from './choice.ts';
import { closedNow, createLookAgain, type Decisions } from './fresh.ts';
import type { LotLease } from './lease.ts';
import { markSending, type QueuedMessage } from './repository.ts';
import { traceSubmissions } from './traces.ts';

/** Decides about messages before they are submitted, by id; those without a decision are submitted. */
export type Gate = (messages: readonly QueuedMessage[]) => Promise<ReadonlyMap<string, HandOver>>;

export interface HandOverDependencies extends Decisions {
  knex: Knex;
  logger: Logger;
  /** The connector of that name, wherever its channel is routed now; undefined while it cannot be queried. */
  connectorNamed: (name: string) => Connector | undefined;
  gates: { [P in Product]?: Gate };
  /** A message that waited longer for its network expires and is refunded; services and schedules may say otherwise. */
  validitySeconds: number;
}

/** No connector could take it: it waits until one can, or until it expires. */
export type Waits = { kind: 'waits' };

/** It waits for its window, or for its time: it is scheduled for then. */
export type Quiet = { kind: 'quiet'; until: Date };

/** Its connector refused it, and another one may take it. */
export type MovesOn = { kind: 'movesOn'; reason: string; reasonCode?: string | undefined };

type Unclear = Extract<HandOver, { kind: 'unclear' }>;

export interface Result {
  message: QueuedMessage;
  outcome: HandOver | Waits | Quiet | MovesOn;
  /** The connector that was used; undefined: none. */
  connector?: string;
}

const expired: HandOver = {
  kind: 'rejected',
  state: 'Expired',
  reason: ownReasons.expired,
};
const tryAgain: HandOver = { kind: 'later', delaySeconds: 1, unanswered: true };
const waits: Waits = { kind: 'waits' };
const askAgain: HandOver = { kind: 'unclear', delaySeconds: 5 };
/**
 * A network that is still busy with a message does not know it yet. So what it does not know counts once it still does
 * not know it after longer than any exchange takes. Stored times cannot tell: a clock may have been set meanwhile.
 */
const unknownYet: HandOver = { kind: 'unclear', delaySeconds: 10, unknown: true };
const ownerIsAway: Unclear = { kind: 'unclear', delaySeconds: 60 };

export interface HandOverLimits {
  /** The connector of the lot; undefined: none takes messages. */
  through: Through | undefined;
  /** Messages for each connector; the others wait. */
  most: number;
  lease: LotLease;
}

export async function handOver(
  dependencies: HandOverDependencies,
  messages: readonly QueuedMessage[],
  { through, most, lease }: HandOverLimits,
): Promise<Result[]> {
  const results: Result[] = [];
  const lookedMs = performance.now();
  const unwanted = await dependencies.findOptedOut(messages);
  const quiet = await dependencies.findOpenings(messages);
  const decided = await decide(dependencies, messages, { unwanted, quiet });
  const batches = new Map<string, { target: Target; batch: QueuedMessage[] }>();
  for (const message of messages) {
    const decision = decided.get(message.id);
    const target = targetOf(dependencies, message, through);
    if (decision !== undefined) results.push({ message, outcome: decision });
    else if ('kind' in target) results.push({ message, outcome: target });
    else {
      const own = batches.get(target.name);
      if (own === undefined) batches.set(target.name, { target, batch: [message] });
      else own.batch.push(message);
    }
  }
  await Promise.all(
    [...batches.values()].map(async ({ target: { name, connector }, batch: all }) => {
      for (const message of all.slice(most)) results.push({ message, outcome: waits });
      const batch = all.slice(0, most);
      const settle = traceSubmissions(name, batch);
      const outcomes = await handToConnector(dependencies, { name, connector }, batch, {
        lease,
        unwanted,
        quiet,
        lookAgain: createLookAgain(dependencies, batch, lookedMs),
      });
      settle?.(outcomes);
      batch.forEach((message, index) => {
        const outcome = outcomes[index] ?? (connector.ask ? askAgain : tryAgain);
        results.push({ message, outcome, connector: name });
      });
    }),
  );
  return results;
}

type Target = Pick<Through, 'name' | 'connector'>;

/** The connector of an interrupted hand-over must be queried about it, wherever the message may go now. */
function targetOf(
  { connectorNamed }: HandOverDependencies,
  { connector: owner }: QueuedMessage,
  through: Through | undefined,
): Target | Waits | Unclear {
  if (owner === null || owner === through?.name || through === undefined) return through ?? waits;
  const connector = connectorNamed(owner);
  // It would not wait for long: what its lane waits for is a connector that takes messages.
  return connector === undefined ? ownerIsAway : { name: owner, connector };
}

/** Decisions without a network: age first, then the wish of the recipient, then the hour, then the product's own rules. */
async function decide(
  { gates }: HandOverDependencies,
  messages: readonly QueuedMessage[],
  { unwanted, quiet }: Pick<LotRules, 'unwanted' | 'quiet'>,
): Promise<Map<string, HandOver | Quiet>> {
  const decided = new Map<string, HandOver | Quiet>();
  const open = new Map<Product, QueuedMessage[]>();
  for (const message of messages) {
    // The outcome of an interrupted hand-over must be queried, however old it is.
    if (message.state === 'Sending') continue;
    const { notBefore } = message;
    if (notBefore === null && message.leftSeconds <= 0) decided.set(message.id, expired);
    else if (unwanted.has(message.id)) decided.set(message.id, optedOut);
    else {
      const until = notBefore ?? (message.unanswered ? undefined : quiet.get(message.id));
      // One that its network did not answer for is not sent later: it may have arrived.
      if (until === undefined) append(open, message.product, message);
      else decided.set(message.id, { kind: 'quiet', until });
    }
  }
  for (const [product, own] of open)
    await singleOut(
      own,
      async (some) => {
        for (const [id, outcome] of (await gates[product]?.(some)) ?? []) decided.set(id, outcome);
      },
      ({ id }, error) => {
        decided.set(id, { kind: 'faulty', reason: reasonOf(error) });
      },
    );
  return decided;
}

/** What holds for a whole lot. */
interface LotRules {
  lease: LotLease;
  /** Ids of messages whose recipients have opted out. */
  unwanted: ReadonlySet<string>;
  /** When the windows of messages open, by id. */
  quiet: ReadonlyMap<string, Date>;
  lookAgain: LookAgain;
}

async function handToConnector(
  dependencies: HandOverDependencies,
  target: Target,
  batch: readonly QueuedMessage[],
  rules: LotRules,
): Promise<readonly HandOver[]> {
  const { connector } = target;
  try {
    return connector.ask === undefined
      ? await sendUnderLease(connector, batch, rules)
      : await sendOnce(dependencies, target, connector.ask, batch, rules);
  } catch (error) {
    dependencies.logger.warn(
      { err: error, messages: batch.length },
      'connector failed; its messages are retried',
    );
    return [];
  }
}

async function sendUnderLease(
  connector: Connector,
  batch: readonly QueuedMessage[],
  { lease: { leftMs }, lookAgain }: LotRules,
): Promise<readonly HandOver[]> {
  if (leftMs() <= 0) throw new Error('the lease ended before the hand-over');
  return connector.send(batch, leftMs, lookAgain);
}

/**
 * At most once: messages that may have arrived are queried, and others are marked before they are sent. Marking renews
 * the lease, or sends nothing if another worker has the messages by now.
 */
async function sendOnce(
  { knex }: HandOverDependencies,
  { name, connector }: Target,
  ask: NonNullable<Connector['ask']>,
  batch: readonly QueuedMessage[],
  rules: LotRules,
): Promise<readonly HandOver[]> {
  const { lease, unwanted, quiet } = rules;
  const known = new Map<string, HandOver>();
  const interrupted = batch.filter(({ state }) => state === 'Sending');
  const answers = interrupted.length === 0 ? [] : await ask(interrupted);
  interrupted.forEach((message, index) => {
    const answer = answers[index] ?? askAgain;
    if (answer.kind !== 'unknown') known.set(message.id, answer);
    else if (!message.unknown && !answer.waited) known.set(message.id, unknownYet);
    else if (message.leftSeconds <= 0) known.set(message.id, expired);
    else if (unwanted.has(message.id)) known.set(message.id, optedOut);
    else if (quiet.has(message.id)) known.set(message.id, closedNow);
  });
  const unsent = batch.filter(({ id }) => !known.has(id));
  if (unsent.length > 0) {
    const ids = unsent.map(({ id }) => id);
    const marked = await lease.renew((jobs) => markSending(knex, ids, name, jobs));
    if (marked === undefined) throw new Error('another worker has the messages by now');
    const ours = unsent.filter(({ id }) => marked.has(id));
    const outcomes = await sendUnderLease(connector, ours, rules);
    ours.forEach(({ id }, index) => {
      known.set(id, outcomes[index] ?? askAgain);
    });
  }
  return batch.map(({ id }) => known.get(id) ?? askAgain);
}

export function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
