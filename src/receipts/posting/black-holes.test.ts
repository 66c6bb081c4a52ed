/** The real client, loop and database: endpoints of one team that never respond, and new ones of another. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startLoop } from '../../delivery/loop.ts';
import { systemClock } from '../../platform/clock.ts';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { signingKeyOf } from '../callback/signature.ts';
import { insertDue } from '../rows-testing.ts';
import { createTestBed } from '../testing.ts';
import { createPoster } from './post.ts';
import { createReceiptRepository } from './repository.ts';

/** More than may be posted to at once by a team. */
const holes = Number(process.env.BLACK_HOLES ?? 600);

const bed = createTestBed();
const database = testDatabase();
afterEach(bed.end);

/** One receipt for each of `count` origins, all on one port of this machine. */
const insert = (teamId: string, count: number, port: number) =>
  insertDue(
    database.knex,
    Array.from({ length: count }, (_, n) => `http://${teamId}-${n}.example:${port}`),
    { teamId },
  );

test('fresh endpoints of another team have their receipts before a single black hole has timed out', async () => {
  let swallowing = 0;
  let filled = () => {};
  const full = new Promise<void>((resolve) => {
    filled = resolve;
  });
  const hole = await bed.listen(
    createTcpServer((socket) => {
      socket.resume();
      swallowing += 1;
      // Half of the places for untested origins: all that a team alone may have.
      if (swallowing === 256) filled();
    }),
  );
  let arrived = 0;
  let served = () => {};
  const all = new Promise<void>((resolve) => {
    served = resolve;
  });
  const { port } = await bed.listen(
    createServer((_request, response) => {
      response.end();
      arrived += 1;
      if (arrived === 20) served();
    }),
  );
  const attempted: string[] = [];
  const client = bed.client({
    timeoutMs: 60_000,
    lookup: (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  const poster = createPoster({
    repository: createReceiptRepository(database.knex, randomUUID()),
    client,
    signingKeysOf: async () => [signingKeyOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
    schedule: [5],
    clock: systemClock,
    stopwatch: systemClock,
    events: {
      receiptAttempted: (outcome) => attempted.push(outcome),
      receiptUnsigned: () => {},
      itemQuarantined: () => {},
      endpointChanged: () => {},
    },
  });
  const loop = startLoop('receipts', 50, pino({ level: 'silent' }), poster.round);
  poster.onWork(loop.wake);
  await insert('loud', holes, hole.port);
  await full;
  await insert('quiet', 20, port);
  await all;
  await loop.stop();
  await client.close();
  await poster.drain();
  expect(swallowing).toBe(256);
  expect(attempted.filter((outcome) => outcome === 'delivered')).toHaveLength(20);
});
