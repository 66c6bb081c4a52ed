/** Messages in progress that nothing accounts for are put back on their way; all others are left alone. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { delivered, network, openedDelivery } from '../testing.ts';
import { listOrphans, type Orphan } from './repository.ts';
import { createOrphanSearch } from './search.ts';

let found: string[] = [];
const delivery = openedDelivery();
beforeEach(async () => {
  found = [];
  await delivery.reset(1_000);
});

const createSearch = () =>
  createOrphanSearch({
    knex: delivery.knex,
    queue: delivery.queue,
    validitySeconds: 3_600,
    events: {
      messagesOrphaned: (messages) => {
        found.push(...messages.map(({ id, state }) => `${id} ${state}`));
      },
    },
  });

/** One round sees what is there, the next one looks at it. */
async function search(): Promise<void> {
  const round = createSearch();
  await round();
  await round();
}

const lose = () => delivery.knex('jobs').delete();
const idOf = async (position = 0): Promise<string> =>
  String((await delivery.knex('messages').where({ position }).first()).id);
const nameInJob = (id: string) =>
  delivery.knex.raw(
    `update jobs set data = jsonb_set(data::jsonb, '{messageIds}', jsonb_build_array(?::text))::json`,
    [id],
  );
const orphans = async (): Promise<string[]> => (await listOrphans(delivery.knex)).map(({ id }: Orphan) => id);
const bundle = { product: 'data' as const, content: '1GB' };

describe('a message without a job', () => {
  test('is submitted by the rules of any SMS, once, and counted', async () => {
    await delivery.accept({});
    await lose();
    expect(await orphans()).toEqual([await idOf()]);
    await search();
    await search();
    const { connector, sent } = network(() => delivered);
    await delivery.deliver({ sms: connector });
    expect([sent.length, await delivery.states(), found]).toEqual([
      1,
      ['Delivered'],
      [`${await idOf()} Queued`],
    ]);
  });

  test('that waited too long expires and is refunded', async () => {
    await delivery.accept({ units: 3 });
    await lose();
    await delivery.knex.raw(`update requests set created_at = now() - interval '2 hours'`);
    await search();
    // No connector can take it: it is claimed because it has expired.
    await delivery.deliver({});
    expect([await delivery.states(), await delivery.balance()]).toEqual([['Expired'], 1_000]);
  });

  test('that may have reached its network is queried, and not sent again', async () => {
    await delivery.accept(bundle);
    await lose();
    await delivery.knex('messages').update({ state: 'Sending', connector: 'data' });
    await search();
    const { connector, sent, asked } = network(
      () => delivered,
      () => delivered,
    );
    await delivery.deliver({ data: connector });
    expect([sent, asked.length, await delivery.states()]).toEqual([[], 1, ['Delivered']]);
  });

  test('whose request has a job for other messages only is found', async () => {
    await delivery.accept({}, { phone: '+254711000001' });
    await nameInJob(await idOf(0));
    expect(await orphans()).toEqual([await idOf(1)]);
  });

  test('is found beside jobs that cannot be read', async () => {
    await delivery.accept({});
    await delivery.knex('jobs').update({ data: JSON.stringify({ requestIds: 7 }) });
    expect(await orphans()).toEqual([await idOf()]);
  });

  test('gets one job, however many processes look at once', async () => {
    await delivery.accept({});
    await lose();
    const rounds = [createSearch(), createSearch(), createSearch()];
    for (let turn = 1; turn <= 3; turn += 1) await Promise.all(rounds.map((round) => round()));
    expect([await delivery.knex('jobs'), found]).toMatchObject([
      [{ messages: 1 }],
      [`${await idOf()} Queued`],
    ]);
  });

  test('is found behind ten thousand that have one, in a later round', async () => {
    await delivery.accept({});
    await delivery.knex.raw(
      `insert into messages (request_id, team_id, position, product, channel, phone, content, units)
       select request_id, team_id, n, product, channel, phone, content, 0 from messages, generate_series(1, 10000) n`,
    );
    await delivery.accept({ position: 10_001 });
    await delivery
      .knex('jobs')
      .where('id', (await delivery.knex('jobs').max('id as id').first())?.id)
      .delete();
    const last = [await idOf(10_001)];
    expect(await orphans()).toEqual(last);
    const round = createSearch();
    await round();
    await round();
    expect(found).toEqual([]);
    await round();
    expect(found).toEqual([`${last[0]} Queued`]);
  });

  test('waits while its lane is too long to be read, and is found once it is shorter', async () => {
    await delivery.accept({});
    await lose();
    await delivery.knex.raw(
      `insert into jobs (queue, lane, data) select 'deliver', 'sms Safaricom', '{"requestIds":[]}'
       from generate_series(1, 20001)`,
    );
    expect(await orphans()).toEqual([]);
    await delivery.knex.raw('delete from jobs where id = (select min(id) from jobs)');
    expect(await orphans()).toEqual([await idOf()]);
  });
});

describe('a message is left alone', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['whose job waits', async () => {}],
    ['whose job names it', async () => nameInJob(await idOf())],
    ['whose job is claimed', () => delivery.knex('jobs').update({ claimed: true, claims: 1 })],
    [
      'in quarantine',
      async () => {
        await lose();
        const item = { round: 'hand-over', item: 'x', message_id: await idOf(), payload: '{}', reason: 'x' };
        await delivery.knex('quarantine').insert(item);
      },
    ],
    [
      'that its network has',
      async () => {
        await lose();
        await delivery.knex('messages').update({ state: 'Submitted', submitted_at: delivery.knex.fn.now() });
      },
    ],
  ])('%s', async (_what, make) => {
    await delivery.accept({});
    await make();
    expect(await orphans()).toEqual([]);
  });

  test('that came in since the last round', async () => {
    const round = createSearch();
    await round();
    await delivery.accept({});
    await lose();
    await round();
    expect(found).toEqual([]);
    await round();
    expect(found).toEqual([`${await idOf()} Queued`]);
  });
});

describe('an SMS that waits for its bundle', () => {
  const accept = () =>
    delivery.accept(
      { ...bundle, position: 0, units: 0, accountId: null },
      { position: 0, units: 2, held: true },
    );
  const end = (state: string) => delivery.knex('messages').where({ product: 'data' }).update({ state });

  test('is left alone while the bundle is in progress', async () => {
    await accept();
    expect(await orphans()).toEqual([]);
    await end('Submitted');
    expect(await orphans()).toEqual([]);
  });

  test.each([
    ['Delivered', 'Queued', 998],
    ['Failed', 'Cancelled', 1_000],
  ])('whose bundle ended as %s is %s', async (ended, state, balance) => {
    await accept();
    await lose();
    await end(ended);
    await search();
    const sms = await delivery.knex('messages').where({ product: 'sms' }).first();
    expect([sms.state, await delivery.balance(), found]).toEqual([state, balance, [`${sms.id} Held`]]);
    expect(await orphans()).toEqual([]);
  });
});
