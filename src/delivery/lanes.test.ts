/** A connector that is slow, down or dead holds up only its own messages, and those not forever. */
import { describe, expect, test } from '@jest/globals';
import type { Connector } from '../connectors/contract/connector.ts';
import { createLanes, type LaneDependencies, type Lanes } from './lanes.ts';
import { delivered, network, openedDelivery } from './testing.ts';

const delivery = openedDelivery(10_000);

/** Requests of ten messages each. */
async function acceptMany(channel: string, messages: number): Promise<void> {
  for (let first = 0; first < messages; first += 10)
    await delivery.accept(
      ...Array.from({ length: 10 }, (_, place) => ({
        channel,
        phone: `+2547${String(first + place).padStart(8, '0')}`,
      })),
    );
}

/** Lanes whose rounds can be waited for, except for lots that never end. */
function watched(all: LaneDependencies): { lanes: Lanes; round: (hanging: number) => Promise<void> } {
  let running = 0;
  let ended = () => {};
  const lanes = createLanes({
    ...all,
    run: async (lot) => {
      running += 1;
      await lot().finally(() => {
        running -= 1;
      });
    },
    onFree: () => ended(),
  });
  const round = async (hanging: number) => {
    await lanes.round();
    while (running > hanging)
      await new Promise<void>((resolve) => {
        ended = resolve;
      });
  };
  return { lanes, round };
}

const others = 200;

/** The rounds until all 200 messages of another channel are sent. */
async function roundsOfOthers(
  rounds: (hanging: number) => Promise<void>,
  sent: readonly string[],
  hanging = 0,
): Promise<number> {
  await acceptMany('Airtel', others);
  for (let count = 1; count < 100; count += 1) {
    await rounds(hanging);
    if (sent.length === others) return count;
  }
  throw new Error(`only ${sent.length} were sent`);
}

/** How many rounds the others take with nobody beside them. */
async function usualRounds(): Promise<number> {
  const { connector, sent } = network(() => delivered);
  const rounds = await roundsOfOthers(watched(delivery.dependencies({ sms: connector })).round, sent);
  await delivery.reset(10_000);
  return rounds;
}

const openJobs = () => delivery.knex('jobs');

test('behind 1,000 messages of a connector that is down, others flow as usual; it gets its own once it is back', async () => {
  const usual = await usualRounds();
  const airtel = network(() => delivered);
  const connectors: Record<string, Connector> = { 'sms Airtel': airtel.connector };
  const { round } = watched(delivery.dependencies(connectors));
  await acceptMany('Safaricom', 1_000);
  await round(0);
  expect((await openJobs()).length).toBe(100);

  expect(await roundsOfOthers(round, airtel.sent)).toBe(usual);

  const safaricom = network(() => delivered);
  connectors['sms Safaricom'] = safaricom.connector;
  while (safaricom.sent.length < 1_000) await round(0);
  expect(new Set(safaricom.sent).size).toBe(1_000);
  expect(await openJobs()).toEqual([]);
});

test('behind 1,000 messages of a connector that does not respond, others flow as usual', async () => {
  const usual = await usualRounds();
  const airtel = network(() => delivered);
  let answer = () => {};
  const hangs: Connector = {
    send: (messages) =>
      new Promise((resolve) => {
        answer = () => resolve(messages.map(() => delivered));
      }),
  };
  const all = delivery.dependencies({ 'sms Safaricom': hangs, 'sms Airtel': airtel.connector });
  const { lanes, round } = watched(all);
  await acceptMany('Safaricom', 1_000);
  await round(1);
  expect(await roundsOfOthers(round, airtel.sent, 1)).toBe(usual);
  answer();
  await lanes.drain();
});

test('a connector gets no more at once than it can submit in half a second', async () => {
  const { connector, sent } = network(() => delivered);
  const state = { binds: 1, bound: 1, window: 1, inFlight: 0, ratePerSecond: 40 };
  const slow: Connector = { ...connector, state: () => state };
  const all = delivery.dependencies({ sms: slow });
  await acceptMany('Safaricom', 100);
  await delivery.deliverRound(all);
  expect(sent).toHaveLength(20);
  while (sent.length < 100) await delivery.deliverRound(all);
  expect(new Set(sent).size).toBe(100);
});

