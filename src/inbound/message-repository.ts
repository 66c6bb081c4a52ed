/** Stores messages of phones, each once. */
import type { Knex } from 'knex';
import type { Addressee, Heard, Received, Whole } from './message.ts';

/** What became of messages: those that were stored, and all but those that came again with an id of their network. */
interface Stored {
  received: Received[];
  heard: Heard[];
}

/** The last message of a number to a service that may be repeated by `m`. Rows from before a clock was set back count for nothing. */
const lastOne = `
  select identity from inbound_messages b
  where b.team_id = m."teamId" and b.phone = m.phone and b.product = m.product and b.service_id = m."serviceId"
    and b.received_at > service_now() - m."withinSeconds" * interval '1 second'
    and b.received_at < service_clock() + interval '1 second'
  order by b.received_at desc, b.id desc limit 1`;

/**
 * A message with an id of its network is a repetition if one with this id was stored. Any other is one if it equals the last
 * message of the number to the service: a person who says YES, NO, YES says three things.
 */
export async function insertMessages(
  trx: Knex.Transaction,
  messages: readonly (Whole & { addressee: Addressee })[],
): Promise<Stored> {
  if (messages.length === 0) return { received: [], heard: [] };
  const rows = messages.map(({ addressee, content, repeat, ...message }, place) => ({
    place,
    ...message,
    ...content,
    ...repeat,
    ...addressee,
  }));
  // Messages of a number may come through several binds and processes at once. Locked in one order.
  await trx.raw(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended('inbound ' || phone, 0) as key from unnest(?::text[]) as p(phone) order by key
     ) as keys`,
    [rows.map(({ phone }) => phone)],
  );
  const { rows: stored } = await trx.raw<{ rows: { id: string; receivedAt: Date }[] }>(
    `insert into inbound_messages (id, team_id, product, service_id, connector, phone, recipient, kind, text, media,
       missing_parts, request_id, identity, received_at)
     select id, "teamId", product, "serviceId", connector, phone, sender, kind, text, media, "missingParts", "requestId", identity,
       service_clock() + place * interval '1 microsecond'
     from (
       select *, row_number() over (partition by identity order by place) as nth, lag(identity) over of_number as before
       from json_to_recordset(?::json) as m(place integer, id uuid, "teamId" text, product text, "serviceId" text,
         connector text, phone text, sender text, kind text, text text, media jsonb, "missingParts" smallint,
         "requestId" uuid, identity text, "withinSeconds" integer)
       window of_number as (partition by "teamId", product, "serviceId", phone order by place)
     ) as m
     where case
       when "withinSeconds" is null
         then nth = 1 and not exists (select from inbound_messages b where b.identity = m.identity)
       else "withinSeconds" = 0 or identity is distinct from coalesce(before, (${lastOne}))
     end
     order by place
     returning id, received_at as "receivedAt"`,
    [JSON.stringify(rows)],
  );
  const receivedAt = new Map(stored.map((one) => [one.id, one.receivedAt]));
  const heard = messages.flatMap(({ id, product, phone, content, missingParts, addressee, repeat }) => {
    const repeated = !receivedAt.has(id);
    if (repeated && repeat.withinSeconds === null) return [];
    const { media = null, ...rest } = content;
    const message = { id, product, phone, ...rest, media, missingParts, ...addressee };
    return [{ ...message, recipient: addressee.sender, keyword: null, repeated }];
  });
  const received = heard.flatMap(({ repeated: _repeated, ...message }) => {
    const at = receivedAt.get(message.id);
    return at === undefined ? [] : [{ ...message, receivedAt: at }];
  });
  return { received, heard };
}

/** Notes which words were acted upon, by the ids of their messages. */
export async function noteKeywords(trx: Knex.Transaction, words: ReadonlyMap<string, string>): Promise<void> {
  if (words.size === 0) return;
  await trx.raw(
    `update inbound_messages m set keyword = word.keyword
     from json_to_recordset(?::json) as word(id uuid, keyword text) where m.id = word.id`,
    [JSON.stringify([...words].map(([id, keyword]) => ({ id, keyword })))],
  );
}
