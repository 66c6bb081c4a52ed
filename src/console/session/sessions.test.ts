/** Sessions on a real database, whose time moves: how they begin, and what ends them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createUser,
  revokeFormerUserKey,
  rotateUserKey,
  userAndHashOfKey,
  users,
} from '../../manage/access/users.ts';
import { listAudit } from '../../manage/audit.ts';
import { type Managed, openManaged } from '../../manage/testing.ts';
import { createSessions, hashOf, type Session, type Sessions } from './sessions.ts';
import { stopViewing, viewTeam } from './viewing.ts';

let managed: Managed;
let sessions: Sessions;
let minutes = 0;
let user = 0;
let name: string;
let key: string;
const place = { address: '192.0.2.7', browser: 'Firefox' };

beforeAll(async () => {
  managed = await openManaged(process.env.DATABASE_URL);
  const { knex, clock } = managed.management;
  sessions = createSessions({
    knex,
    clock: { now: () => clock.now() + minutes * 60_000 },
    timeZone: 'Africa/Nairobi',
  });
  await knex('teams').insert({ id: 'acme', name: 'Acme' });
});
afterAll(() => managed.database.close());
beforeEach(async () => {
  await pass(-minutes);
  user += 1;
  name = `user-${user}`;
  const created = await createUser(managed.management, {
    id: name,
    teamId: null,
    role: 'admin',
    ssoName: name,
  });
  key = created.accessKey;
});

async function pass(more: number): Promise<void> {
  minutes += more;
  await managed.database.knex.raw(
    `create or replace function service_now() returns timestamptz language sql stable parallel safe
     as $body$ select now() + interval '${minutes} minutes' $body$`,
  );
}

async function signIn(former?: string): Promise<string> {
  const found = await userAndHashOfKey({ knex: managed.database.knex, secrets: managed.secrets }, key);
  if (found === undefined) throw new TypeError('The key is wrong.');
  return sessions.open(
    found.user,
    { keyHash: found.keyHash, ssoName: null },
    place,
    former && hashOf(former),
  );
}

async function signInBySso(): Promise<string> {
  const found = await users.get(managed.management, name);
  return sessions.open(found, { keyHash: null, ssoName: name }, place, undefined);
}

const isOpen = async (id: string, byPerson = false) => (await sessions.find(id, byPerson)) !== undefined;

async function require(id: string): Promise<Session> {
  const session = await sessions.find(id, true);
  if (session === undefined) throw new TypeError('The session has ended.');
  return session;
}

test('the database has no id of a session', async () => {
  const id = await signIn();
  expect(id).toMatch(/^[\w-]{43}$/);
  const rows = await managed.database.knex('console_sessions');
  expect(JSON.stringify(rows)).not.toContain(id);
  expect(await require(id)).toMatchObject({
    user: { id: name, teamId: undefined, role: 'admin' },
    viaSso: false,
    timeZone: 'Africa/Nairobi',
  });
});

describe('a session ends', () => {
  test('after 30 minutes without a person, whom pages that refresh themselves are not', async () => {
    const id = await signIn();
    await pass(29);
    expect(await isOpen(id)).toBe(true);
    expect(await isOpen(id, true)).toBe(true);
    await pass(29);
    expect(await isOpen(id, false)).toBe(true);
    await pass(2);
    expect(await isOpen(id, true)).toBe(false);
  });

  test('after 12 hours, however busy', async () => {
    const id = await signIn();
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      await pass(20);
      expect(await isOpen(id, true)).toBe(true);
    }
    await pass(20);
    expect(await isOpen(id, true)).toBe(false);
  });

  test('when the access key that opened it is withdrawn, and no other one', async () => {
    const withFormerKey = await signIn();
    key = (await rotateUserKey(managed.management, name)).accessKey;
    const withNewKey = await signIn();
    const bySso = await signInBySso();
    expect(await isOpen(withFormerKey)).toBe(true);
    await revokeFormerUserKey(managed.management, name);
    expect([await isOpen(withFormerKey), await isOpen(withNewKey), await isOpen(bySso)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test.each([
    ['is disabled', { enabled: false }, { enabled: true }],
    ['gets another role', { role: 'viewer' as const }, { role: 'admin' as const }],
  ])('when its user %s, also once that is taken back', async (_what, change, back) => {
    const ids = [await signIn(), await signInBySso()];
    await users.change(managed.management, name, change);
    expect(await Promise.all(ids.map((id) => isOpen(id)))).toEqual([false, false]);
    await users.change(managed.management, name, back);
    expect(await Promise.all(ids.map((id) => isOpen(id)))).toEqual([false, false]);
  });

  test('when the provider has another name for its user, or none, also once that is taken back', async () => {
    for (const ssoName of [`${name}@example.com`, null]) {
      const ids = [await signInBySso(), await signIn()];
      await users.change(managed.management, name, { ssoName });
      expect(await Promise.all(ids.map((id) => isOpen(id)))).toEqual([false, true]);
      await users.change(managed.management, name, { ssoName: name });
      expect(await Promise.all(ids.map((id) => isOpen(id)))).toEqual([false, true]);
    }
  });

  test('when its browser signs in again', async () => {
    const former = await signIn();
    const id = await signIn(former);
    expect([await isOpen(former), await isOpen(id)]).toEqual([false, true]);
  });

  test('when the user has opened twenty others', async () => {
    const ids: string[] = [];
    for (let one = 0; one < 21; one += 1) {
      ids.push(await signIn());
      await pass(0.1);
    }
    expect([await isOpen(ids[0] ?? ''), await isOpen(ids[1] ?? '')]).toEqual([false, true]);
    expect(await managed.database.knex('console_sessions').where({ user_id: name })).toHaveLength(20);
  });

  test('by signing out, and all of them by signing out everywhere; each is audited', async () => {
    const [first, second, third] = [await signIn(), await signIn(), await signInBySso()];
    await sessions.end(await require(first));
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, true]);
    const signIns = await sessions.signIns(await require(second));
    expect(signIns.map(({ own, viaSso, address }) => ({ own, viaSso, address }))).toEqual(
      expect.arrayContaining([
        { own: true, viaSso: false, address: '192.0.2.7' },
        { own: false, viaSso: true, address: '192.0.2.7' },
      ]),
    );
    await sessions.endAll(await require(second));
    expect([await isOpen(second), await isOpen(third)]).toEqual([false, false]);
    const entries = await listAudit(managed.management, { noun: 'user', nounId: name });
    expect(entries.map(({ action, actorName, after }) => [action, actorName, after]).slice(0, 5)).toEqual([
      ['sign out everywhere', name, null],
      ['sign out', name, null],
      ['sign in', name, { address: '192.0.2.7', method: 'OpenID Connect' }],
      ['sign in', name, { address: '192.0.2.7', method: 'access key' }],
      ['sign in', name, { address: '192.0.2.7', method: 'access key' }],
    ]);
  });
});

describe('a user of the platform sees the console as a team', () => {
  test('which finds start and end in its audit log', async () => {
    const context = managed.management;
    const id = await signIn();
    await viewTeam(context, await require(id), 'acme');
    expect(await require(id)).toMatchObject({ viewingTeam: 'acme' });
    await stopViewing(context, await require(id));
    expect(await require(id)).toMatchObject({ viewingTeam: undefined });
    const entries = await listAudit({ ...context, team: 'acme' }, { noun: 'team' });
    expect(entries.map(({ action, actorName, nounId }) => [action, actorName, nounId])).toEqual([
      ['stop viewing', name, 'acme'],
      ['view', name, 'acme'],
    ]);
  });

  test('but not a user of a team, and no team that does not exist', async () => {
    const session = await require(await signIn());
    const ofTeam = { ...session, user: { ...session.user, teamId: 'acme' } };
    await expect(viewTeam(managed.management, ofTeam, 'acme')).rejects.toThrow(/only users of the platform/);
    await expect(viewTeam(managed.management, session, 'none')).rejects.toThrow('team none does not exist');
  });
});
