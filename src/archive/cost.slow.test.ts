/** What each statement of the archive reads: the rows that leave, however many are stored. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Explained, rowsRead } from '../platform/db/plan-testing.ts';
import { archivedTexts, dueTeamsText, type Leaver, leavingText } from './leaving-repository.ts';
import { periods, testArchive } from './testing.ts';

/** Half of them old enough to leave. */
const stored = Number(process.env.ARCHIVE_STORED ?? 20_000);
const batch = 50;
const idOf = (n: string) => `lpad(to_hex(${n}), 32, '0')::uuid`;
const ageOf = (n: string) => `service_now() - (800 - 800.0 * ${n} / ${stored}) * interval '1 day'`;

const archive = testArchive();
beforeAll(async () => {
  const { knex } = archive.database;
  const each = `from generate_series(1, ${stored}) n`;
  for (const statement of [
    `insert into requests (id, team_id, client_id, operation, resource_id, created_at)
     select ${idOf('n')}, 'acme', 'orders', 'sendSms', 'orders', ${ageOf('n')} ${each}`,
    `insert into messages (request_id, team_id, position, product, channel, phone, content, units, state, final_at)
     select ${idOf('n')}, 'acme', 0, 'sms', 'Safaricom', '#', '', 1, 'Delivered', ${ageOf('n')} ${each}`,
    `insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body, state)
     select gen_random_uuid(), request_id, id, team_id, 'orders', 'https://shop.example', request_id, '', 'Delivered' from messages`,
    `insert into inbound_messages (id, team_id, product, service_id, connector, phone, recipient, kind, text, received_at)
     select ${idOf('n')}, 'acme', 'sms', 'orders', 'smsc', '#', '22141', 'text', '', ${ageOf('n')} ${each}`,
    `insert into receipts (id, team_id, client_id, url, origin_key, body, state)
     select id, team_id, 'orders', 'https://shop.example', id, '', 'Delivered' from inbound_messages`,
  ])
    await knex.raw(statement);
  // As autovacuum does long before rows are so old.
  await knex.raw('analyze');
}, 600_000);

/** Rows of the tables that leave, by table; nothing stays changed. */
async function readBy(text: string, bindings: object): Promise<number[]> {
  const { knex } = archive.database;
  const trx = await knex.transaction();
  try {
    const { rows } = await trx.raw<{ rows: Explained[] }>(`explain (analyze, format json) ${text}`, {
      ...bindings,
    });
    return ['requests', 'messages', 'receipts', 'message_parts', 'inbound_messages'].map((table) =>
      rowsRead(rows, table),
    );
  } finally {
    await trx.rollback();
  }
}

describe.each<Leaver>(['requests', 'inbound'])('of %s', (leaver) => {
  const team = { teamId: 'acme', days: 400, at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  /** For each list of a line, and for what keeps it. */
  const most = 6 * batch;

  test('finding the teams reads a row of each', async () => {
    const read = await readBy(dueTeamsText(leaver), { ...periods, leaver, afterTeam: '' });
    expect(Math.max(...read)).toBeLessThanOrEqual(2);
  });

  test.each([0, stored / 4])('a batch reads what leaves, also behind %s others', async (behind) => {
    const at = (await archive.database.knex.raw(`select (${ageOf(String(behind))})::text as at`)).rows[0].at;
    const read = await readBy(leavingText(leaver), { ...team, at, limit: batch });
    expect(Math.max(...read)).toBeGreaterThanOrEqual(batch);
    expect(Math.max(...read)).toBeLessThanOrEqual(most);
  });

  test('comparing, locking and deleting read what leaves', async () => {
    const { locks, compare, remove } = archivedTexts(leaver);
    const ids = Array.from({ length: batch }, (_, n) =>
      (n + 1)
        .toString(16)
        .padStart(32, '0')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    );
    for (const text of [...locks, compare, remove])
      expect(Math.max(...(await readBy(text, { ids })))).toBeLessThanOrEqual(most);
  });
});
