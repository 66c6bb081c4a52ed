/** Sessions on a real database, whose time moves: how they begin, what ends them, and what they keep. */
import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createUser,
  revokeFormerUserKey,
  rotateUserKey,
  userAndHashOfKey,
  users,
} from '../../manage/access/users.ts';
import { listAudit } from '../../manage/audit.ts';
import { testManaged } from '../../manage/testing.ts';
import { createSecrets } from '../../platform/secrets/secrets.ts';
import { createSearches } from './searches.ts';
import { createSessions, hashOf, type Session, type Sessions } from './sessions.ts';
import { stopViewing, viewTeam } from './viewing.ts';

let sessions: Sessions;
let minutes = 0;
let user = 0;
let name: string;
let key: string;
const place = { address: '192.0.2.7', browser: 'Firefox' };

const managed = testManaged();
beforeAll(async () => {
  const { knex, clock } = managed.management;
  sessions = createSessions({
    knex,
    clock: { now: () => clock.now() + minutes * 60_000 },
    timeZone: 'Africa/Nairobi',
  });
  await knex('teams').insert({ id: 'acme', name: 'Acme' });
});
beforeEach(async () => {
  await pass(-minutes);
  user += 1;
  name = `user-${user}`;
  const asked = { id: name, teamId: null, role: 'admin', ssoName: name } as const;
  key = (await createUser(managed.management, asked)).accessKey;
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
  const way = { keyHash: found.keyHash, ssoName: null };
  return sessions.open(found.user, way, place, former && hashOf(former));
}

async function signInBySso(): Promise<string> {
  const found = await users.get(managed.management, name);
  return sessions.open(found, { keyHash: null, ssoName: name }, place, undefined);
}

const isOpen = async (id: string, byPerson = false) => (await sessions.find(id, byPerson)) !== undefined;
const areOpen = (...ids: string[]) => Promise.all(ids.map((id) => isOpen(id)));

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
    expect(await areOpen(withFormerKey, withNewKey, bySso)).toEqual([false, true, true]);
  });

  test.each<[string, Parameters<typeof users.change>[2], isOpenByKey: boolean]>([
    ['is disabled', { enabled: false }, false],
    ['gets another role', { role: 'viewer' }, false],
    ['has another name at the provider', { ssoName: 'another' }, true],
    ['has no name at the provider', { ssoName: null }, true],
  ])('when its user %s, also once that is taken back', async (_what, change, isOpenByKey) => {
    const ids = [await signInBySso(), await signIn()];
    await users.change(managed.management, name, change);
    expect(await areOpen(...ids)).toEqual([false, isOpenByKey]);
    await users.change(managed.management, name, { enabled: true, role: 'admin', ssoName: name });
    expect(await areOpen(...ids)).toEqual([false, isOpenByKey]);
  });

  test('when its browser signs in again', async () => {
    const former = await signIn();
    const id = await signIn(former);
    expect(await areOpen(former, id)).toEqual([false, true]);
  });

  test('when the user has opened twenty others', async () => {
    const ids: string[] = [];
    for (let one = 0; one < 21; one += 1) {
      ids.push(await signIn());
      await pass(0.1);
    }
    expect(await areOpen(...ids)).toEqual([false, ...Array(20).fill(true)]);
  });

  test('by signing out, and all of them by signing out everywhere; each is audited', async () => {
    const [first, second, third] = [await signIn(), await signIn(), await signInBySso()];
    await sessions.end(await require(first));
    expect(await areOpen(first, second)).toEqual([false, true]);
    const signIns = (await sessions.signIns(await require(second))).sort((one) => (one.own ? -1 : 1));
    expect(signIns).toMatchObject([
      { own: true, viaSso: false, address: '192.0.2.7' },
      { own: false, viaSso: true },
    ]);
    await sessions.endAll(await require(second));
    expect(await areOpen(second, third)).toEqual([false, false]);
    const entries = await listAudit(managed.management, { noun: 'user', nounId: name });
    expect(entries.slice(0, 4)).toMatchObject([
      { action: 'sign out everywhere', actorName: name, after: null },
      { action: 'sign out', actorName: name, after: null },
      { action: 'sign in', after: { address: '192.0.2.7', method: 'OpenID Connect' } },
      { action: 'sign in', after: { address: '192.0.2.7', method: 'access key' } },
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

describe('what a session searched for', () => {
  const open = async () => require(await signIn());

  test('is read by it alone, is nowhere in the database, and is lost with the key', async () => {
    const { knex } = managed.database;
    const searches = createSearches(knex, managed.secrets);
    const [own, other] = [await open(), await open()];
    const handle = await searches.remember(own, '+254711790002');
    expect(await searches.recall(own, handle)).toBe('+254711790002');
    expect(await searches.recall(other, handle)).toBeUndefined();
    expect(JSON.stringify(await knex('console_sessions'))).not.toContain('711790002');
    const replaced = createSearches(knex, createSecrets(randomBytes(32)));
    expect(await replaced.recall(own, handle)).toBeUndefined();
  });

  test('is kept for the last twenty', async () => {
    const searches = createSearches(managed.database.knex, managed.secrets);
    const session = await open();
    const handles: string[] = [];
    for (let wanted = 0; wanted < 21; wanted += 1)
      handles.push(await searches.remember(session, `${wanted}`));
    expect(await searches.recall(session, handles[0] ?? '')).toBeUndefined();
    expect(await searches.recall(session, handles[1] ?? '')).toBe('1');
    expect(await searches.recall(session, handles[20] ?? '')).toBe('20');
  });
});
