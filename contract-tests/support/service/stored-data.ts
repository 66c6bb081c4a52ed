/** Looks into a stopped service's data: its directory, or its PostgreSQL database. */
import type { Knex } from 'knex';
import { pino } from 'pino';
import { openDatabase } from '../../../src/platform/db/knex.ts';
import type { Service } from './service.ts';

/** The service must not run: the embedded database serves one process. */
export async function withStoredData<Result>(
  service: Service,
  look: (knex: Knex) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(
    { databaseUrl: service.databaseUrl, dataDirectory: service.dataDirectory, poolSize: 2 },
    pino({ level: 'silent' }),
    (error) => {
      throw error;
    },
  );
  try {
    return await look(database.knex);
  } finally {
    await database.close();
  }
}

/**
 * Ends the leases of a process that was killed, as a minute would: the next one to start takes its jobs and receipts.
 * The embedded database's service does so by itself.
 */
export async function endLeases(service: Service): Promise<void> {
  if (service.databaseUrl === undefined) return;
  await withStoredData(service, async (knex) => {
    await knex.raw('update jobs set due_at = now() where claimed');
    await knex.raw('update receipts set next_attempt_at = now() where claimed_by is not null');
  });
}

/** Restarts a service whose processes were killed with nothing left to wait for: every claim and pause is over. */
export async function restartUnclaimed(service: Service): Promise<void> {
  await service.stop();
  await endLeases(service);
  await withStoredData(service, (knex) =>
    knex.raw(`update receipts set next_attempt_at = now() where state = 'Waiting'`),
  );
  await service.restart();
}

/** Rows of one query. */
export async function rowsOf<Row>(knex: Knex, query: string): Promise<Row[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(query);
  return rows;
}

/** Accounts whose balance is not the sum of their ledger. There must be none. */
export function unbalancedAccounts(knex: Knex): Promise<{ id: string }[]> {
  return rowsOf(
    knex,
    `select id, balance, (select coalesce(sum(units), 0) from ledger_entries where account_id = accounts.id) as ledger
     from accounts
     where balance <> (select coalesce(sum(units), 0) from ledger_entries where account_id = accounts.id)`,
  );
}

/** Adds units to every account of a team, as an operator would. */
export async function topUp(knex: Knex, teamId: string, units: number): Promise<void> {
  await knex.raw(
    `with account as (
       update accounts set balance = balance + ? where team_id = ? returning id
     ) insert into ledger_entries (account_id, units, reason) select id, ?, 'TopUp' from account`,
    [units, teamId, units],
  );
}

/** How many rows each table has, but for those that count requests. */
export async function countRows(knex: Knex): Promise<Record<string, number>> {
  const tables = await rowsOf<{ name: string }>(
    knex,
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'rate_windows'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await rowsOf<{ count: string }>(knex, `select count(*) from ${name}`);
    counts[name] = Number(row?.count);
  }
  return counts;
}