/** Time goes on by so much for what waits. */
async function pass(seconds: number): Promise<void> {
  const interval = `${seconds} seconds`;
  await delivery.knex.raw('update requests set created_at = created_at - ?::interval', [interval]);
  await delivery.knex.raw('update jobs set expires_at = expires_at - ?::interval', [interval]);
}

test('a message that waits expires after as long as its service says, and is refunded', async () => {
  const { knex } = delivery;
  const [{ id: team_id }] = await knex('teams').limit(1);
  await knex('services').insert({ id: 'r', team_id, name: 'R', sender: 'R', validity_seconds: 60 });
  await delivery.acceptRequest({ validitySeconds: 60 }, [{ units: 3 }]);
  for (const seconds of [0, 30, 31]) {
    await pass(seconds);
    for (let round = 0; round < 2; round += 1) await delivery.deliver({});
    expect(await delivery.states()).toEqual([seconds === 31 ? 'Expired' : 'Queued']);
  }
  expect([await delivery.balance(), await delivery.receipts(), await openJobs()]).toEqual([
    10_000,
    ['Expired'],
    [],
  ]);
  await knex('services').delete();
});

test('a bundle that its provider may have does not expire', async () => {
  const fails: Connector = {
    send: () => Promise.reject(new Error('reset')),
    ask: async (messages) => messages.map(() => delivered),
  };
  await delivery.accept({ product: 'data', content: '1GB' });
  await delivery.deliver({ data: fails });
  await delivery.knex.raw(`update requests set created_at = now() - interval '2 hours'`);
  await delivery.hurry();
  for (let round = 0; round < 3; round += 1) await delivery.deliver({});
  expect([await delivery.states(), (await openJobs()).length]).toEqual([['Sending'], 1]);
  await delivery.deliver({ data: fails });
  expect(await delivery.states()).toEqual(['Delivered']);
});

test('a worker does not look without a pause for jobs that another one holds in a transaction', async () => {
  if (delivery.embedded) {
    process.stdout.write('skipped: the embedded database has one session\n');
    return;
  }
  await delivery.accept({});
  const { connector, sent } = network(() => delivered);
  const lanes = createLanes(delivery.dependencies({ sms: connector }));
  const busy: boolean[] = [];
  await delivery.knex.transaction(async (trx) => {
    await trx('jobs').forUpdate();
    for (let round = 0; round < 5; round += 1) busy.push(await lanes.round());
  });
  expect(busy.slice(-2)).toEqual([false, false]);
  await delivery.deliverRound(delivery.dependencies({ sms: connector }), lanes);
  expect(sent).toHaveLength(1);
});

describe('a job that is claimed again while its lot is under way', () => {
  /** The first lot hangs at its network until `respond`. */
  async function claimedAgain(lots: number, between: () => Promise<unknown>) {
    const sent: string[] = [];
    const open: (() => void)[] = [];
    const connector: Connector = {
      send: (messages) => {
        sent.push(...messages.map(({ phone }) => phone));
        return new Promise((resolve) => {
          open.push(() => resolve(messages.map(() => delivered)));
        });
      },
    };
    const { lanes, round } = watched({ ...delivery.dependencies({ sms: connector }), lotsPerConnector: 2 });
    await delivery.accept({});
    await round(1);
    while (open.length === 0) await new Promise(setImmediate);
    await between();
    await round(lots);
    while (open.length < lots) await new Promise(setImmediate);
    const claims = (await openJobs()).map((job) => job.claims);
    for (const respond of open) respond();
    await lanes.drain();
    return { claims, lots: sent.length };
  }
  const endLease = (more = {}) =>
    delivery.knex('jobs').update({ due_at: delivery.knex.raw(`service_now() - interval '1 s'`), ...more });

  test('because the clock was set forward: it stays with its lot, and is sent once', async () => {
    expect(await claimedAgain(1, () => endLease())).toEqual({ claims: [2], lots: 1 });
    expect([await delivery.states(), await openJobs()]).toEqual([['Delivered'], []]);
  });

  test('and that another process had in between: its messages belong to the new claim', async () => {
    expect(await claimedAgain(2, () => endLease({ claims: 2 }))).toEqual({ claims: [3], lots: 2 });
  });
});
