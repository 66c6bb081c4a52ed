/** What the statements that name messages read: those messages, however many others wait. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import type { Database } from '../platform/db/knex.ts';
import { mostRowsRead } from '../platform/db/plan-testing.ts';
import { runStatement } from '../platform/db/statement.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { moveMessages } from '../receipts/move-repository.ts';
import { lockUnsubmitted as lockUncancelled, readCancelled } from './cancel/repository.ts';
import { releaseHeld } from './held.ts';
import { lockUnsubmitted as lockOrphaned } from './orphans/repository.ts';
import { storeSubmitted } from './reports/part-repository.ts';
import {
  loadMessage,
  loadSubmittedMessages,
  markQueued,
  markScheduled,
  markSending,
  markSubmitted,
  queuedText,
} from './repository.ts';
import { releaseDue } from './scheduled/repository.ts';

const waiting = 5_000;
const named = 50;
const validitySeconds = 3_600;

interface Stored {
  id: string;
  requestId: string;
}

let database: Database;
let queued: Stored[];
let ids: string[];
beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  await insert(20_000, 'Delivered');
  // With these statistics hardly any message is under way: what follows is a sudden load.
  await database.knex.raw('analyze requests, messages');
  await insert(waiting, 'Held');
  await insert(waiting, 'Sending');
  await insert(waiting, 'Submitted');
  await insert(waiting, 'Scheduled');
  queued = (await insert(waiting, 'Queued')).slice(0, named);
  ids = queued.map(({ id }) => id);
});
afterAll(() => database.close());

async function insert(count: number, state: string): Promise<Stored[]> {
  const requestIds = Array.from({ length: count }, () => randomUUID());
  await runStatement(database.knex, {
    text: `insert into requests (id, team_id, client_id, operation, resource_id)
      select id, 'demo', 'demo', 'sendSms', 'demo' from unnest($1::uuid[]) as id`,
    values: [requestIds],
  });
  return runStatement<Stored>(database.knex, {
    text: `insert into messages (request_id, team_id, position, product, channel, phone, content, units, state, send_at)
      select id, 'demo', 0, 'sms', 'Safaricom', '+254711000000', '', 1, $2,
        case when $2 = 'Scheduled' then service_now() + interval '1 day' - n * interval '28 minutes' end
      from unnest($1::uuid[]) with ordinality as r(id, n) returning id::text, request_id as "requestId"`,
    values: [requestIds, state],
  });
}

const firstOf = ([one]: readonly Stored[]): Stored => {
  if (one === undefined) throw new TypeError('nothing was stored');
  return one;
};

const statements: Record<string, (trx: Knex.Transaction) => Promise<unknown>> = {
  'loading the messages of jobs': (trx) =>
    runStatement(trx, {
      text: queuedText,
      values: [queued.map(({ requestId }) => requestId), validitySeconds],
    }),
  'loading messages that a network has': (trx) => loadSubmittedMessages(trx, ids),
  'loading one message': (trx) => loadMessage(trx, firstOf(queued).id),
  'marking messages as on their way': (trx) => markSending(trx, ids, 'smsc', []),
  'storing what a network has accepted': (trx) =>
    storeSubmitted(
      trx,
      'smsc',
      ids.map((messageId) => ({ messageId, number: 1, parts: 1, networkId: messageId })),
    ),
  'marking one message as submitted': (trx) => markSubmitted(trx, firstOf(queued).id),
  'queueing messages again': (trx) => markQueued(trx, ids),
  'putting messages off': (trx) =>
    markScheduled(
      trx,
      ids.map((id) => ({ id, until: new Date() })),
    ),
  'recording outcomes': (trx) =>
    moveMessages(
      trx,
      ids.map((messageId) => ({ messageId, product: 'sms', state: 'Delivered', refund: false })),
    ),
  'releasing held messages': (trx) =>
    releaseHeld(
      trx,
      { insert: async () => {} },
      queued.map((one) => ({ ...one, messageId: one.id, position: 0, state: 'Delivered' })),
      validitySeconds,
    ),
  'locking what may be cancelled of a request': (trx) => lockUncancelled(trx, firstOf(queued).requestId),
  'reading what was cancelled of a request': (trx) => readCancelled(trx, firstOf(queued).requestId),
  'locking messages without a job': (trx) => lockOrphaned(trx, ids, validitySeconds),
  'releasing scheduled messages': (trx) => releaseDue(trx, named, validitySeconds),
};

test.each(Object.entries(statements))('%s', async (_, work) => {
  // Some name them in two of their parts, and join what they have found.
  expect(await mostRowsRead(database.knex, 'messages', work)).toBeLessThanOrEqual(4 * named);
});
