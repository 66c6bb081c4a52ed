/** Posting over days of virtual time, against a real database: when, how often, and that nothing unsigned leaves. */
import { describe, expect, test } from '@jest/globals';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import type { PostOutcome } from '../callback/client.ts';
import { fine, posterBed, startMs } from './post-testing.ts';
import { defaultScheduleSeconds } from './schedule.ts';

const database = testDatabase();
const bed = posterBed(() => database);

const home = 'https://receipts.example';
const unavailable: PostOutcome = { kind: 'answered', status: 503 };

const receipt = () => database.knex('receipts').first();

/** Lets three quarters of what was planned pass, then a fiftieth at a time until there is one more post. */
async function untilNextPost(plannedSeconds: number): Promise<void> {
  const before = bed.posts.length;
  await bed.pass(plannedSeconds * 0.75);
  await bed.round();
  for (let step = 0; bed.posts.length === before; step += 1) {
    if (step > 50) throw new Error('no more posts');
    await bed.pass(plannedSeconds / 50);
    await bed.round();
  }
}

/** For which the next attempt waits, by the clock of the database. */
async function waitSeconds(): Promise<number> {
  const { rows } = await database.knex.raw(
    'select extract(epoch from next_attempt_at - updated_at)::float8 as seconds from receipts',
  );
  return rows[0].seconds;
}

test('a receipt that cannot be posted goes to quarantine, and the others are posted', async () => {
  await bed.insert(3, home);
  bed.endpoint = () => {
    if (bed.posts.length === 2) throw new TypeError('unusable');
    return fine;
  };
  // A new origin gets two places at first.
  for (let times = 0; times < 2; times += 1) await bed.round();
  const rows = await database.knex('receipts').select('state').orderBy('state');
  expect(rows.map(({ state }) => state)).toEqual(['Delivered', 'Delivered', 'Exhausted']);
  const items = await database.knex('quarantine').select('round', 'reason');
  expect(items).toEqual([{ round: 'receipt', reason: 'TypeError' }]);
});

describe('the schedule', () => {
  test('ten more attempts, each within 20 % of its time; then the receipt is kept as exhausted', async () => {
    bed.endpoint = () => unavailable;
    await bed.insert(1, home);
    await bed.round();
    for (const planned of defaultScheduleSeconds) {
      expect(Math.abs((await waitSeconds()) / planned - 1)).toBeLessThanOrEqual(0.2 + 1e-3);
      await untilNextPost(planned);
    }
    await bed.pass(30 * 86_400);
    await bed.round();
    expect(bed.posts).toHaveLength(11);
    expect(await receipt()).toMatchObject({ state: 'Exhausted', attempts: 11 });
    expect((await receipt()).attempt_log).toHaveLength(11);
  });

  test('every attempt has the same webhook-id and the time of its own', async () => {
    bed.endpoint = () => unavailable;
    await bed.insert(1, home);
    await bed.round();
    await untilNextPost(5);
    await untilNextPost(30);
    expect(new Set(bed.posts.map(({ headers }) => headers['webhook-id']))).toStrictEqual(
      new Set([(await receipt()).id]),
    );
    expect(bed.posts.map(({ headers }) => Number(headers['webhook-timestamp']))).toStrictEqual(
      bed.posts.map(({ atSeconds }) => Math.floor(startMs / 1000 + atSeconds)),
    );
    expect(new Set(bed.posts.map(({ headers }) => headers['webhook-signature'])).size).toBe(3);
  });

  const timeout: PostOutcome = { kind: 'failed', reason: 'timeout' };
  test.each<[string, PostOutcome, string, object]>([
    ['200', { kind: 'answered', status: 200 }, 'Delivered', { status: 200 }],
    ['410 ends it', { kind: 'answered', status: 410 }, 'Exhausted', { status: 410 }],
    ['a time-out is tried again', timeout, 'Waiting', { error: 'timeout' }],
  ])('%s', async (_rule, outcome, state, logged) => {
    bed.endpoint = () => outcome;
    await bed.insert(1, home);
    await bed.round();
    const row = await receipt();
    expect(row).toMatchObject({ state, attempts: 1, claimed_by: null });
    expect(row.attempt_log).toMatchObject([{ at: new Date(startMs).toISOString(), ...logged }]);
  });
});

describe('a client without a signing secret', () => {
  test('gets nothing; its receipt waits, and its origin is not blamed', async () => {
    bed.secrets = [];
    await bed.insert(1, home);
    await bed.round();
    expect(bed.posts).toStrictEqual([]);
    expect(await receipt()).toMatchObject({
      state: 'Waiting',
      attempts: 1,
      attempt_log: [{ error: 'no signing secret' }],
    });
    expect(bed.unsigned).toStrictEqual([(await receipt()).id]);
    expect(await database.knex('receipt_origins')).toStrictEqual([]);
  });

  test.each([
    ['sign', ['whsec_']],
    ['be decrypted', undefined],
  ])('with a secret that cannot %s: the receipt is tried once a minute, and no attempt is used up', async (_what, secrets) => {
    bed.secrets = secrets;
    await bed.insert(1, home);
    for (let minute = 0; minute < 3; minute += 1) {
      await bed.round();
      await bed.pass(61);
    }
    expect(bed.posts).toStrictEqual([]);
    expect(bed.unsigned).toHaveLength(3);
    expect(await receipt()).toMatchObject({ state: 'Waiting', attempts: 0 });
    expect((await receipt()).attempt_log.at(-1)).toMatchObject({ error: 'unusable signing secret' });
    expect(await database.knex('receipt_origins')).toStrictEqual([]);
  });

  test('gets the waiting receipts once it has one', async () => {
    const { secrets } = bed;
    bed.secrets = [];
    bed.endpoint = () => fine;
    await bed.insert(1, home);
    await bed.round();
    bed.secrets = secrets;
    await bed.pass(10);
    await bed.round();
    expect(bed.posts).toHaveLength(1);
    expect(bed.posts[0]?.headers['webhook-signature']).toMatch(/^v1,/);
  });
});
