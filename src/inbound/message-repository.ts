/** Stores messages of phones, each once. */
import type { Knex } from 'knex';
import type { Addressee, Received, Whole } from './message.ts';

/** Returns those that were not stored before. */
export async function insertMessages(
  trx: Knex.Transaction,
  messages: readonly (Whole & { addressee: Addressee })[],
): Promise<Received[]> {
  if (messages.length === 0) return [];
  const rows = messages.map(({ addressee, content, repeat, ...message }, place) => ({
    ...{ place, ...message, ...content, ...repeat, ...addressee },
  }));
  // Repetitions may come through several binds and processes at once. Locked in one order.
  await trx.raw(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended('inbound ' || identity, 0) as key from unnest(?::text[]) as i(identity) order by key
     ) as keys`,
    [rows.flatMap(({ identity }) => identity ?? [])],
  );
  const { rows: stored } = await trx.raw<{ rows: { id: string; receivedAt: Date }[] }>(
    `insert into inbound_messages (id, team_id, product, service_id, connector, phone, recipient, kind, text, media,
       missing_parts, request_id, identity, received_at)
     select id, "teamId", product, "serviceId", connector, phone, sender, kind, text, media, "missingParts", "requestId", identity,
       service_clock()
     from (
       select *, row_number() over (partition by coalesce(identity, id::text) order by place) as repetition
       from json_to_recordset(?::json) as m(place integer, id uuid, "teamId" text, product text, "serviceId" text,
         connector text, phone text, sender text, kind text, text text, media jsonb, "missingParts" smallint,
         "requestId" uuid, identity text, "withinSeconds" integer)
     ) as m
     where repetition = 1 and not exists (
       select from inbound_messages b where b.identity = m.identity
         and (m."withinSeconds" is null or b.received_at > service_now() - m."withinSeconds" * interval '1 second')
     )
     order by place
     returning id, received_at as "receivedAt"`,
    [JSON.stringify(rows)],
  );
  const receivedAt = new Map(stored.map((one) => [one.id, one.receivedAt]));
  return messages.flatMap(({ id, product, phone, content, missingParts, addressee }) => {
    const at = receivedAt.get(id);
    if (at === undefined) return [];
    const { media = null, ...rest } = content;
    const received = { id, product, phone, ...rest, media, missingParts, ...addressee };
    return [{ ...received, recipient: addressee.sender, keyword: null, receivedAt: at }];
  });
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
