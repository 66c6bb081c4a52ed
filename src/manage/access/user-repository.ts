/** Stores users: people and programs that manage the service. */
import type { Knex } from 'knex';
import { insertNew } from '../../db/insert.ts';
import type { Role } from '../rules.ts';

export interface StoredUser {
  id: string;
  name: string;
  /** Null: manages the whole platform. */
  teamId: string | null;
  role: Role;
  /** Keyed hashes of its access keys, the newest first. */
  keyHashes: readonly string[];
  enabled: boolean;
  createdAt: Date;
}

export async function findUser(knex: Knex, id: string): Promise<StoredUser | undefined> {
  return users(knex).where({ id }).first();
}

/** In the order of their ids. */
export async function listUsers(
  knex: Knex,
  {
    teamId,
    after,
    limit,
  }: { teamId: string | undefined; after?: string | undefined; limit?: number | undefined },
): Promise<StoredUser[]> {
  return users(knex)
    .modify((query) => {
      if (teamId !== undefined) query.where({ team_id: teamId });
      if (after !== undefined) query.where('id', '>', after);
      if (limit !== undefined) query.limit(limit);
    })
    .orderBy('id');
}

/** False when the id is taken. */
export async function insertUser(knex: Knex, user: Omit<StoredUser, 'createdAt'>): Promise<boolean> {
  return insertNew(knex, 'users', { id: user.id, team_id: user.teamId, ...columnsOf(user) });
}

/** Stores all of a user but its id and team. */
export async function updateUser(knex: Knex, user: Omit<StoredUser, 'createdAt'>): Promise<void> {
  await knex('users').where({ id: user.id }).update(columnsOf(user));
}

/** Any number that nothing else in this database takes as an advisory lock. */
const ownersLock = 7_411_002;

/** The enabled owners of the platform. Until the transaction ends, no other one gets this list. */
export async function lockPlatformOwners(trx: Knex.Transaction): Promise<string[]> {
  await trx.raw('select pg_advisory_xact_lock(?)', [ownersLock]);
  return trx('users').where({ role: 'owner', enabled: true }).whereNull('team_id').pluck('id');
}

function columnsOf({ name, role, keyHashes, enabled }: Omit<StoredUser, 'createdAt'>) {
  return { name, role, key_hashes: JSON.stringify(keyHashes), enabled };
}

function users(knex: Knex) {
  return knex('users').select(
    'id',
    'name',
    'team_id as teamId',
    'role',
    'key_hashes as keyHashes',
    'enabled',
    'created_at as createdAt',
  );
}
