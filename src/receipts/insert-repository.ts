/** Creates the receipts of the states that messages have just reached, in the transaction that records the states. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Product } from '../intake/plan.ts';
import { orItemFault } from '../isolation/fault.ts';
import { originKeyOf, originOf } from './callback/callback-url.ts';
import type { ReachedState } from './states.ts';

/** The body of a receipt, by product. */
export type ReceiptBodies = { [P in Product]: (reached: ReachedState) => object };

/** A URL that cannot be called gives no receipt: it must not keep its neighbours from theirs. `announce` counts it. */
export async function insertReceipts(
  trx: Knex.Transaction,
  reached: readonly ReachedState[],
  receipt: ReceiptBodies,
): Promise<void> {
  const receipts = reached.flatMap((message) => {
    const { callbackUrl } = message;
    const origin = callbackUrl === null ? undefined : originOf(callbackUrl);
    return origin === undefined
      ? []
      : [
          {
            id: randomUUID(),
            request_id: message.requestId,
            message_id: message.messageId,
            sequence: message.sequence,
            team_id: message.teamId,
            client_id: message.clientId,
            url: callbackUrl,
            origin_key: originKeyOf(origin),
            body: orItemFault('the receipt cannot be written', () =>
              JSON.stringify(receipt[message.product](message)),
            ),
          },
        ];
  });
  if (receipts.length === 0) return;
  await trx.raw(
    `insert into receipts (id, request_id, message_id, sequence, team_id, client_id, url, origin_key, body)
     select * from json_to_recordset(?::json) as r(id uuid, request_id uuid, message_id bigint, sequence smallint,
       team_id text, client_id text, url text, origin_key uuid, body text)`,
    [JSON.stringify(receipts)],
  );
}
