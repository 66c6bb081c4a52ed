/** Erases what is kept of messages, duty by duty: those that are still needed are looked at again later. */
import type { Knex } from 'knex';
import { isAddressIn } from '../model/address.ts';
import { holdsFor } from '../model/products.ts';

/** What is erased after a time: texts, parameters, correlators and traces of requests; receipts with their attempts; phone numbers. */
export const duties = ['texts', 'receipts', 'numbers'] as const;
export type Duty = (typeof duties)[number];

export type HashPhone = (phone: string) => string;

/** Erases what the duty says of those messages that are done, and notes the others. The same twice changes nothing. */
export type Erase = (trx: Knex.Transaction, messageIds: readonly string[], hash: HashPhone) => Promise<void>;

/** Sorted by id, as everybody locks messages. A message that is not final is left to those who deliver it. */
export const lockedMessages = `
  select * from messages where id = any(:ids::bigint[]) and final_at is not null order by id for update`;

/** Networks repeat numbers in their reasons. */
export const withoutNumbers = (column: string) =>
  `regexp_replace(${column}, '\\+\\?[0-9][0-9 ]{5,}[0-9]', '…', 'g')`;

/** Codes are short. */
/** Which connectors did not take a message, without what their networks said. */
export const withoutReasons = (hops: string) =>
  `(select jsonb_agg(hop - 'reason' - 'reasonCode') from jsonb_array_elements(${hops}) as h(hop))`;

export const withoutNumber = (column: string) => `regexp_replace(${column}, '[0-9]{9,}', '…', 'g')`;

/** Clients may write numbers into paths and queries. */
export const originOf = (url: string) => `substring(${url} from '^[a-z]+://[^/\\?#]+')`;

const eraseTexts: Erase = async (trx, messageIds) => {
  await trx.raw(
    `with locked as materialized (${lockedMessages}
     ), erased as (
       update messages m set content = '' from locked
       where m.id = locked.id and ${holdsFor('contentErased', 'm.product')} and m.content <> ''
     )
     update requests set correlator = null, trace = null
     where (correlator is not null or trace is not null) and id = any(array(select request_id from locked))
       and not exists (select from messages o where o.request_id = requests.id and o.final_at is null)`,
    { ids: [...messageIds] },
  );
};

const eraseReceipts: Erase = async (trx, messageIds) => {
  await trx.raw(
    `with locked as materialized (
       select id from receipts where message_id = any(:ids::bigint[]) and state <> 'Waiting'
         and (body <> '' or trace is not null)
       order by id for update
     )
     update receipts set body = '', attempt_log = '[]', trace = null, url = ${originOf('url')}
     where id = any(array(select id from locked))`,
    { ids: [...messageIds] },
  );
};

const eraseNumbers: Erase = async (trx, messageIds, hash) => {
  const { rows } = await trx.raw<{ rows: { id: string; phone: string }[] }>(
    `select id, phone from (${lockedMessages}) as locked where ${isAddressIn('phone')}`,
    { ids: [...messageIds] },
  );
  // Ids of chat networks contain the number.
  await trx.raw(
    `with number as (
       select * from json_to_recordset(?::json) as n(id bigint, phone text)
     ), parts as (
       delete from message_parts where message_id = any(array(select id from number))
     ), called as (
       update requests r set callback_url = ${originOf('callback_url')}
       where r.id in (select request_id from messages where id in (select id from number))
         and callback_url <> ${originOf('callback_url')}
         and not exists (select from messages o where o.request_id = r.id and o.final_at is null)
     )
     update messages m set phone = number.phone, network_id = null, reason = ${withoutNumbers('reason')},
       reason_code = ${withoutNumber('reason_code')}, hops = ${withoutReasons('hops')},
       details = null
     from number where m.id = number.id`,
    [JSON.stringify(rows.map(({ id, phone }) => ({ id, phone: hash(phone) })))],
  );
};

export const erasers: Readonly<Record<Duty, Erase>> = {
  texts: eraseTexts,
  receipts: eraseReceipts,
  numbers: eraseNumbers,
};

/** Whether a message `m` has to wait for a duty. */
const stillNeeded: Readonly<Record<Duty | 'subject', string>> = {
  texts: 'm.final_at is null',
  numbers: 'm.final_at is null',
  receipts: `exists (select from receipts r where r.message_id = m.id and r.state = 'Waiting')`,
  // Its client may hear of the end: the first attempt at the last receipt is still made.
  subject: `(m.final_at is null or m.final_at > service_now() - interval '10 minutes' and exists (
    select from receipts r where r.message_id = m.id and r.state = 'Waiting' and r.attempts = 0))`,
};

/** Those of the messages that need not wait; the others are noted. */
export async function splitByNeed(
  trx: Knex.Transaction,
  duty: Duty | 'subject',
  messageIds: readonly string[],
): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `with message as materialized (
       select m.id, ${stillNeeded[duty]} as needed from messages m where m.id = any(:ids::bigint[])
     ), noted as (
       insert into erasures_due (message_id, duty, next_look_at)
       select id, :duty::text, service_now() + :delay::interval from message where needed order by id
       on conflict (message_id, duty) do update
         set next_look_at = excluded.next_look_at, written_at = excluded.written_at
     ), done as (
       delete from erasures_due
       where duty = :duty::text and message_id = any(:ids::bigint[])
         and message_id not in (select id from message where needed)
     )
     select id from message where not needed order by id`,
    { ids: [...messageIds], duty, delay: duty === 'subject' ? '30 seconds' : '1 hour' },
  );
  return rows.map(({ id }) => id);
}

/** Messages whose time to be looked at again has come, locked against other processes. */
export async function lockDue(
  trx: Knex.Transaction,
  limit: number,
): Promise<{ messageId: string; duty: Duty | 'subject' }[]> {
  const { rows } = await trx.raw(
    `select message_id as "messageId", duty from erasures_due where next_look_at <= service_now()
     order by next_look_at limit ? for update skip locked`,
    [limit],
  );
  return rows;
}

/** Has a duty look at a message in its next round. */
export async function noteDue(trx: Knex.Transaction, messageId: string, duty: string): Promise<void> {
  await trx('erasures_due')
    .insert({ message_id: messageId, duty })
    .onConflict(['message_id', 'duty'])
    .merge(['next_look_at']);
}

export async function forgetDue(trx: Knex.Transaction, messageId: string, duty: string): Promise<void> {
  await trx('erasures_due').where({ message_id: messageId, duty }).delete();
}
