/** The chores that keep the service healthy while nobody looks: silence, old keys, the embedded database. */
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { announce, type Listeners } from './delivery/announce.ts';
import { type Loop, startLoop } from './delivery/loop.ts';
import { purgeParts } from './delivery/report-repository.ts';
import { keyLifetimeSeconds } from './intake/intake.ts';
import type { KeyRepository } from './intake/repository.ts';
import { type Consequences, recordSilence } from './receipts/record.ts';

export interface HousekeepingDependencies extends Listeners {
  knex: Knex;
  embedded: boolean;
  keys: KeyRepository;
  consequences: Consequences;
  logger: Logger;
}

/** No report within 72 hours of the hand-over's beginning: the message's state stays uncertain. */
const silenceSeconds = 72 * 3600;
const silencesPerRound = 500;
/** A chat-app message may be read weeks after it was sent. */
const partLifetimeSeconds = 30 * 24 * 3600;
const idleMs = 60_000;

export function startHousekeeping(dependencies: HousekeepingDependencies): Loop {
  const { knex, embedded, keys, consequences, logger, ...listeners } = dependencies;
  const checkpoints = embedded ? startCheckpoints(knex, logger) : undefined;
  const chores = startLoop('housekeeping', idleMs, logger, async () => {
    const reached = await knex.transaction((trx) =>
      recordSilence(trx, silenceSeconds, silencesPerRound, consequences),
    );
    announce(reached, listeners);
    await keys.purge(keyLifetimeSeconds);
    await purgeParts(knex, partLifetimeSeconds);
    // PGlite has no autovacuum, and a busy queue leaves many dead rows behind.
    if (embedded) await knex.raw('vacuum (analyze)');
    return reached.length === silencesPerRound;
  });
  return {
    wake: chores.wake,
    stop: async () => {
      await Promise.all([chores.stop(), checkpoints?.stop()]);
    },
  };
}

/** What a killed process' successor reads again before it can start: seconds for some hundred megabytes. */
const logLimitBytes = 128 * 1024 * 1024;
const checkpointIdleMs = 10_000;

/** PGlite makes no checkpoints of its own: its write-ahead log would grow for as long as the process lives. */
function startCheckpoints(knex: Knex, logger: Logger): Loop {
  return startLoop('checkpoints', checkpointIdleMs, logger, async () => {
    const { rows } = await knex.raw<{ rows: { bytes: string }[] }>(
      'select pg_current_wal_lsn() - redo_lsn as bytes from pg_control_checkpoint()',
    );
    if (Number(rows[0]?.bytes) > logLimitBytes) await knex.raw('checkpoint');
    return false;
  });
}
