/** A process that died is known from one that stopped, also after others have taken over. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { testDatabase } from '../db/opened-testing.ts';
import { createPresence, deadProcesses, isWorkerThere, type ProcessCommand } from './repository.ts';

const database = testDatabase();
beforeEach(() => database.knex('processes').delete());

/** A process that was last there some seconds ago. */
async function seen(command: ProcessCommand, host: string, secondsAgo = 0) {
  const id = randomUUID();
  const presence = createPresence(database.knex, { id, command, host, pid: 7 });
  await presence.note();
  const seenAt = database.knex.raw(`service_now() - ? * interval '1 second'`, [secondsAgo]);
  await database.knex('processes').where({ id }).update({ seen_at: seenAt });
  return presence;
}
const dead = async () =>
  (await deadProcesses(database.knex)).map(({ command, host }) => `${command} ${host}`);

test('one that is there, or was a moment ago, is not dead', async () => {
  await seen('serve', 'a');
  await seen('work', 'b', 25);
  expect([await dead(), await isWorkerThere(database.knex)]).toEqual([[], true]);
});

test('in a rolling restart each says that it ends: none is dead', async () => {
  const former = [await seen('serve', 'a'), await seen('work', 'a')];
  for (const presence of former) await presence.leave();
  expect([await dead(), await isWorkerThere(database.knex)]).toEqual([[], false]);
});

test.each<[string, number, ProcessCommand[], string[]]>([
  ['a minute ago, and others work', 60, ['work', 'serve'], ['work b']],
  ['an hour ago, and others work', 3_600, ['start'], []],
  ['an hour ago, and nobody works since', 3_600, ['serve'], ['work b']],
])('a worker that died %s', async (_when, secondsAgo, others, expected) => {
  await seen('work', 'b', secondsAgo);
  for (const command of others) await seen(command, 'a');
  expect(await dead()).toEqual(expected);
});

test('one that served and worked is replaced by two', async () => {
  await seen('start', 'b', 3_600);
  await seen('serve', 'a');
  expect(await dead()).toEqual(['start b']);
  await seen('work', 'a');
  expect(await dead()).toEqual([]);
  await seen('work', 'a');
  expect((await database.knex('processes').pluck('host')).filter((host) => host === 'b')).toEqual([]);
});
