/** Erases everything that is stored about one phone number or user id. */
import type { Knex } from 'knex';
import { isAddressIn } from '../model/address.ts';
import type { Product } from '../model/plan.ts';
import { holdsFor } from '../model/products.ts';
import { passedStates } from '../model/states.ts';
import { openLots } from '../receipts/posting/lot-repository.ts';
import {
  lockedMessages,
  originOf,
  withoutNumber,
  withoutNumbers,
  withoutReasons,
} from './erase-repository.ts';

/** Rows that no longer contain the number, by table. */
export type Erased = Record<
  | 'messages'
  | 'messageParts'
  | 'receipts'
  | 'requests'
  | 'idempotencyKeys'
  | 'quarantine'
  | 'networkReports'
  | 'optOuts',
  number
>;

/**
 * However it is written: with or without the country, spaces or signs. The last eight digits are enough, because only
 * rows that belong to the same requests are looked at.
 */
export const mentions = (text: string, phone: string) =>
  `(${[text, unescaped(text)]
    .map((written) => `regexp_replace(${written}, '[^0-9]', '', 'g') like '%' || right(${phone}, 8) || '%'`)
    .join(' or ')} or strpos(${text}, ${phone}) > 0)`;

/** Percent-encoded digits as digits, and no other escapes: the digits of `%20` would be in the way. However often it was encoded. */
const unescaped = (text: string) => {
  const once = `regexp_replace(${text}, '%(25)+', '%', 'g')`;
  return `regexp_replace(regexp_replace(${once}, '%3([0-9])', '\\1', 'g'), '%[0-9a-fA-F]{2}', '', 'g')`;
};

/** Erases messages that are final, with all that belongs to them. `phone` remains only in rows that were erased. */
export async function eraseSubjectMessages(
  trx: Knex.Transaction,
  messageIds: readonly string[],
): Promise<Erased> {
  await openLots(trx, 'all');
  const { rows } = await trx.raw<{ rows: { id: string; requestId: string; phone: string }[] }>(
    `select id, request_id as "requestId", phone from (${lockedMessages}) as locked`,
    { ids: [...messageIds] },
  );
  const subject = JSON.stringify(rows);
  const requests = await eraseFromRequests(trx, subject);
  const own = await eraseMessages(trx, subject);
  return { ...requests, ...own, networkReports: 0, optOuts: 0 };
}

const ofSubject = `subject as materialized (
    select * from json_to_recordset(:subject::json) as s(id bigint, "requestId" uuid, phone text)
  )`;

/** What clients wrote beside the number: names of requests, URLs, keys, and the texts of other recipients. */
async function eraseFromRequests(trx: Knex.Transaction, subject: string) {
  const { rows } = await trx.raw<{ rows: [Pick<Erased, 'requests' | 'idempotencyKeys' | 'receipts'>] }>(
    `with ${ofSubject}, known as (
       -- A hash was made of a number that nobody knows any more.
       select * from subject where ${isAddressIn('phone')}
     ), request as materialized (
       select r.id, r.created_at, r.correlator, r.callback_url, r.trace, known.phone
       from (select distinct "requestId", phone from known) as known join requests r on r.id = known."requestId"
     ), cleaned as (
       -- A trace may have the number in any form.
       update requests r set trace = null,
         correlator = case when ${mentions('r.correlator', 'request.phone')} then null else r.correlator end,
         callback_url = case when ${mentions('r.callback_url', 'request.phone')} then null else r.callback_url end
       from request where r.id = request.id
         and (r.trace is not null or ${mentions('r.correlator', 'request.phone')} or ${mentions('r.callback_url', 'request.phone')})
       returning 1
     ), keys as (
       -- Stored in the transaction of its request, at the same time.
       update idempotency_keys k set key = 'erased ' || gen_random_uuid()
       from request where k.created_at = request.created_at and k.accepted ->> 'requestId' = request.id::text
         and ${mentions('k.key', 'request.phone')}
       returning 1
     ), sibling as materialized (
       select m.id, m.content, m.product, request.phone from messages m join request on m.request_id = request.id
     ), noted as (
       -- Texts of others that mention the number go as soon as nobody needs them.
       insert into erasures_due (message_id, duty)
       select distinct id, 'texts' from sibling
       where ${holdsFor('contentErased', 'product')} and ${mentions('content', 'sibling.phone')}
       on conflict do nothing
     ), receipt as materialized (
       select r.id from receipts r join sibling on r.message_id = sibling.id
       where r.message_id in (select id from subject)
         or ${mentions('r.body', 'sibling.phone')} or ${mentions('r.url', 'sibling.phone')}
         or ${mentions('r.attempt_log::text', 'sibling.phone')}
     ), locked as materialized (
       select id from receipts where id = any(array(select id from receipt)) order by id for update
     ), ended as (
       -- A process that is posting it finds it done.
       update receipts r set body = '', attempt_log = '[]', trace = null, claimed_by = null,
         url = ${originOf('url')},
         state = case when r.state = 'Waiting' then 'Exhausted' else r.state end
       where r.id = any(array(select id from locked))
       returning 1
     ), untraced as (
       update receipts r set trace = null from sibling
       where r.message_id = sibling.id and r.trace is not null and r.id <> all(array(select id from receipt))
     )
     select (select count(*)::integer from cleaned) as requests, (select count(*)::integer from keys) as "idempotencyKeys",
       (select count(*)::integer from ended) as receipts`,
    { subject },
  );
  return rows[0];
}

