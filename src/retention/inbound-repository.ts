/** Erases what is kept of messages of phones. What is erased is no longer in the indexes that it is found by. */

import type { Knex } from 'knex';
import { isAddressIn } from '../model/address.ts';
import { type HashPhone, originOf } from './erase-repository.ts';
import type { Periods } from './progress-repository.ts';

/** Of each team, in one statement. */
const batch = 200;

/** Messages that were received so many days ago, or fewer if the team has chosen so. */
const dueOf = (where: string, days: string) => `
  select m.* from teams t cross join lateral (
    select id, phone from inbound_messages
    where team_id = t.id and ${where}
      and received_at < service_now() - least(:days::integer, t.${days}) * interval '1 day'
    order by received_at limit ${batch}
  ) as m`;

/** A receipt that posts the message has its text. A process that is posting it finds it done. */
const withoutReceipts = `
  update receipts set body = '', attempt_log = '[]', trace = null, claimed_by = null, url = ${originOf('url')},
    state = case when state = 'Waiting' then 'Exhausted' else state end
  where id = any(array(select id from erased order by id)) and body <> ''`;

/** In the words of partial indexes. */
const hasText = 'text is not null';
const hasNumber = isAddressIn('phone');

/** A batch of texts, of numbers and of receipts; returns whether more is due at once. */
export async function retainInbound(knex: Knex, periods: Periods, hashPhone: HashPhone): Promise<boolean> {
  const { rows: texts } = await knex.raw<{ rows: { id: string }[] }>(
    `with due as materialized (${dueOf(hasText, 'text_days')}), erased as (
       update inbound_messages set text = null, media = null, identity = null
       where id = any(array(select id from due)) returning id
     ), receipts as (${withoutReceipts})
     select id from erased`,
    { days: periods.texts },
  );
  const { rows: numbers } = await knex.raw<{ rows: { id: string; phone: string }[] }>(
    dueOf(hasNumber, 'number_days'),
    { days: periods.numbers },
  );
  await knex.raw(
    `with number as (select * from json_to_recordset(:numbers::json) as n(id uuid, phone text)), erased as (
       update inbound_messages m set phone = number.phone, identity = null from number where m.id = number.id
       returning m.id
     )
     ${withoutReceipts}`,
    { numbers: JSON.stringify(numbers.map(({ id, phone }) => ({ id, phone: hashPhone(phone) }))) },
  );
  const { rows: receipts } = await knex.raw<{ rows: { id: string }[] }>(
    `with erased as materialized (
       select r.id from teams t cross join lateral (
         select id from receipts
         where team_id = t.id and message_id is null and body <> ''
           and created_at < service_now() - least(:days::integer, t.receipt_days) * interval '1 day'
         order by created_at limit ${batch}
       ) as r
     )
     ${withoutReceipts} returning id`,
    { days: periods.receipts },
  );
  return [texts, numbers, receipts].some(({ length }) => length >= batch);
}

/** Erases the messages that a number sent to a team; `phones` are the number and its hash. Returns how many. */
export async function eraseInboundOf(
  trx: Knex.Transaction,
  teamId: string,
  phones: readonly string[],
): Promise<number> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `with erased as (
       update inbound_messages set phone = '', text = null, media = null, identity = null
       where team_id = :teamId and phone = any(:phones::text[]) returning id
     ), receipts as (${withoutReceipts})
     select id from erased`,
    { teamId, phones: [...phones] },
  );
  return rows.length;
}

/** Parts of texts that are not whole yet: nobody knows yet whose they are. */
export async function eraseInboundParts(trx: Knex.Transaction, phone: string): Promise<void> {
  await trx('inbound_parts').where({ phone }).delete();
}
