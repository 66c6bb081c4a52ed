/** What PostgreSQL's background processes do for its tables and its log; PGlite has none of them. */
import type { Knex } from 'knex';

/** What a killed process' successor reads again before it can start: seconds for some hundred megabytes. */
const logLimitBytes = 128 * 1024 * 1024;

/** A vacuum has the database for itself: the next one of a table comes after so many times as long. */
const restPerVacuum = 30;

/** A round of upkeep for the embedded database; to be run every few seconds. */
export function createUpkeep(knex: Knex): () => Promise<void> {
  const restUntilMs = new Map<string, number>();
  return async () => {
    await checkpointWhenDue(knex);
    for (const table of await tablesDue(knex)) {
      const startedMs = performance.now();
      if (startedMs < (restUntilMs.get(table) ?? 0)) continue;
      await knex.raw(`vacuum (analyze) ${table}`);
      const endedMs = performance.now();
      restUntilMs.set(table, endedMs + (endedMs - startedMs) * restPerVacuum);
    }
  };
}

/** Without one the write-ahead log would grow for as long as the process lives. */
async function checkpointWhenDue(knex: Knex): Promise<void> {
  const { rows } = await knex.raw<{ rows: { bytes: string }[] }>(
    'select pg_current_wal_lsn() - redo_lsn as bytes from pg_control_checkpoint()',
  );
  if (Number(rows[0]?.bytes) > logLimitBytes) await knex.raw('checkpoint');
}

/** By the rule and the defaults of autovacuum (PostgreSQL 18, 24.1.6), as quoted names. */
async function tablesDue(knex: Knex): Promise<string[]> {
  // What this session counted is seen by others, and by itself, only now and then.
  await knex.raw('select pg_stat_force_next_flush()');
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select format('%I.%I', schemaname, stat.relname) as name
     from pg_stat_all_tables stat join pg_class on oid = relid, greatest(reltuples, 0) as size
     where n_dead_tup > 50 + 0.2 * size or n_ins_since_vacuum > 1000 + 0.2 * size
       or n_mod_since_analyze > 50 + 0.1 * size`,
  );
  return rows.map(({ name }) => name);
}
