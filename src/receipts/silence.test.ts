/** A network's silence ends messages, once, and not too early. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createEvents } from '../process/events.ts';
import { recordSilence } from './record.ts';
import { consequences, delivered, recordedMessages, submitted } from './record-testing.ts';

const messages = recordedMessages();

describe('a network that stays silent', () => {
  const threeDays = 72 * 3600;
  const events = createEvents(new Registry(), pino({ level: 'silent' }));
  const silence = async (limit = 100) => {
    const { knex } = messages.database;
    return (await recordSilence(knex, events, threeDays, limit, consequences)).reached;
  };
  const handedOver = (ids: readonly string[], secondsAgo: number) =>
    messages.database.knex.raw(
      `update messages set submitted_at = now() - :secondsAgo * interval '1 second' where id = any(:ids)`,
      { ids, secondsAgo },
    );

  beforeEach(async () => {
    const { knex } = messages.database;
    await knex('messages').where({ state: 'Submitted' }).update({ state: 'Delivered' });
    // Times of hand-overs are written into the past here.
    await knex('late_reports').update({ looked_until: '-infinity' });
  });

  test('for 72 hours: the state becomes uncertain, the units are spent', async () => {
    const ids = await messages.accept(1);
    await messages.record(...ids.map(submitted));
    await handedOver(ids, threeDays + 1);
    expect(await silence()).toMatchObject([{ messageId: ids[0], state: 'DeliveryUncertain' }]);
    expect(await messages.receiptsOf(ids)).toHaveLength(1);
    expect(await messages.refundsOf(ids)).toStrictEqual([]);
    expect(await silence()).toStrictEqual([]);
  });

  test('for less than 72 hours: the message still waits', async () => {
    const ids = await messages.accept(1);
    await messages.record(...ids.map(submitted));
    await handedOver(ids, threeDays - 60);
    expect(await silence()).toStrictEqual([]);
    expect(await messages.statesOf(ids)).toStrictEqual(['Submitted']);
  });

  test('a clock that was set back passes over nothing that is handed over then', async () => {
    const { knex } = messages.database;
    await knex('late_reports').update({ looked_until: knex.raw(`service_now() + interval '1 year'`) });
    await silence();
    const ids = await messages.accept(1);
    await messages.record(...ids.map(submitted));
    expect(await silence()).toStrictEqual([]);
    await handedOver(ids, -1);
    const { reached } = await recordSilence(knex, events, -2, 10, consequences);
    expect(reached).toMatchObject([{ messageId: ids[0], state: 'DeliveryUncertain' }]);
  });

  test('a message in our own queue is not affected', async () => {
    const ids = await messages.accept(1);
    await handedOver(ids, threeDays + 1);
    expect(await silence()).toStrictEqual([]);
  });

  test('a late report changes nothing', async () => {
    const ids = await messages.accept(1);
    await messages.record(...ids.map(submitted));
    await handedOver(ids, threeDays + 1);
    await silence();
    expect(await messages.record(...ids.map(delivered))).toStrictEqual([]);
    expect(await messages.statesOf(ids)).toStrictEqual(['DeliveryUncertain']);
  });

  test('a limited number at a time, the longest silent first', async () => {
    const [first = '', second = '', third = ''] = await messages.accept(3);
    await messages.record(...[first, second, third].map(submitted));
    await handedOver([third], threeDays + 300);
    await handedOver([first], threeDays + 200);
    await handedOver([second], threeDays + 100);
    expect((await silence(2)).map(({ messageId }) => messageId).sort()).toStrictEqual([first, third].sort());
    expect((await silence(2)).map(({ messageId }) => messageId)).toStrictEqual([second]);
  });
});
