/** Stores the sessions of the console. A session that has ended is not found, whether or not its row is still there. */
import type { Knex } from 'knex';
import type { Role } from '../../manage/rules.ts';

/** What a session was opened with, and depends on: the keyed hash of an access key, or a name at the provider. */
export type OpenedWith = { keyHash: string; ssoName: null } | { keyHash: null; ssoName: string };

export interface NewSession {
  idHash: string;
  userId: string;
  openedWith: OpenedWith;
  /** The IP address. */
  address: string;
  /** The User-Agent header. */
  browser: string;
}

export interface StoredSession {
  userId: string;
  userName: string;
  /** Null: a user of the platform. */
  teamId: string | null;
  role: Role;
  viewedTeam: string | null;
  timeZone: string | null;
  ssoName: string | null;
  usedAt: Date;
  /** Not touched for a minute. */
  untouched: boolean;
}

export interface SignIn {
  idHash: string;
  address: string;
  browser: string;
  viaSso: boolean;
  createdAt: Date;
  usedAt: Date;
}

export const idleMinutes = 30;
export const longestHours = 12;
/** The user's oldest ones end when another is opened. */
const mostSessionsOfUser = 20;

/** A session and its user, while the user still has what the session depends on. */
const live = `
  from console_sessions s join users u on u.id = s.user_id and u.enabled
    and (u.sso_name = s.sso_name or u.key_hashes @> to_jsonb(s.key_hash))
  where s.used_at > service_now() - interval '${idleMinutes} minutes'
    and s.created_at > service_now() - interval '${longestHours} hours'`;

export async function insertSession(trx: Knex.Transaction, session: NewSession): Promise<void> {
  const { idHash, userId, openedWith, address, browser } = session;
  await trx('console_sessions').insert({
    id_hash: idHash,
    user_id: userId,
    key_hash: openedWith.keyHash,
    sso_name: openedWith.ssoName,
    address,
    browser,
  });
  await trx.raw(
    `delete from console_sessions where id_hash in (
       select id_hash from console_sessions where user_id = ? order by created_at desc, id_hash offset ?)`,
    [userId, mostSessionsOfUser],
  );
}

export async function findSession(knex: Knex, idHash: string): Promise<StoredSession | undefined> {
  const { rows } = await knex.raw<{ rows: StoredSession[] }>(
    `select u.id as "userId", u.name as "userName", u.team_id as "teamId", u.role, u.time_zone as "timeZone",
       s.viewed_team as "viewedTeam", s.sso_name as "ssoName", s.used_at as "usedAt",
       s.used_at < service_now() - interval '1 minute' as untouched
     ${live} and s.id_hash = ?`,
    [idHash],
  );
  return rows[0];
}

export async function touchSession(knex: Knex, idHash: string): Promise<void> {
  await knex('console_sessions')
    .where({ id_hash: idHash })
    .update({ used_at: knex.raw('service_now()') });
}

/** Returns whether it was there. */
export async function deleteSession(knex: Knex, idHash: string): Promise<boolean> {
  return (await knex('console_sessions').where({ id_hash: idHash }).delete()) > 0;
}

/** Returns how many there were. */
export async function deleteSessionsOf(knex: Knex, userId: string): Promise<number> {
  return knex('console_sessions').where({ user_id: userId }).delete();
}

/** The newest first. */
export async function signInsOf(knex: Knex, userId: string): Promise<SignIn[]> {
  const { rows } = await knex.raw<{ rows: SignIn[] }>(
    `select s.id_hash as "idHash", s.address, s.browser, s.sso_name is not null as "viaSso",
       s.created_at as "createdAt", s.used_at as "usedAt"
     ${live} and s.user_id = ? order by s.created_at desc, s.id_hash`,
    [userId],
  );
  return rows;
}

export async function setViewedTeam(knex: Knex, idHash: string, team: string | null): Promise<void> {
  await knex('console_sessions').where({ id_hash: idHash }).update({ viewed_team: team });
}

export async function setTimeZone(knex: Knex, userId: string, timeZone: string): Promise<void> {
  await knex('users').where({ id: userId }).update({ time_zone: timeZone });
}

const mostSearches = 20;

export async function addSearch(
  knex: Knex,
  idHash: string,
  search: { handle: string; sealed: string },
): Promise<void> {
  await knex.raw(
    `update console_sessions set searches = jsonb_path_query_array(
       jsonb_build_array(:search::jsonb) || searches, '$[0 to ${mostSearches - 1}]')
     where id_hash = :idHash`,
    { idHash, search: JSON.stringify(search) },
  );
}

/** Undefined once others have taken its place. */
export async function findSearch(knex: Knex, idHash: string, handle: string): Promise<string | undefined> {
  const row = await knex('console_sessions').where({ id_hash: idHash }).first('searches');
  const searches: { handle: string; sealed: string }[] = row?.searches ?? [];
  return searches.find((one) => one.handle === handle)?.sealed;
}

/** Deletes a batch of those that have ended; returns whether there may be more. */
export async function purgeSessions(knex: Knex, batch = 500): Promise<boolean> {
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    `delete from console_sessions where id_hash in (
       select id_hash from console_sessions
       where used_at < service_now() - interval '${idleMinutes} minutes' order by used_at limit ?)`,
    [batch],
  );
  return rowCount === batch;
}
