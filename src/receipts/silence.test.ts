/** A network's silence ends messages, once, and not too early. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createEvents } from '../process/events.ts';
import { recordSilence } from './record.ts';
import { consequences, recordedMessages, submitted } from './record-testing.ts';

const messages = recordedMessages();
const threeDays = 72 * 3600;
const events = createEvents(new Registry(), pino({ level: 'silent' }));

const silence = async (limit = 100, seconds = threeDays) =>
  (await recordSilence(messages.database.knex, events, seconds, limit, consequences)).reached;
const handedOver = (ids: readonly string[], secondsAgo: number) =>
  messages.database.knex.raw(
    `update messages set submitted_at = now() - :secondsAgo * interval '1 second' where id = any(:ids)`,
    { ids, secondsAgo },
  );
/** A message that its network has had for so long. */
async function submittedAgo(seconds: number): Promise<string> {
  const [id = ''] = await messages.accept(1);
  await messages.record(submitted(id));
  await handedOver([id], seconds);
  return id;
}

beforeEach(async () => {
  const { knex } = messages.database;
  await knex('messages').where({ state: 'Submitted' }).update({ state: 'Delivered' });
  // Times of hand-overs are written into the past here.
  await knex('late_reports').update({ looked_until: '-infinity' });
});

describe('a network that stays silent', () => {
  test('for 72 hours: the state becomes uncertain, the units are spent', async () => {
    const messageId = await submittedAgo(threeDays + 1);
    expect(await silence()).toMatchObject([{ messageId, state: 'DeliveryUncertain' }]);
    expect(await messages.receiptsOf([messageId])).toHaveLength(1);
    expect(await messages.refundsOf([messageId])).toStrictEqual([]);
    expect(await silence()).toStrictEqual([]);
  });

  test('for less than 72 hours: the message still waits', async () => {
    const id = await submittedAgo(threeDays - 60);
    expect(await silence()).toStrictEqual([]);
    expect(await messages.statesOf([id])).toStrictEqual(['Submitted']);
  });

  test('a clock that was set back passes over nothing that is handed over then', async () => {
    const { knex } = messages.database;
    await knex('late_reports').update({ looked_until: knex.raw(`service_now() + interval '1 year'`) });
    await silence();
    const messageId = await submittedAgo(0);
    expect(await silence()).toStrictEqual([]);
    await handedOver([messageId], -1);
    expect(await silence(10, -2)).toMatchObject([{ messageId, state: 'DeliveryUncertain' }]);
  });

  test('a message in our own queue is not affected', async () => {
    await handedOver(await messages.accept(1), threeDays + 1);
    expect(await silence()).toStrictEqual([]);
  });

  test('a limited number at a time, the longest silent first', async () => {
    const [second, first, third] = [
      await submittedAgo(threeDays + 200),
      await submittedAgo(threeDays + 300),
      await submittedAgo(threeDays + 100),
    ];
    expect((await silence(2)).map(({ messageId }) => messageId).sort()).toStrictEqual([first, second].sort());
    expect(await silence(2)).toMatchObject([{ messageId: third }]);
  });
});
