/** Keeps which names are those of one person, and which number has another owner now. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';

export interface PersonName {
  /** A keyed hash of the name. */
  hash: string;
  kind: 'Number' | 'User' | 'Parent';
  /** E.164, or the network's id. */
  name: string;
}

/** Names that a network showed to be those of one person. */
export interface Person {
  connector: string;
  /** Ids first. */
  names: readonly PersonName[];
  /** The network says that some of them are former ones. */
  isChange: boolean;
}

/** Those of which not all names are known as one person's, or were not seen for a day. */
export async function findNews(knex: Knex, persons: readonly Person[]): Promise<Person[]> {
  const { rows } = await knex.raw<{ rows: { place: number }[] }>(
    `select place::integer from (
       select place, count(*) as shown, count(n.person) as known, count(distinct n.person) as persons
       from json_to_recordset(?::json) as shown(place integer, hash text)
         left join person_names n on n.name_hash = shown.hash and n.name is not null
           and n.seen_at > service_now() - interval '1 day'
       group by place
     ) as compared where known < shown or persons > 1 order by place`,
    [JSON.stringify(persons.flatMap(({ names }, place) => names.map(({ hash }) => ({ place, hash }))))],
  );
  return rows.flatMap(({ place }) => persons[place] ?? []);
}

/** News of people is stored one call at a time: two may be about the same person. */
export async function lockPersons(trx: Knex.Transaction): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('person names', 0))`);
}

/**
 * Stores that all names are those of one person, who may be known by one of them already. The exception is the number of somebody
 * whom the network knows by another id: it has a new owner, and the former one keeps what they opted out of.
 */
export async function savePerson(trx: Knex.Transaction, shown: Person): Promise<void> {
  const { connector, names, isChange } = shown;
  const known = await findKnown(trx, shown);
  // Who changes a name is known by the former one, whatever else the network knows them by.
  const own = isChange ? known[0] : known.find(({ isOthers }) => !isOthers);
  const person = own?.person ?? randomUUID();
  // Without an id of their own nothing says that they are not who has the number: the change is told late.
  const isSomebody = own?.hasId === true || names.some(({ kind }) => kind === 'User');
  for (const { hash, person: other, isOthers } of known) {
    if (other === person) continue;
    if (isOthers && isSomebody) await leave(trx, hash, other, person);
    else await trx('person_names').where({ person: other }).update({ person });
  }
  await trx.raw(
    `insert into person_names (name_hash, person, kind, connector, name)
     select hash, ?, kind, ?, name from json_to_recordset(?::json) as n(hash text, kind text, name text)
     on conflict (name_hash) do update set name = excluded.name, seen_at = excluded.seen_at`,
    [person, connector, JSON.stringify(names)],
  );
}

interface Known {
  hash: string;
  person: string;
  /** The network has an id for its owner. */
  hasId: boolean;
  /** It is a number, and that is another id. */
  isOthers: boolean;
}

/** In the order of the names. */
async function findKnown(trx: Knex.Transaction, { connector, names }: Person): Promise<Known[]> {
  const { rows } = await trx.raw<{ rows: Known[] }>(
    `select n.name_hash as hash, n.person, cardinality(ids) > 0 as "hasId",
       n.kind = 'Number' and not ids <@ :hashes::text[] as "isOthers"
     from person_names n cross join lateral (
         select array(
           select o.name_hash from person_names o
           where o.person = n.person and o.kind = 'User' and o.connector = :connector
         ) as ids
       ) as of_owner
     where n.name_hash = any(:hashes::text[])
     order by array_position(:hashes::text[], n.name_hash)`,
    { connector, hashes: names.map(({ hash }) => hash) },
  );
  return rows;
}

/** The number goes to another person. Who had it keeps its opt-outs, under a name that is left to them. */
async function leave(trx: Knex.Transaction, hash: string, former: string, person: string): Promise<void> {
  await trx.raw(
    `with gone as (update person_names set person = :person where name_hash = :hash)
     insert into opt_outs (phone_hash, phone, product, team_id, service_id, target, source, created_at)
     select kept.name_hash, kept.name, o.product, o.team_id, o.service_id, o.target, o.source, o.created_at
     from opt_outs o cross join (
         select name_hash, name from person_names where person = :former and name_hash <> :hash
         order by kind = 'User' desc, seen_at desc, name_hash limit 1
       ) as kept
     where o.phone_hash = :hash and o.product = 'chatapp'
     on conflict on constraint opt_outs_of_phone do nothing`,
    { hash, former, person },
  );
}
