/** Manages users: people and programs that manage the service, each with a role and an access key. */
import type { Knex } from 'knex';
import type { Secrets } from '../../clients/secrets.ts';
import { type Fault, faults, ManagementError, requireNone } from '../../errors/management.ts';
import type { Management, TeamPage } from '../management.ts';
import { changeResource, createResource, getResource, listedTeam, type ResourceKind } from '../resource.ts';
import { choiceFaults, type Role, roles, rules, textFaults } from '../rules.ts';
import { generateAccessKey, parseAccessKey } from './access-key.ts';
import {
  findUser,
  insertUser,
  listUsers as listStored,
  lockPlatformOwners,
  type StoredUser,
  updateUser,
} from './user-repository.ts';

/** A user without its keys. */
export interface User extends Omit<StoredUser, 'keyHashes'> {
  /** How many access keys are valid. */
  keys: number;
}

const kind: ResourceKind<StoredUser, User> = {
  noun: 'user',
  table: 'users',
  key: 'id',
  find: findUser,
  teamOf: ({ teamId }) => teamId,
  view: ({ keyHashes, ...user }) => ({ ...user, keys: keyHashes.length }),
};

/** Keys are newest first; two are valid during a rotation. */
const mostKeys = 2;

export interface NewUser {
  id: string;
  role: Role;
  /** Null: manages the whole platform. */
  teamId: string | null;
  /** The id if omitted. */
  name?: string | undefined;
}

/** `key` is shown once: the database keeps a keyed hash of it. */
export async function createUser(
  management: Management,
  { id, role, teamId, name = id }: NewUser,
): Promise<{ user: User; key: string }> {
  const { key, hash } = generateAccessKey(id, await management.secrets());
  const user = await createResource(management, kind, {
    id,
    team: teamId,
    faults: [
      ...editFaults({ name, role }, teamId),
      ...(teamId === null && management.team !== undefined
        ? [faults.fieldRule('teamId', `the team ${management.team}`)]
        : []),
    ],
    insert: (trx) => insertUser(trx, { id, name, teamId, role, keyHashes: [hash], enabled: true }),
  });
  return { user, key };
}

export async function getUser(management: Management, id: string): Promise<User> {
  return kind.view(await getResource(management, kind, id));
}

export interface UserEdit {
  name?: string | undefined;
  role?: Role | undefined;
  /** False ends all access keys: enabled again, the user needs a new one. */
  enabled?: boolean | undefined;
}

export async function changeUser(
  management: Management,
  id: string,
  edit: UserEdit,
  version?: string,
): Promise<User> {
  return changeResource(management, kind, id, { action: 'change', version }, async (before, trx) => {
    requireNone(editFaults(edit, before.teamId));
    const after = {
      ...before,
      name: edit.name ?? before.name,
      role: edit.role ?? before.role,
      enabled: edit.enabled ?? before.enabled,
      keyHashes: edit.enabled === false ? [] : before.keyHashes,
    };
    if (isPlatformOwner(before) && !isPlatformOwner(after)) await requireOtherOwner(trx, id);
    await updateUser(trx, after);
  });
}

const isPlatformOwner = ({ teamId, role, enabled }: StoredUser) =>
  teamId === null && role === 'owner' && enabled;

/** Without an owner nobody could add one over the management API. */
async function requireOtherOwner(trx: Knex.Transaction, id: string): Promise<void> {
  const owners = await lockPlatformOwners(trx);
  if (owners.every((owner) => owner === id)) throw new ManagementError([faults.lastOwner()]);
}

/** Adds an access key. The former one stays valid until it is revoked, or until the next rotation. */
export async function rotateUserKey(
  management: Management,
  id: string,
  version?: string,
): Promise<{ user: User; key: string }> {
  const { key, hash } = generateAccessKey(id, await management.secrets());
  const user = await changeResource(management, kind, id, { action: 'rotate key', version }, (before, trx) =>
    updateUser(trx, { ...before, keyHashes: [hash, ...before.keyHashes].slice(0, mostKeys) }),
  );
  return { user, key };
}

/** Only the newest access key stays valid. */
export async function revokeFormerUserKey(
  management: Management,
  id: string,
  version?: string,
): Promise<User> {
  return changeResource(management, kind, id, { action: 'revoke former key', version }, (before, trx) =>
    updateUser(trx, { ...before, keyHashes: before.keyHashes.slice(0, 1) }),
  );
}

export async function listUsers(management: Management, { team, ...page }: TeamPage = {}): Promise<User[]> {
  const teamId = await listedTeam(management, team);
  return (await listStored(management.knex, { teamId, ...page })).map(kind.view);
}

/** The enabled user with this access key; undefined if there is none. */
export async function userOfKey(
  { knex, secrets }: { knex: Management['knex']; secrets: Secrets },
  key: string,
): Promise<User | undefined> {
  const parsed = parseAccessKey(key);
  if (parsed === undefined) return undefined;
  const user = await findUser(knex, parsed.userId);
  const valid = secrets.matches(parsed.secret, user?.keyHashes ?? []) && user?.enabled;
  return user !== undefined && valid ? kind.view(user) : undefined;
}

/** Reviewing is for the platform: no team approves its own templates. */
function editFaults({ name, role }: UserEdit, teamId: string | null): Fault[] {
  const allowed = teamId === null ? roles : roles.filter((one) => one !== 'reviewer');
  return [...textFaults('name', name, rules.name), ...choiceFaults('role', role, allowed)];
}
