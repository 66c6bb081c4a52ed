/** A team moves whole, whatever cuts the move short: what it may, what it has sent and to whom, and each unit once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inspectSeals } from '../../ledger/inspection-repository.ts';
import { sealLedgers, startSealCount } from '../../ledger/seal-repository.ts';
import { sized } from '../../platform/sized-testing.ts';
import { findGrants } from '../../products/data/grants-repository.ts';
import { moveWaiting } from '../../queue/clock-set-back.ts';
import { type Managed, openManaged, sentencesOf } from '../testing.ts';
import { topUp } from '../units/accounts.ts';
import { copyTeam, moveTeam } from './move-team.ts';
import { addChannel, addTeam, balances, grants, shape } from './testing.ts';

let home: Managed;
let away: Managed;
const waitSeconds = 0;
const move = (from: Managed, to: Managed, team: string) =>
  moveTeam(from.management, to.management, team, { waitSeconds });

beforeAll(async () => {
  [home, away] = [await openManaged(process.env.DATABASE_URL), await openManaged(process.env.DATABASE_URL)];
  // Test databases are copies of one.
  await away.database.knex('archive').update({ database: randomUUID() });
  away.management = { ...away.management, secrets: home.management.secrets };
  for (const { database } of [home, away]) {
    await startSealCount(database.knex, home.secrets);
    await addChannel(database.knex);
  }
});
afterAll(async () => {
  await home?.database.close();
  await away?.database.close();
});

describe('a team that moves', () => {
  let before: object;
  beforeAll(async () => {
    await addTeam(home.management, 'acme');
    before = await shape(home.database.knex, 'acme');
  });

  test('is copied while it sends, and again with what has changed since', async () => {
    const copied = await copyTeam(home.management, away.management, 'acme');
    expect(copied).toEqual({ added: 16, changed: 0, removed: 0, idempotencyKeys: 1 });
    const { accounts: _, ...copy } = (await shape(away.database.knex, 'acme')) as { accounts: unknown };
    const { accounts: __, ...original } = before as { accounts: unknown };
    expect(copy).toEqual(original);

    const { knex } = home.database;
    await knex('opt_outs').where({ team_id: 'acme' }).delete();
    await knex('services').where({ id: 'acme-sms' }).update({ sender: 'ACME2' });
    await knex('campaign_grants').where({ phone_hash: 'pending' }).delete();
    await knex('keyword_replies').insert({
      ...{ phone_hash: 'p-new', product: 'sms', service_id: 'acme-sms', action: 'Help' },
    });
    expect(await copyTeam(home.management, away.management, 'acme')).toEqual({
      ...{ added: 1, changed: 2, removed: 2, idempotencyKeys: 0 },
    });
    expect(await away.database.knex('services').where({ id: 'acme-sms' }).pluck('sender')).toEqual(['ACME2']);
    await knex('services').where({ id: 'acme-sms' }).update({ sender: 'ACME' });
  });
  test('sends from there, and only reads here; each unit is in one of the cells', async () => {
    const { knex } = home.database;
    expect(await balances(knex, 'acme')).toEqual([7, 100]);
    const moved = await move(home, away, 'acme');
    expect(moved).toMatchObject({ units: 107, open: { messages: 0, receipts: 0 } });
    expect(await balances(knex, 'acme')).toEqual([0, 0]);
    expect(await balances(away.database.knex, 'acme')).toEqual([7, 100]);
    const scopesIn = ({ database }: Managed) =>
      database.knex('clients').where({ team_id: 'acme' }).pluck('scopes');
    expect(await scopesIn(home)).toEqual([['message.read']]);
    expect(await scopesIn(away)).toEqual([['message.sms.send.oneway', 'message.read']]);
    for (const { database } of [home, away]) {
      await sealLedgers(database.knex, home.secrets);
      expect(await inspectSeals(database.knex, home.secrets, 1_000)).toEqual([]);
    }
  });

  test('who opts out in either cell is left alone by both, and bundles on their way decide about their grants', async () => {
    const [here, there] = [home.database.knex, away.database.knex];
    const stop = { product: 'sms', team_id: 'acme', target: 'ALL', source: 'Keyword' };
    const aMinuteAgo = there.raw("service_now() - interval '1 minute'");
    await there('opt_outs').insert({ ...stop, phone_hash: 'p-there', created_at: aMinuteAgo });
    await here('opt_outs').insert({ ...stop, phone_hash: 'p-here', created_at: here.raw('service_clock()') });
    // One was not given, and one is given again there.
    await here('campaign_grants').where({ campaign_id: 'acme-gift', phone_hash: 'older' }).delete();
    const fresh = { campaign_id: 'acme-gift', phone_hash: 'fresh' };
    await there('campaign_grants').where(fresh).update({ message_id: 77 });
    await topUp(home.management, { team: 'acme', product: 'Sms', units: 5 });

    expect(await move(home, away, 'acme')).toMatchObject({ units: 5 });
    for (const { database } of [home, away])
      expect(
        await database.knex('opt_outs').where({ team_id: 'acme' }).orderBy('phone_hash').pluck('phone_hash'),
      ).toEqual(['p-here', 'p-there']);
    const left = await there('campaign_grants').select('phone_hash', 'message_id');
    expect(left).toEqual([{ phone_hash: 'fresh', message_id: '77' }]);

    // Who opts in again stays in.
    await there('opt_outs').where({ phone_hash: 'p-there' }).delete();
    await move(home, away, 'acme');
    expect(await here('opt_outs').where({ team_id: 'acme' }).pluck('phone_hash')).toEqual(['p-here']);
  });

  test('who opts out after the clock was set back is not forgotten', async () => {
    const [here, there] = [home.database.knex, away.database.knex];
    await here('team_moves').update({ opt_outs_until: here.raw("service_now() + interval '1 hour'") });
    await moveWaiting(here);
    await here('opt_outs').insert({
      ...{ phone_hash: 'p-later', product: 'sms', team_id: 'acme', target: 'ALL', source: 'Keyword' },
    });
    await move(home, away, 'acme');
    for (const knex of [here, there])
      expect(await knex('opt_outs').where({ phone_hash: 'p-later' }).delete()).toBe(1);
  });

  test('comes home in the same way', async () => {
    await away.database.knex('services').where({ id: 'acme-sms' }).update({ sender: 'AWAY' });
    await move(away, home, 'acme');
    expect(await balances(home.database.knex, 'acme')).toEqual([7, 105]);
    expect(await shape(home.database.knex, 'acme')).toMatchObject({
      services: [{ id: 'acme-sms', sender: 'AWAY' }],
      clients: [{ scopes: ['message.sms.send.oneway', 'message.read'] }],
      grants: [{ phone_hash: 'fresh' }],
    });
    expect(await move(away, home, 'acme')).toMatchObject({ units: 0 });
  });
});

test('what the former cell learned after the last call comes home too', async () => {
  const [here, there] = [home.database.knex, away.database.knex];
  await addTeam(home.management, 'late');
  await move(home, away, 'late');
  const stop = { product: 'sms', team_id: 'late', target: 'ALL', source: 'Network' };
  await here('opt_outs').insert({ ...stop, phone_hash: 'p-stop', created_at: here.raw('service_clock()') });
  await here('campaign_grants').where({ campaign_id: 'late-gift', phone_hash: 'pending' }).delete();
  await topUp(home.management, { team: 'late', product: 'Sms', units: 5 });
  await move(away, home, 'late');
  const stored = (await shape(here, 'late')) as Record<'optOuts' | 'grants', { phone_hash: string }[]>;
  expect(await here('opt_outs').where({ team_id: 'late' }).orderBy('phone_hash').pluck('phone_hash')).toEqual(
    [...['p-late', 'p-stop']],
  );
  expect(stored.grants.map(({ phone_hash }) => phone_hash)).toEqual(['fresh', 'older']);
  expect([await balances(here, 'late'), await balances(there, 'late')]).toEqual([
    [7, 105],
    [0, 0],
  ]);
});

test('databases of different time zones agree, and on when a template was approved', async () => {
  const { knex } = away.database;
  await addTeam(home.management, 'zones');
  const approved = { approved_at: '2026-01-02T03:04:05Z' };
  await home.database.knex('sms_templates').where({ id: 'zones-code' }).update(approved);
  await knex.raw("set timezone to 'Asia/Tokyo'");
  await move(home, away, 'zones');
  expect(await knex('sms_templates').where({ id: 'zones-code' }).first('approved_at')).toEqual({
    approved_at: new Date(approved.approved_at),
  });
  expect(await move(home, away, 'zones')).toMatchObject({ added: 0, changed: 0, removed: 0 });
  await knex.raw('reset timezone');
});

test('a copy that meets a change of a process begins again, five times at most', async () => {
  await addTeam(home.management, 'busy');
  const { knex } = away.database;
  let conflicts = 0;
  const conflict = ({ sql }: { sql: string }) => {
    if (!sql.startsWith('insert into opt_outs') || conflicts === 0) return;
    conflicts -= 1;
    throw Object.assign(new Error('could not serialize access'), { code: '40001' });
  };
  knex.on('query', conflict);
  conflicts = 4;
  expect(await copyTeam(home.management, away.management, 'busy')).toMatchObject({ removed: 0 });
  conflicts = 5;
  await away.database.knex('opt_outs').where({ team_id: 'busy' }).delete();
  expect(await sentencesOf(copyTeam(home.management, away.management, 'busy'))).toEqual([
    'the rows to be copied keep changing: run the command again',
  ]);
  knex.off('query', conflict);
  expect(await copyTeam(home.management, away.management, 'busy')).toMatchObject({ added: 1 });
});

test('a grant that came along counts in the new cell', async () => {
  await addTeam(home.management, 'granted');
  await move(home, away, 'granted');
  const found = await findGrants(away.database.knex, 'granted-gift', [...grants, 'nobody'], (phone) => phone);
  expect(Object.fromEntries(found)).toEqual({
    ...{ fresh: 'used', older: 'used', pending: 'claimed', nobody: 'open' },
  });
});

test('a move that is cut short before one of its statements is finished by the next', async () => {
  const knexes = [home.database.knex, away.database.knex];
  let left = Number.POSITIVE_INFINITY;
  const cut = ({ sql }: { sql: string }) => {
    if (/^(begin|set transaction|commit|rollback)/i.test(sql)) return;
    left -= 1;
    if (left < 0) throw new Error('cut short');
  };
  for (const knex of knexes) knex.on('query', cut);
  const everything = async (id: string) => {
    const { keys, accounts, clients, ...others } = (await shape(away.database.knex, id)) as Record<
      string,
      unknown[]
    >;
    return JSON.stringify({
      keys,
      accounts,
      clients,
      ...others,
      home: await balances(home.database.knex, id),
    });
  };
  const nameless = (text: string, id: string) =>
    text.replaceAll(id, 'team').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'time');
  await addTeam(home.management, 'cut-none');
  await move(home, away, 'cut-none');
  const whole = nameless(await everything('cut-none'), 'cut-none');
  expect(whole).toContain('"balance":"100"');

  let at = 0;
  for (let ended = false; !ended; at += sized(7, 1)) {
    const id = `cut-${at}`;
    await addTeam(home.management, id);
    left = at;
    ended = await move(home, away, id).then(
      () => true,
      (error: Error) => {
        expect(error.message).toContain('cut short');
        return false;
      },
    );
    left = Number.POSITIVE_INFINITY;
    if (!ended) await move(home, away, id);
    expect(nameless(await everything(id), id)).toBe(whole);
  }
  expect(at).toBeGreaterThan(100);
  for (const knex of knexes) knex.off('query', cut);
});

describe('a move is refused', () => {
  const refusal = (from: Managed, to: Managed, team: string) => sentencesOf(move(from, to, team));

  test('of a team that nobody knows', async () => {
    expect(await refusal(home, away, 'nobody')).toEqual(['team nobody does not exist']);
  });

  test('to the same database', async () => {
    await home.database.knex('teams').insert({ id: 'same', name: 'same' });
    expect(await refusal(home, home, 'same')).toEqual(['the other database is the same as this one']);
  });

  test('to a cell with another SECRET_KEY', async () => {
    const other = { ...away, management: { ...away.management, secrets: async () => away.secrets } };
    expect(await refusal(home, other, 'same')).toEqual([
      'the cells have had different SECRET_KEYs: run `npx tarishi cell keys` in the new one first',
    ]);
  });

  test('to a cell that lacks its channels and connectors, or has a team or a client of that name', async () => {
    await addTeam(home.management, 'lacking');
    await away.database.knex('channels').update({ active: false });
    await home.database.knex('chatapp_numbers').where({ id: 'lacking-number' }).update({ connector: 'wa' });
    expect(await refusal(home, away, 'lacking')).toEqual([
      'the other cell lacks connector wa, channel Safaricom',
    ]);
    await away.database.knex('channels').update({ active: true });
    await home.database
      .knex('chatapp_numbers')
      .where({ id: 'lacking-number' })
      .update({ connector: 'simulator' });
    await away.database.knex('teams').insert({ id: 'lacking', name: 'Another' });
    expect(await refusal(home, away, 'lacking')).toEqual(['the other cell has a team lacking of its own']);
    await away.database.knex('teams').where({ id: 'lacking' }).update({ id: 'other' });
    await away.database.knex('services').insert({
      ...{ id: 'lacking-sms', team_id: 'other', name: 'SMS', sender: 'OTHER' },
    });
    expect(await refusal(home, away, 'lacking')).toEqual([
      'the other cell has rows of another team with the same ids: Key (id)=(lacking-sms) already exists.',
    ]);
  });

  test('from the cell that it is moving to, or to a third one', async () => {
    await addTeam(home.management, 'both');
    await copyTeam(home.management, away.management, 'both');
    expect(await refusal(away, home, 'both')).toEqual([
      'team both is on its way to this cell: move it from the one that it leaves',
    ]);
    await away.database.knex('team_moves').where({ team_id: 'both' }).update({ database: randomUUID() });
    expect(await refusal(home, away, 'both')).toEqual([
      'the other cell is about to get team both from a third one, or gave it to one',
    ]);
  });
});
