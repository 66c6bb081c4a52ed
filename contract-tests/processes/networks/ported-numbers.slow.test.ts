/** A large table of ported numbers whose import is killed again and again is exact, and the one before is in use until then. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type Service, startService } from '../../support/service/service.ts';

const seed = Number(process.env.SEED);
const rows = sized(100_000, 1_000_000);
const rowsInPart = 25_000;
/** The faults strike each boundary of an import (contract-tests/faults/lives/chores.ts); here it is large. */
const kills = sized(4, 10);

let service: Service;
beforeAll(async () => {
  service = await startService();
}, 60_000);
afterAll(() => service?.dispose());

const numberOf = (row: number) => 254_711_000_000 + row * 7;
const table = Array.from({ length: rows }, (_, row) => `${numberOf(row)},63903`);
const columns = { numberColumn: 'number', channelColumn: 'recipientRC', codes: { '63903': 'Airtel' } };

const parts: string[] = [];
for (let first = 0; first < rows; first += rowsInPart)
  parts.push(
    `${first === 0 ? 'number,recipientRC\n' : ''}${table.slice(first, first + rowsInPart).join('\n')}\n`,
  );

const importPart = (id: string, part: number, lines: string, all = parts.length) =>
  service.operate('POST /ported-numbers/imports', { id, part, parts: all, lines, ...columns });

/** Sends the parts from this one on until the service dies; returns the first one that it has not confirmed. */
async function sendFrom(first: number): Promise<number> {
  for (let place = first; place < parts.length; place += 1)
    try {
      await importPart('large', place + 1, parts[place] ?? '');
    } catch {
      return place;
    }
  return parts.length;
}

/** The channel that the response to a request to this number counts. */
async function channelOf(phone: string): Promise<string | undefined> {
  const token = await tokenFor(service.demo.baseUrl, service.demo);
  const body = toMany([phone]);
  const answer = await call(service.demo.baseUrl, `/message/${service.demo.smsServiceId}`, { token, body });
  return ['Safaricom', 'Airtel'].find((name) => JSON.stringify(answer.body).includes(`"${name}":1`));
}

/** Resolves when no import is under way; to the newest. */
async function settled() {
  for (;;) {
    const { body } = await service.operate('GET /ported-numbers');
    const [newest] = body.imports;
    if (newest?.usedSince !== undefined) return newest;
    await delay(200);
  }
}

test(`SEED=${seed}: ${rows} rows, killed ${kills} times`, async () => {
  const random = createRandom(seed);
  await importPart('small', 1, 'number,recipientRC\n0733000001,Safaricom\n', 1);
  await settled();
  let sent = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const sending = sendFrom(sent);
    await delay(random() * 1_500);
    await service.kill();
    sent = await sending;
    await service.restart();
    // The last part may be stored although its response was lost.
    if (sent < parts.length - 1) expect(await channelOf('+254733000001')).toBe('Safaricom');
  }
  expect(await sendFrom(sent)).toBe(parts.length);
  expect(await settled()).toMatchObject({ id: 'large', lines: rows, read: rows, invalid: 0, numbers: rows });
  const exported = createHash('sha256');
  let cursor: string | undefined;
  do {
    const answer = await service.operate(
      `GET /ported-numbers/export${cursor === undefined ? '' : `?cursor=${cursor}`}`,
    );
    exported.update(answer.text.replace(/^.*\n/, ''));
    cursor = answer.headers.get('next-cursor') ?? undefined;
  } while (cursor !== undefined);
  const expected = table.map((line) => `+${line.replace(/63903$/, 'Airtel')}\n`).join('');
  expect(exported.digest('hex')).toBe(createHash('sha256').update(expected).digest('hex'));
  await service.stop();
  await service.restart();
  expect([await channelOf(`+${numberOf(1)}`), await channelOf('+254733000001')]).toEqual([
    'Airtel',
    'Airtel',
  ]);
}, 600_000);
