/** Runs checkpoints and vacuum on PGlite, which has none of PostgreSQL's background processes. */
import type { Knex } from 'knex';
import type { Stopwatch } from '../../clock.ts';

/** The log that the successor of a killed process reads before it can start: some hundred megabytes take seconds. */
const logLimitBytes = 128 * 1024 * 1024;

/** Share of wall-clock time that maintenance may use; it blocks all other queries. Unused time is saved up. */
const share = 1 / 30;
const savedLimitMs = 1_000;

/** A round of upkeep for the embedded database; to be run every few seconds. */
export function createUpkeep(knex: Knex, clock: Stopwatch): () => Promise<void> {
  let savedMs = savedLimitMs;
  let countedMs = clock.elapsedMs();
  return async () => {
    await checkpointWhenDue(knex);
    const nowMs = clock.elapsedMs();
    savedMs = Math.min(savedLimitMs, savedMs + (nowMs - countedMs) * share);
    countedMs = nowMs;
    for (const { name, command } of await chores(knex)) {
      if (savedMs <= 0) return;
      const startedMs = clock.elapsedMs();
      await knex.raw(`${command} ${name}`);
      savedMs -= clock.elapsedMs() - startedMs;
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

interface Chore {
  /** A table's quoted name. */
  name: string;
  command: 'vacuum' | 'analyze' | 'vacuum (analyze)';
}

/**
 * By the rules and the defaults of autovacuum (PostgreSQL 18, 24.1.6); what has most dead rows for its size first.
 * What is stored out of line is vacuumed with its table, and of pg_statistic there are no statistics.
 */
async function chores(knex: Knex): Promise<Chore[]> {
  // Counts of this session become visible to others, and to itself, only now and then.
  await knex.raw('select pg_stat_force_next_flush()');
  const { rows } = await knex.raw<{ rows: Chore[] }>(
    `select name, case when not changed then 'vacuum' when littered then 'vacuum (analyze)' else 'analyze' end as command
     from (
       select format('%I.%I', schemaname, stat.relname) as name,
         n_dead_tup > 50 + 0.2 * size or n_ins_since_vacuum > 1000 + 0.2 * size as littered,
         n_mod_since_analyze > 50 + 0.1 * size and relid <> 'pg_statistic'::regclass as changed,
         n_dead_tup / (50 + 0.2 * size) as urgency
       from pg_stat_all_tables stat join pg_class on oid = relid, greatest(reltuples, 0) as size
       where relkind = 'r'
     ) as tables
     where littered or changed
     order by urgency desc`,
  );
  return rows;
}