async function eraseMessages(trx: Knex.Transaction, subject: string) {
  const { rows } = await trx.raw<{ rows: [Pick<Erased, 'messages' | 'messageParts' | 'quarantine'>] }>(
    `with ${ofSubject}, erased as (
       -- Ids of chat networks contain the number.
       update messages m set phone = '', network_id = null, reason = ${withoutNumbers('reason')},
         reason_code = ${withoutNumber('reason_code')}, hops = ${withoutReasons('hops')}, details = null,
         content = case when ${holdsFor('contentErased', 'm.product')} then '' else m.content end
       from subject where m.id = subject.id
       returning 1
     ), parts as (
       delete from message_parts where message_id in (select id from subject) returning 1
     ), quarantined as (
       delete from quarantine where message_id in (select id from subject) returning 1
     )
     select (select count(*)::integer from erased) as messages, (select count(*)::integer from parts) as "messageParts",
       (select count(*)::integer from quarantined) as quarantine`,
    { subject },
  );
  return rows[0];
}

/** Messages to a number, or to its hash, behind an id. Reads along an index for each team. */
export async function findSubjectMessages(
  knex: Knex,
  {
    teamId,
    phones,
    after,
    limit,
  }: { teamId: string; phones: readonly string[]; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `select id from messages
     where message_phone_key(team_id, phone) = any(array(
         select message_phone_key(:teamId, wanted) from unnest(:phones::text[]) as wanted
       ))
       and team_id = :teamId and phone = any(:phones) and id > :after::bigint
     order by id limit :limit`,
    { teamId, phones: [...phones], after, limit },
  );
  return rows.map(({ id }) => id);
}

/** Rows of small tables that belong to no message of the number and mention it. */
export async function eraseMentions(
  trx: Knex.Transaction,
  phone: string,
): Promise<Pick<Erased, 'quarantine' | 'networkReports'>> {
  const { rows } = await trx.raw(
    `with quarantined as (
       delete from quarantine where ${mentions('payload || item', ':phone::text')} returning 1
     ), reports as (
       update network_reports set reason = null, reason_code = null
       where phone is distinct from :phone
         and ${mentions(`coalesce(reason, '') || coalesce(reason_code, '')`, ':phone::text')} returning 1
     ), own as (
       delete from network_reports where phone = :phone returning 1
     )
     select (select count(*)::integer from quarantined) as quarantine,
       (select count(*)::integer from (table reports union all table own) as r) as "networkReports"`,
    { phone },
  );
  return rows[0];
}

/** Those that are to be erased, are not final, and will not be before an operator decides. */
export async function findQuarantinedDue(knex: Knex): Promise<{ messageId: string; product: Product }[]> {
  const { rows } = await knex.raw(
    `select m.id as "messageId", m.product from erasures_due e join messages m on m.id = e.message_id
     where e.duty = 'subject' and m.final_at is null and exists (select from quarantine where message_id = m.id)
     limit 50`,
  );
  return rows;
}

/** When the end cannot be recorded as usual. */
export async function endUnrecorded(knex: Knex, messageId: string, state: string): Promise<void> {
  await knex.raw(
    `update messages set state = ?, final_at = service_now(), passed_states = ${passedStates('messages')},
       reached_at = service_now()
     where id = ?::bigint`,
    [state, messageId],
  );
}
