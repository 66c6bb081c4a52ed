/** Records reports: moves messages to their new state, refunds those that no network accepted, and queues receipts. */

import type { Knex } from 'knex';
import type { FallbackState, Product } from '../model/plan.ts';
import { products } from '../model/products.ts';
import { isReported, type ReachedState, type StateChange } from '../model/states.ts';
import { ownReasons } from '../model/words/told.ts';
import { type QuarantineEvents, type Round, recordIsolated } from '../platform/isolation/record.ts';
import {
  insertReceipts,
  type LeasedReceipt,
  type OwnPoster,
  type ReceiptBodies,
} from './insert-repository.ts';
import { markLate } from './late-repository.ts';
import { moveMessages } from './move-repository.ts';
import { payRefunds, type Refund } from './refund-repository.ts';

/** What follows when messages reach a state; `receipt` and `follow` of a product see its messages only. */
export interface Consequences {
  /** The body of the receipt. */
  receipt: ReceiptBodies;
  /** Gets what is leased to it with the states that are returned; absent: receipts wait to be claimed. */
  poster?: OwnPoster;
  /** More to do in the same transaction; returns what is to be refunded. */
  follow: {
    [P in Product]?: (trx: Knex.Transaction, reached: readonly ReachedState[]) => Promise<readonly Refund[]>;
  };
  /** Settles the SMS in reserve for chat-app messages; before their receipts, which say what has become of it. */
  settleFallbacks?: (
    trx: Knex.Transaction,
    reached: readonly ReachedState[],
  ) => Promise<{ refunds: readonly Refund[]; states: ReadonlyMap<string, FallbackState> }>;
}

/** A state with its receipt, if this process has a lease on it. */
export interface RecordedState extends ReachedState {
  leased?: LeasedReceipt;
}

/**
 * Applies the changes in the caller's transaction, in their order. A change that would move a message back, or
 * out of a final state, does nothing. Returns the states reached that clients hear of. Locks accounts at its end,
 * so nothing that waits for other rows may follow it in the transaction.
 */
export async function recordChanges(
  trx: Knex.Transaction,
  changes: readonly StateChange[],
  consequences: Consequences,
): Promise<RecordedState[]> {
  const moved: ReachedState[] = [];
  const refunds: Refund[] = [];
  for (const turn of turnsOf(changes)) {
    for (const { refund, ...message } of await moveMessages(trx, turn)) {
      if (refund !== null) refunds.push(refund);
      if (isReported(message.product, message.state)) moved.push(message);
    }
  }
  const reached = await withFallbacks(trx, moved, consequences, refunds);
  const leased = await insertReceipts(trx, reached, consequences.receipt, consequences.poster);
  for (const [product, follow] of Object.entries(consequences.follow)) {
    const own = reached.filter((one) => one.product === product);
    if (own.length > 0) refunds.push(...(await follow(trx, own)));
  }
  await payRefunds(trx, refunds);
  return reached.map((one) => {
    const receipt = leased.get(one);
    return receipt === undefined ? one : { ...one, leased: receipt };
  });
}

/** The states with what has become of their SMS in reserve; adds what is to be refunded for it. */
async function withFallbacks(
  trx: Knex.Transaction,
  moved: readonly ReachedState[],
  { settleFallbacks }: Consequences,
  refunds: Refund[],
): Promise<readonly ReachedState[]> {
  const withReserve = moved.filter(({ product, hasFallback }) => product === 'chatapp' && hasFallback);
  if (withReserve.length === 0 || settleFallbacks === undefined) return moved;
  const settled = await settleFallbacks(trx, withReserve);
  refunds.push(...settled.refunds);
  return moved.map((one) =>
    one.product === 'chatapp' ? { ...one, fallback: settled.states.get(one.messageId) } : one,
  );
}

/** Puts each message's first change into the first turn, its second into the second: one statement a turn. */
function turnsOf(changes: readonly StateChange[]): StateChange[][] {
  const turns: StateChange[][] = [];
  const taken = new Map<string, number>();
  for (const change of changes) {
    const turn = taken.get(change.messageId) ?? 0;
    taken.set(change.messageId, turn + 1);
    const others = turns[turn];
    if (others === undefined) turns.push([change]);
    else others.push(change);
  }
  return turns;
}

const silences: Round<StateChange> = {
  describe: ({ messageId, product }) => ({
    round: 'silence',
    item: messageId,
    messageId,
    payload: { messageId, product },
  }),
};

/** The change that ends a message whose network stays silent. */
export function changeOfSilence({
  messageId,
  product,
}: Pick<StateChange, 'messageId' | 'product'>): StateChange {
  return {
    messageId,
    product,
    state: products[product].stateOfSilence,
    reason: ownReasons.silence,
    refund: false,
    accepted: false,
  };
}

/**
 * A network's silence, and a hand-over in doubt, end in the uncertain state: of at most `limit` messages. Returns those
 * that it ended, and whether there may be more. Messages in quarantine wait for their retry.
 */
export async function recordSilence(
  knex: Knex,
  events: QuarantineEvents,
  silenceSeconds: number,
  limit: number,
  consequences: Consequences,
): Promise<{ reached: ReachedState[]; more: boolean }> {
  const moreToMark = await markLate(knex, silenceSeconds);
  return recordIsolated(knex, events, async (trx, each, most) => {
    const taken = Math.min(limit, most);
    const { rows } = await trx.raw<{ rows: { messageId: string; product: Product }[] }>(
      `select id as "messageId", product from messages
       where late_report and submitted_at < service_now() - ? * interval '1 second'
         and not exists (select from quarantine q where q.message_id = messages.id)
       order by submitted_at limit ? for update skip locked`,
      [silenceSeconds, taken],
    );
    const reached = await each(silences, rows.map(changeOfSilence), (inner, some) =>
      recordChanges(inner, some, consequences),
    );
    return { reached, more: moreToMark || rows.length === taken };
  });
}
