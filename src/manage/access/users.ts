/** Manages users: people and programs that manage the service, each with a role and an access key. */
import type { Knex } from 'knex';
import { changeable, fixed, kept } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Management } from '../management.ts';
import { resource } from '../resource.ts';
import { nameFaults, type Role, roles } from '../rules.ts';
import { generateAccessKey, parseAccessKey } from './access-key.ts';

/** Reviewing is for the platform: no team approves its own templates. */
const rolesOfTeams = roles.filter((role) => role !== 'reviewer').join(', ');

/** Keys are newest first; two are valid during a rotation. */
const mostKeys = 2;

export const users = resource({
  noun: 'user',
  table: 'users',
  key: 'id',
  owner: 'teamId',
  properties: {
    id: fixed<string>(),
    name: changeable<string>({ initially: (id) => id }),
    /** Null: manages the whole platform. */
    teamId: fixed<string | null>(),
    role: changeable<Role>(),
    /** Keyed hashes of its access keys, the newest first. */
    keyHashes: kept<readonly string[]>(),
    /** False ends all access keys: enabled again, the user needs a new one. */
    enabled: changeable<boolean>({ initially: true }),
    /** What the OpenID Connect provider calls this person. Null: they sign in with an access key only. */
    ssoName: changeable<string | null>({ initially: null }),
    createdAt: kept<Date>(),
  },
  settle: ({ enabled }) => (enabled ? {} : { keyHashes: [] }),
  check: async (after, { trx, management: { team }, before }) => {
    const { id, name, role, teamId, ssoName } = after;
    return [
      ...nameFaults(name),
      ...(ssoName === (before?.ssoName ?? null) ? [] : await ssoNameFaults(trx, team, after)),
      ...(role === 'reviewer' && teamId !== null ? [faults.fieldRule('role', `one of ${rolesOfTeams}`)] : []),
      ...(teamId === null && team !== undefined ? [faults.fieldRule('teamId', `the team ${team}`)] : []),
      ...(before !== undefined && isPlatformOwner(before) && !isPlatformOwner(after)
        ? await otherOwnerFaults(trx, id)
        : []),
    ];
  },
  view: ({ keyHashes, ...user }) => ({ ...user, accessKeys: keyHashes.length }),
});

/** A user without its keys. */
export type User = ReturnType<(typeof users)['view']>;

/** `accessKey` is shown once: the database keeps a keyed hash of it. */
export async function createUser(
  management: Management,
  given: Parameters<typeof users.create>[1],
): Promise<{ user: User; accessKey: string }> {
  const { accessKey, hash } = generateAccessKey(given.id, await management.secrets());
  return { user: await users.create(management, given, { keyHashes: [hash] }), accessKey };
}

type Owner = Record<'role', Role> & { teamId: string | null; enabled: boolean };

const isPlatformOwner = ({ teamId, role, enabled }: Owner) => teamId === null && role === 'owner' && enabled;

/** Any numbers that nothing else in this database takes as an advisory lock. */
const ownersLock = 7_411_002;
const ssoNamesLock = 7_411_004;

/** Teams do not set it: they could claim a person of another team. Until the transaction ends, nobody else asks. */
async function ssoNameFaults(
  trx: Knex.Transaction,
  team: string | undefined,
  { id, ssoName }: { id: string; ssoName: string | null },
): Promise<Fault[]> {
  if (team !== undefined) return [faults.notAllowedHere('ssoName', 'users of a team')];
  if (ssoName === null) return [];
  await trx.raw('select pg_advisory_xact_lock(?)', [ssoNamesLock]);
  const other = await trx('users').where({ sso_name: ssoName }).whereNot({ id }).first('id');
  return other === undefined ? [] : [faults.ssoNameTaken(ssoName, other.id)];
}

/** Without an owner nobody could add one over the management API. Until the transaction ends, nobody else asks. */
async function otherOwnerFaults(trx: Knex.Transaction, id: string): Promise<Fault[]> {
  await trx.raw('select pg_advisory_xact_lock(?)', [ownersLock]);
  const other = await trx('users')
    .where({ role: 'owner', enabled: true, team_id: null })
    .whereNot({ id })
    .first('id');
  return other === undefined ? [faults.lastOwner()] : [];
}

/** Adds an access key. The former one stays valid until it is revoked, or until the next rotation. */
export async function rotateUserKey(
  management: Management,
  id: string,
  version?: string,
): Promise<{ user: User; accessKey: string }> {
  const { accessKey, hash } = generateAccessKey(id, await management.secrets());
  const user = await users.update(management, id, { action: 'rotate key', version }, ({ keyHashes }) => ({
    keyHashes: [hash, ...keyHashes].slice(0, mostKeys),
  }));
  return { user, accessKey };
}

/** Only the newest access key stays valid. */
export async function revokeFormerUserKey(
  management: Management,
  id: string,
  version?: string,
): Promise<User> {
  return users.update(management, id, { action: 'revoke former key', version }, ({ keyHashes }) => ({
    keyHashes: keyHashes.slice(0, 1),
  }));
}

interface Keys {
  knex: Management['knex'];
  secrets: Secrets;
}

/** The enabled user with this access key; undefined if there is none. */
export async function userOfKey(keys: Keys, key: string): Promise<User | undefined> {
  return (await userAndHashOfKey(keys, key))?.user;
}

/** The same, with the hash that the database keeps of the key. */
export async function userAndHashOfKey(
  { knex, secrets }: Keys,
  key: string,
): Promise<{ user: User; keyHash: string } | undefined> {
  const parsed = parseAccessKey(key);
  if (parsed === undefined) return undefined;
  const user = await users.rows.find(knex, parsed.userId);
  const hashes = user?.keyHashes ?? [];
  const valid = secrets.matches(parsed.secret, hashes) && user?.enabled;
  const keyHash = valid ? hashes.find((hash) => secrets.matches(parsed.secret, [hash])) : undefined;
  return user === undefined || keyHash === undefined ? undefined : { user: users.view(user), keyHash };
}

/** The enabled user whom the OpenID Connect provider calls this; undefined if there is none. */
export async function userOfSsoName(knex: Management['knex'], ssoName: string): Promise<User | undefined> {
  const [user] = await users.rows.list(knex, { where: { ssoName } });
  return user?.enabled ? users.view(user) : undefined;
}
