/** Creates the receipts of the states that messages have just reached, in the transaction that records the states. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { runStatement } from '../db/statement.ts';
import type { Product } from '../intake/plan.ts';
import { orItemFault } from '../isolation/fault.ts';
import { callbackOriginOf } from './callback/callback-url.ts';
import type { OwnedReceipt } from './owned-receipt.ts';
import { isFinal, type ReachedState } from './states.ts';

/** The body of a receipt, by product. */
export type ReceiptBodies = { [P in Product]: (reached: ReachedState) => object };

/** Decides about receipts that no later one of their message can overtake. */
export interface FirstAttempts {
  /** Names this process in rows. */
  owner: string;
  /** Whether this process posts the receipt itself once it is recorded. Others wait for a claim. */
  takes: (receipt: OwnedReceipt) => boolean;
}

/**
 * Returns the messages, those with `receipt` whose receipt this process posts once the transaction is committed. A
 * URL that cannot be called gets no receipt: it must not affect the receipts of others. `announce` counts it.
 */
export async function insertReceipts(
  trx: Knex.Transaction,
  reached: readonly ReachedState[],
  bodies: ReceiptBodies,
  firstAttempts: FirstAttempts | undefined,
): Promise<ReachedState[]> {
  const own = new Map<ReachedState, OwnedReceipt>();
  const rows = reached.flatMap((message) => {
    const { callbackUrl: url, teamId, clientId, product, state, sequence } = message;
    const callback = url === null ? undefined : callbackOriginOf(url);
    // Numbers that are no longer stored get no receipts.
    if (url === null || callback === undefined || !message.phone.startsWith('+')) return [];
    const body = orItemFault('the receipt cannot be written', () => JSON.stringify(bodies[product](message)));
    const { originKey } = callback;
    const receipt: OwnedReceipt = {
      id: randomUUID(),
      teamId,
      originKey,
      clientId,
      url,
      body,
      attemptsMade: 0,
    };
    const alone = sequence === 1 && isFinal(product, state);
    const owned = alone && (firstAttempts?.takes(receipt) ?? false);
    if (owned) own.set(message, receipt);
    return [rowOf(message, receipt, owned ? firstAttempts?.owner : undefined)];
  });
  if (rows.length === 0) return [...reached];
  await runStatement(trx, {
    name: 'insert receipts',
    text: `insert into receipts (id, request_id, message_id, sequence, team_id, client_id, url, origin_key, body, owner)
     select * from json_to_recordset($1::json) as r(id uuid, request_id uuid, message_id bigint, sequence smallint,
       team_id text, client_id text, url text, origin_key uuid, body text, owner uuid)`,
    values: [JSON.stringify(rows)],
  });
  return reached.map((message) => {
    const receipt = own.get(message);
    return receipt === undefined ? message : { ...message, receipt };
  });
}

function rowOf({ requestId, messageId, sequence }: ReachedState, receipt: OwnedReceipt, owner?: string) {
  return {
    id: receipt.id,
    request_id: requestId,
    message_id: messageId,
    sequence,
    team_id: receipt.teamId,
    client_id: receipt.clientId,
    url: receipt.url,
    origin_key: receipt.originKey,
    body: receipt.body,
    owner,
  };
}
