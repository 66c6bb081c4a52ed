/** What a session searched for: only that session reads it, and only with the key of the service. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createUser, users } from '../../manage/access/users.ts';
import { type Managed, openManaged } from '../../manage/testing.ts';
import { systemClock } from '../../platform/clock.ts';
import { createSecrets } from '../../platform/secrets/secrets.ts';
import { createSearches } from './searches.ts';
import { createSessions, type Session } from './sessions.ts';

let managed: Managed;

beforeAll(async () => {
  managed = await openManaged(process.env.DATABASE_URL);
  await createUser(managed.management, { id: 'amina', teamId: null, role: 'owner', ssoName: 'amina' });
});
afterAll(() => managed.database.close());

async function signIn(): Promise<Session> {
  const { knex } = managed.database;
  const sessions = createSessions({ knex, clock: systemClock, timeZone: 'UTC' });
  const user = await users.get(managed.management, 'amina');
  const place = { address: '192.0.2.7', browser: '' };
  const id = await sessions.open(user, { keyHash: null, ssoName: 'amina' }, place, undefined);
  const session = await sessions.find(id, true);
  if (session === undefined) throw new TypeError('The session has ended.');
  return session;
}

test('is read by its session alone, is nowhere in the database, and is lost with the key', async () => {
  const { knex } = managed.database;
  const searches = createSearches(knex, managed.secrets);
  const [own, other] = [await signIn(), await signIn()];
  const handle = await searches.remember(own, '+254711790002');
  expect(await searches.recall(own, handle)).toBe('+254711790002');
  expect(await searches.recall(other, handle)).toBeUndefined();
  expect(JSON.stringify(await knex('console_sessions'))).not.toContain('711790002');
  const replaced = createSearches(knex, createSecrets(randomBytes(32)));
  expect(await replaced.recall(own, handle)).toBeUndefined();
});

test('the last twenty are kept', async () => {
  const searches = createSearches(managed.database.knex, managed.secrets);
  const session = await signIn();
  const handles: string[] = [];
  for (let wanted = 0; wanted < 21; wanted += 1) handles.push(await searches.remember(session, `${wanted}`));
  expect(await searches.recall(session, handles[0] ?? '')).toBeUndefined();
  expect(await searches.recall(session, handles[1] ?? '')).toBe('1');
  expect(await searches.recall(session, handles[20] ?? '')).toBe('20');
});
