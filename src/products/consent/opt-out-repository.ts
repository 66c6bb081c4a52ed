/** Stores who opted out, by a keyed hash of the phone number or user id, and finds the messages that must not be sent. */
import type { Knex } from 'knex';
import { cached } from '../../platform/concurrency/cache.ts';
import { runStatement } from '../../platform/db/statement.ts';
import type { Addressed, FindOptedOut, OptOut, OptOutScope, OptOutSource, OptOutTarget } from './opt-out.ts';

/** The hash of a number; a hash stays as it is. */
export type HashPhone = (phone: string) => string;

/** SQL: the other names of the person who has this one. People have several in chat apps only. */
const otherNames = (hash: string) => `
  select other.name_hash from person_names mine join person_names other on other.person = mine.person
  where mine.name_hash = ${hash} and other.name_hash <> mine.name_hash`;

/**
 * Number by number, which `offset 0` enforces: a planner that knows little of the table would read all of it.
 * AUTHENTICATION and UTILITY pass MARKETING.
 */
export const optedOutText = `select asked.id
  from json_to_recordset($1::json) as asked(id text, phone_hash text, product text, team_id text, service_id text, category text)
    cross join lateral (
      select * from opt_outs o where o.phone_hash = asked.phone_hash
      union all select o.* from (${otherNames('asked.phone_hash')} and asked.product = 'chatapp') n
        cross join lateral (select * from opt_outs o where o.phone_hash = n.name_hash offset 0) o
      offset 0
    ) o
  where o.product = asked.product
    and (o.team_id is null or o.team_id = asked.team_id)
    and (o.service_id is null or o.service_id = asked.service_id)
    and (o.target = 'ALL' or asked.category = 'MARKETING')`;

/** The ids of those messages whose recipients have opted out. One look-up, by an index, for all of them. */
export async function findOptedOut(
  knex: Knex,
  messages: readonly Addressed[],
  hashPhone: HashPhone,
): Promise<Set<string>> {
  const asked = messages
    .filter(({ product, confirmation }) => product !== 'data' && confirmation !== true)
    .map(({ id, product, phone, teamId, serviceId, category }) => ({
      id,
      product,
      category,
      phone_hash: hashPhone(phone),
      team_id: teamId,
      service_id: serviceId,
    }));
  if (asked.length === 0) return new Set();
  const rows = await runStatement<{ id: string }>(knex, {
    text: optedOutText,
    values: [JSON.stringify(asked)],
  });
  return new Set(rows.map(({ id }) => id));
}

/** So long a process may take a list for empty that another one has written to. */
const emptyMs = 500;
/** After so long it looks again whether a list has become empty. */
const filledMs = 60_000;
/** By then what this process has added is committed. */
const commitMs = 10_000;

/** When this process last began to add entries, by `performance.now()`. */
let addedMs = Number.NEGATIVE_INFINITY;

/**
 * The same, but while the whole list is empty nothing is hashed or looked up. An entry counts at once in the process that
 * adds it, and half a second later in the others.
 */
export function createFindOptedOut(knex: Knex, hashPhone: HashPhone): FindOptedOut {
  const isEmpty = cached(
    async () => {
      const [row] = await runStatement<{ filled: boolean }>(knex, {
        name: 'any opt-out',
        text: 'select exists(select from opt_outs) as filled',
        values: [],
      });
      return row?.filled === false;
    },
    { lifetimeMs: emptyMs, limitEntries: 1, clock: { elapsedMs: () => performance.now() } },
  );
  let filledUntilMs = 0;
  return async (messages) => {
    const nowMs = performance.now();
    if (nowMs >= filledUntilMs) {
      if (nowMs - addedMs > commitMs && (await isEmpty())) return new Set();
      filledUntilMs = nowMs + filledMs;
    }
    return findOptedOut(knex, messages, hashPhone);
  };
}

/** A number in E.164 form or a user id, with what it opts out of. */
export type NewOptOut = OptOutScope & { phone: string; target: OptOutTarget; source: OptOutSource };

/** Adds numbers of one scope. Returns the hashes of those that were new. */
export async function addOptOuts(
  knex: Knex,
  phones: readonly string[],
  scope: Omit<NewOptOut, 'phone'>,
  hashPhone: HashPhone,
): Promise<string[]> {
  return addEntries(
    knex,
    phones.map((phone) => ({ ...scope, phone })),
    hashPhone,
  );
}

/**
 * Adds entries, each once. Returns the hashes of those that were new; MARKETING becomes ALL, but never the other way round.
 * Sorted by their keys, so that two lists with the same entries wait for each other instead of deadlocking.
 */
