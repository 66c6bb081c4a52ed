/** Keeps which number a person has whom a network also knows by an id of its own. */
import type { Knex } from 'knex';

export interface Identity {
  connector: string;
  /** A keyed hash of the network's id. */
  userKey: string;
  /** E.164. */
  phone: string;
}

/** Those that are not known so, or were not seen for a day. */
export async function findNews(knex: Knex, identities: readonly Identity[]): Promise<Identity[]> {
  const { rows } = await knex.raw<{ rows: Identity[] }>(
    `select distinct on (g.connector, g."userKey") g.connector, g."userKey", g.phone
     from json_to_recordset(?::json) as g(connector text, "userKey" text, phone text)
     where not exists (
       select from network_identities n where n.connector = g.connector and n.user_key = g."userKey"
         and n.phone = g.phone and n.seen_at > service_now() - interval '1 day'
     )
     order by g.connector, g."userKey"`,
    [JSON.stringify(identities)],
  );
  return rows;
}

/** Whoever stores what such a person said waits until it is known whose it is, and the other way round. Locked in one order. */
export async function lockPersons(
  trx: Knex.Transaction,
  persons: readonly Pick<Identity, 'connector' | 'userKey'>[],
): Promise<void> {
  await trx.raw(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended('inbound user ' || person, 0) as key from unnest(?::text[]) as p(person) order by key
     ) as keys`,
    [persons.map(({ connector, userKey }) => `${connector} ${userKey}`)],
  );
}

export async function saveIdentities(trx: Knex.Transaction, identities: readonly Identity[]): Promise<void> {
  await trx.raw(
    `insert into network_identities (connector, user_key, phone)
     select connector, "userKey", phone
     from json_to_recordset(?::json) as g(connector text, "userKey" text, phone text)
     on conflict (connector, user_key) do update set phone = excluded.phone, seen_at = excluded.seen_at`,
    [JSON.stringify(identities)],
  );
}

/** Those of the persons whose numbers are known. */
export async function findIdentities(
  knex: Knex,
  connector: string,
  userKeys: readonly string[],
): Promise<Identity[]> {
  if (userKeys.length === 0) return [];
  return knex('network_identities')
    .where({ connector })
    .whereIn('user_key', [...new Set(userKeys)])
    .orderBy('user_key')
    .select('connector', 'phone', { userKey: 'user_key' });
}
