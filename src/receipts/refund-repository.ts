/** Refunds units, at the very end of the transaction in which the refund is due. */
import type { Knex } from 'knex';

/** Units of a message that are refunded to their account. */
export interface Refund {
  accountId: string;
  units: number;
  requestId: string;
  messageId: string;
}

/**
 * A ledger entry for each message, and the sum to each account. Requests that are being accepted wait for these
 * accounts: let it be the transaction's last statement. Accounts are locked by id, as those who accept lock them.
 */
export async function payRefunds(trx: Knex.Transaction, refunds: readonly Refund[]): Promise<void> {
  if (refunds.length === 0) return;
  await trx.raw(
    `with refund as (
       select * from json_to_recordset(?::json)
         as r("accountId" bigint, units bigint, "requestId" uuid, "messageId" bigint)
     ), due as (
       select "accountId" as id, sum(units) as units from refund group by 1
     ), locked as (
       select id from accounts where id in (select id from due) order by id for update
     ), credited as (
       update accounts set balance = balance + due.units from locked join due using (id)
       where accounts.id = locked.id
       returning accounts.id
     )
     -- Joined, so that entries get their ids only once their account is locked: see ledger_entries_of_account.
     insert into ledger_entries (account_id, units, reason, request_id, message_id)
     select "accountId", refund.units, 'Refund', "requestId", "messageId"
     from refund join credited on credited.id = "accountId"`,
    [JSON.stringify(refunds)],
  );
}
