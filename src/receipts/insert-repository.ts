/** Creates the receipts of the states that messages have just reached, in the transaction that records the states. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Product } from '../model/plan.ts';
import type { ReachedState } from '../model/states.ts';
import { runStatement } from '../platform/db/statement.ts';
import { orItemFault } from '../platform/isolation/fault.ts';
import { callbackOriginOf } from './callback/callback-url.ts';

/** The body of a receipt, by product. */
export type ReceiptBodies = { [P in Product]: (reached: ReachedState) => object };

/** A URL that cannot be called gets no receipt: it must not affect the receipts of others. `announce` counts it. */
export async function insertReceipts(
  trx: Knex.Transaction,
  reached: readonly ReachedState[],
  bodies: ReceiptBodies,
): Promise<void> {
  const rows = reached.flatMap((message) => {
    const { callbackUrl: url, requestId, messageId, sequence, teamId, clientId, product } = message;
    const callback = url === null ? undefined : callbackOriginOf(url);
    // Numbers that are no longer stored get no receipts.
    if (callback === undefined || !message.phone.startsWith('+')) return [];
    const body = orItemFault('the receipt cannot be written', () => JSON.stringify(bodies[product](message)));
    return {
      id: randomUUID(),
      request_id: requestId,
      message_id: messageId,
      sequence,
      team_id: teamId,
      client_id: clientId,
      url,
      origin_key: callback.originKey,
      body,
    };
  });
  if (rows.length === 0) return;
  await runStatement(trx, {
    name: 'insert receipts',
    text: `insert into receipts (id, request_id, message_id, sequence, team_id, client_id, url, origin_key, body)
     select * from json_to_recordset($1::json) as r(id uuid, request_id uuid, message_id bigint, sequence smallint,
       team_id text, client_id text, url text, origin_key uuid, body text)`,
    values: [JSON.stringify(rows)],
  });
}
