/** What cannot be erased holds up nothing else, and what waits in quarantine does not wait forever. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type RetryDependencies, retryRound } from '../delivery/retry.ts';
import { type Given, openedRetention, phone } from './testing.ts';

const retention = openedRetention();
beforeEach(() => retention.empty());

const erase = (later?: boolean) => retention.erase(later);
const accepted = (daysAgo: number, given?: Given) => retention.accepted(daysAgo, given);
const message = async (id: string) => (await retention.messages(id))[0];

describe('a fault', () => {
  /** As long as it is there, updates of messages with the text `fault` fail with this SQLSTATE. */
  const failing = async (state: string, during: () => Promise<void>) => {
    const { knex } = retention;
    await knex.raw(
      `create function fail() returns trigger language plpgsql as $$
         begin raise exception 'made by a test' using errcode = '${state}'; end $$`,
    );
    await knex.raw(
      `create trigger failing before update on messages for each row when (old.content = 'fault')
         execute function fail()`,
    );
    try {
      await during();
    } finally {
      await knex.raw('drop function fail cascade');
    }
  };
  const faulty = async (daysAgo: number) => {
    const id = await accepted(daysAgo);
    await retention.knex('messages').where({ id }).update({ content: 'fault' });
    return id;
  };
  const contents = async (...ids: string[]) =>
    (await retention.messages(...ids)).map(({ content }) => content);

  test('of one message keeps only that one from being erased, until an operator has it tried again', async () => {
    const [before, fault, after] = [await accepted(8), await faulty(8), await accepted(7.5)];
    const waiting = [await faulty(1), await accepted(1)];
    await retention.knex('erasures_due').insert(waiting.map((id) => ({ message_id: id, duty: 'texts' })));
    await failing('22000', () => erase());
    expect(await contents(before, fault, after, ...waiting)).toEqual(['', 'fault', '', 'fault', '']);
    expect(retention.quarantined.sort()).toEqual(
      [`retention texts ${fault}`, `retention texts ${waiting[0]}`].sort(),
    );
    expect(await retention.knex('erasures_due')).toEqual([]);

    await retention.knex.raw('update quarantine set retry_at = service_now()');
    await retryRound(retention as unknown as RetryDependencies);
    await erase();
    expect(await contents(fault, waiting[0] ?? '')).toEqual(['', '']);
    expect(await retention.knex('quarantine')).toEqual([]);
  });

  test('of one team holds up no other; it is logged once and tried again after ever longer rests', async () => {
    const [fault, other] = [await faulty(8), await accepted(8, { team: 'brief' })];
    await failing('57014', async () => {
      for (const minutes of [0, 0, 1, 1, 1, 2]) {
        retention.pass(minutes * 60_000);
        await erase();
      }
      expect(await contents(fault, other)).toEqual(['fault', '']);
    });
    const failed = 'part of a housekeeping chore failed; the others go on, and it runs again later';
    expect(retention.logged.map(({ part, msg }) => [part, msg])).toEqual([['acme', failed]]);
    await erase();
    expect(await contents(fault)).toEqual(['fault']);
    retention.pass(4 * 60_000);
    await erase();
    expect(await contents(fault)).toEqual(['']);
    expect(retention.logged.map(({ msg }) => msg)).toEqual([
      failed,
      'part of a housekeeping chore works again',
    ]);
  });
});

describe('quarantine', () => {
  const put = (daysAgo: number, item: string, messageId: string | null, round = 'network-report') =>
    retention.knex('quarantine').insert({
      round,
      item,
      message_id: messageId,
      payload: JSON.stringify({ source: phone }),
      reason: 'made by a test',
      created_at: retention.knex.raw(`service_now() - ? * interval '1 day'`, [daysAgo]),
    });
  const kept = () => retention.knex('quarantine').orderBy('item').pluck('item');

  test('gives up what texts are no longer kept for; a message that waited for it ends as uncertain', async () => {
    const [waiting, done] = [await accepted(8, { state: 'Submitted' }), await accepted(8)];
    await put(7.1, 'old', waiting);
    await put(7.1, 'old, of a message that is done', done);
    await put(7.1, 'old, of no message', null);
    await put(6.9, 'young', null);
    await erase();
    expect(await kept()).toEqual(['young']);
    expect(await message(waiting)).toMatchObject({ state: 'DeliveryUncertain' });
    expect(await message(done)).toMatchObject({ state: 'Delivered' });
  });

  test('of a team that keeps texts for less time gives up sooner', async () => {
    await put(1.1, 'brief', await accepted(1.1, { team: 'brief', state: 'Submitted' }));
    await put(1.1, 'acme', await accepted(1.1, { state: 'Submitted' }));
    await erase();
    expect(await kept()).toEqual(['acme']);
  });

  test('keeps what retention itself has put there: it holds no number, and is still to be erased', async () => {
    await put(30, 'texts 1', null, 'retention');
    await erase();
    expect(await kept()).toEqual(['texts 1']);
  });
});
