/** What lists of the audit log have, and what they read of it: a few pages, however many entries there are. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { type Explained, rowsRead } from '../platform/db/plan-testing.ts';
import { type AuditEntry, type AuditFilter, auditQuery, listAuditEntries } from './audit-repository.ts';

const stored = Number(process.env.AUDIT_STORED ?? 20_000);
const second = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 1_000);

let all: AuditEntry[];
const database = testDatabase();
beforeAll(async () => {
  // One each second, of processes whose clocks differ; what is rare is among the oldest.
  await database.knex.raw(
    `insert into audit_log (at, actor_kind, actor_name, action, noun, noun_id, team_id)
     select :start::timestamptz + (n + case n % 3 when 0 then 7 else 0 end) * interval '1 second', 'user',
       case when n <= 20 then 'amina' when n <= :stored / 2 then 'former' else 'program' end, 'change',
       case when n <= 20 then 'channel' else 'client' end,
       case when n <= 20 then 'Safaricom' else 'c-' || n % 50 end,
       case when n <= :stored / 2 then 'former' else 'acme' end
     from generate_series(1, :stored::integer) n`,
    { start: second(0), stored },
  );
  await database.knex.raw('analyze audit_log');
  all = await listAuditEntries(database.knex, { limit: stored });
});

const filters: Record<string, Omit<AuditFilter, 'limit'>> = {
  none: {},
  'of a team': { team: 'acme' },
  'of a team that changed much, long ago': { team: 'former' },
  'by somebody who changed much, long ago': { actor: 'former' },
  'by somebody who changed little': { actor: 'amina' },
  'by somebody who changed nothing': { actor: 'nobody' },
  'of a rare kind': { noun: 'channel' },
  'of an id': { nounId: 'Safaricom' },
  'of a resource': { noun: 'channel', nounId: 'Safaricom' },
  'before an old time': { to: second(100) },
  'of a time without entries': { from: second(stored + 100) },
  'of a team in an old time': { team: 'former', from: second(50), to: second(100) },
  'by an actor in an old time': { actor: 'former', from: second(50), to: second(100) },
};

describe.each(Object.entries(filters))('changes, filter: %s', (_name, filter) => {
  test('are those that match, the newest first, page by page', async () => {
    const { team, noun, nounId, actor, from, to } = filter;
    const matches = (one: AuditEntry) =>
      [undefined, one.teamId].includes(team) &&
      [undefined, one.noun].includes(noun) &&
      [undefined, one.nounId].includes(nounId) &&
      [undefined, one.actorName].includes(actor) &&
      (from === undefined || one.at >= from) &&
      (to === undefined || one.at < to);
    const wanted = all
      .filter(matches)
      .sort((one, other) => other.at.getTime() - one.at.getTime() || Number(other.id) - Number(one.id))
      .map(({ id }) => id);
    const found: string[] = [];
    while (found.length < Math.min(wanted.length, 100)) {
      const before = found.at(-1);
      const page = await listAuditEntries(database.knex, { ...filter, before, limit: 9 });
      expect(page.length).toBeGreaterThan(0);
      found.push(...page.map(({ id }) => id));
    }
    expect(found).toEqual(wanted.slice(0, found.length));
  });

  test('cost no more than a few pages, the first one and a late one', async () => {
    const read = async (before: string | undefined) => {
      const { rows } = await database.knex.raw<{ rows: Explained[] }>('explain (analyze, format json) ?', [
        auditQuery(database.knex, { ...filter, before, limit: 9 }),
      ]);
      return rowsRead(rows, 'audit_log');
    };
    for (const before of [undefined, stored - 70, stored / 2, 70, 10])
      expect(await read(before?.toString())).toBeLessThanOrEqual(30);
  });
});

test('an entry that the period leaves out is no way around its end', async () => {
  const newest = String(stored);
  const page = await listAuditEntries(database.knex, { to: second(100), before: newest, limit: 1 });
  expect(page[0]?.at).toEqual(second(98));
});