export async function addEntries(
  knex: Knex,
  entries: readonly NewOptOut[],
  hashPhone: HashPhone,
): Promise<string[]> {
  addedMs = performance.now();
  const rows = entries.map(({ teamId, serviceId, ...entry }) => ({
    ...entry,
    hash: hashPhone(entry.phone),
    team_id: teamId,
    service_id: serviceId,
  }));
  const added = await runStatement<{ hash: string }>(knex, {
    text: `insert into opt_outs as o (phone_hash, phone, product, team_id, service_id, target, source)
      select distinct on (hash collate "C", product, team_id collate "C", service_id collate "C", source)
        hash, phone, product, team_id, service_id, target, source
      from json_to_recordset($1::json) as given(hash text, phone text, product text, team_id text,
        service_id text, target text, source text)
      order by hash collate "C", product, team_id collate "C", service_id collate "C", source, target
      on conflict on constraint opt_outs_of_phone do update
        set phone = excluded.phone, target = case when 'ALL' in (o.target, excluded.target) then 'ALL' else o.target end
        where o.phone is null or o.target = 'MARKETING' and excluded.target = 'ALL'
      returning phone_hash as hash`,
    values: [JSON.stringify(rows)],
  });
  return added.map(({ hash }) => hash);
}

/** An entry that is no more. */
export type RemovedOptOut = Pick<OptOut, 'serviceId' | 'target' | 'source' | 'createdAt'> & {
  /** The hash of the name that was asked for. */
  phone: string;
};

/**
 * Removes the entries of a team, or of the platform (null), from every source or only from one, under all names of the people.
 * `serviceId` null: those of the team and of all its services.
 */
export async function removeOptOuts(
  knex: Knex,
  phones: readonly string[],
  { product, teamId, serviceId }: OptOutScope,
  hashPhone: HashPhone,
  source?: OptOutSource,
): Promise<RemovedOptOut[]> {
  return runStatement<RemovedOptOut>(knex, {
    text: `with named as materialized (
        select hash, hash as asked from unnest($1::text[]) as hash
        union select n.name_hash, hash from unnest($1::text[]) as hash
          cross join lateral (${otherNames('hash')} and $2 = 'chatapp') n
      ), locked as materialized (
        select id from opt_outs
        where phone_hash = any(array(select hash from named)) and product = $2 and team_id is not distinct from $3
          and ($4::text is null or service_id = $4) and ($5::text is null or source = $5)
        order by phone_hash collate "C", service_id collate "C", source for update
      ), removed as (
        delete from opt_outs where id in (select id from locked) returning *
      )
      select distinct on (removed.id) asked as phone, service_id as "serviceId", target, source, created_at as "createdAt"
      from removed join named on named.hash = phone_hash order by removed.id, (asked <> hash)`,
    values: [phones.map(hashPhone), product, teamId, serviceId, source ?? null],
  });
}

/** Which entries a list shows. */
export interface OptOutFilter {
  /** Undefined: those of every team and of the platform. */
  teamId?: string | undefined;
  phoneHash?: string | undefined;
}

/** Newest first, behind the entry with the id `after`. */
export async function listOptOuts(
  knex: Knex,
  { teamId, phoneHash }: OptOutFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<OptOut[]> {
  const rows = knex('opt_outs')
    .select<OptOut[]>('id', 'phone', 'product', 'target', 'source', {
      teamId: 'team_id',
      serviceId: 'service_id',
      createdAt: 'created_at',
    })
    .orderBy('id', 'desc')
    .limit(limit);
  if (teamId !== undefined) rows.where({ team_id: teamId });
  // As one list of names: for alternatives the planner reads every entry.
  if (phoneHash !== undefined)
    rows.whereRaw(
      `phone_hash = any(array(select ?::text union all ${otherNames('?')}))
       and (phone_hash = ? or product = 'chatapp')`,
      [phoneHash, phoneHash, phoneHash],
    );
  if (after !== undefined) rows.where('id', '<', after);
  return rows;
}

/** Erases names from their entries, which go on working. `teamId` undefined: from those of all teams. Returns how many. */
export async function eraseOptOutPhones(
  knex: Knex,
  hashes: readonly string[],
  teamId: string | undefined,
): Promise<number> {
  const own = knex('opt_outs')
    .whereIn('phone_hash', [...hashes])
    .whereNotNull('phone');
  if (teamId !== undefined) own.where({ team_id: teamId });
  return own.update({ phone: null });
}

/** Whether a team has this service. */
export async function hasService(
  knex: Knex,
  product: OptOut['product'],
  teamId: string,
  serviceId: string,
): Promise<boolean> {
  const table = product === 'sms' ? 'services' : 'chatapp_services';
  return (await knex(table).where({ id: serviceId, team_id: teamId }).first('id')) !== undefined;
}
