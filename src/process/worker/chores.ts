/** Periodic chores: messages without a report, old keys, seals, counts, retention, maintenance of the embedded database. */
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { sealLedgers } from '../../balances/seal-repository.ts';
import { type Stopwatch, systemClock } from '../../clock.ts';
import { createUpkeep } from '../../db/embedded/upkeep.ts';
import { announce, type Listeners } from '../../delivery/announce.ts';
import { type Loop, startLoop } from '../../delivery/loop.ts';
import type { Pace } from '../../delivery/pace.ts';
import { purgeParts } from '../../delivery/reports/part-repository.ts';
import { keyLifetimeSeconds } from '../../intake/intake.ts';
import type { KeyRepository } from '../../intake/repository.ts';
import { createParts } from '../../isolation/parts.ts';
import { type Consequences, recordSilence } from '../../receipts/record.ts';
import { retain } from '../../retention/chore.ts';
import type { HashPhone } from '../../retention/erase-repository.ts';
import type { Periods } from '../../retention/progress-repository.ts';
import { countMessages, recountMessages } from '../../statistics/count-repository.ts';

export interface HousekeepingDependencies extends Listeners {
  knex: Knex;
  keys: KeyRepository;
  consequences: Consequences;
  retentionDays: Periods;
  hashPhone: HashPhone;
  logger: Logger;
}

/** No report within 72 hours of the hand-over's beginning: the message's state stays uncertain. */
export const silenceSeconds = 72 * 3600;
const silencesPerRound = 500;
/** A chat-app message may be read weeks after it was sent. */
const partLifetimeSeconds = 30 * 24 * 3600;
const idleMs = 60_000;

export function startHousekeeping(dependencies: HousekeepingDependencies): Loop {
  const { knex, keys, consequences, retentionDays, hashPhone, logger, ...listeners } = dependencies;
  const accountParts = createParts('ledger seals', logger, systemClock);
  const teamParts = {
    texts: createParts('retention of texts', logger, systemClock),
    receipts: createParts('retention of receipts', logger, systemClock),
    numbers: createParts('retention of numbers', logger, systemClock),
  };
  const chores: Record<string, () => Promise<boolean>> = {
    silence: async () => {
      const { events } = listeners;
      const { reached, more } = await recordSilence(
        knex,
        events,
        silenceSeconds,
        silencesPerRound,
        consequences,
      );
      announce(reached, listeners);
      return more;
    },
    'idempotency keys': async () => {
      await keys.purge(keyLifetimeSeconds);
      return false;
    },
    'message parts': async () => {
      await purgeParts(knex, partLifetimeSeconds);
      return false;
    },
    'ledger seals': () => sealLedgers(knex, accountParts),
    'message counts': () => countMessages(knex),
    'changed message counts': async () => {
      await recountMessages(knex);
      return false;
    },
    retention: () =>
      retain({
        knex,
        periods: retentionDays,
        hashPhone,
        consequences,
        events: listeners.events,
        teamParts,
      }),
  };
  return startLoop('housekeeping', idleMs, logger, () => runChores(chores, logger));
}

/** Runs all chores, whatever happens to each; returns whether one of them has more to do at once. */
export async function runChores(
  chores: Readonly<Record<string, () => Promise<boolean>>>,
  logger: Logger,
): Promise<boolean> {
  let more = false;
  for (const [name, chore] of Object.entries(chores))
    try {
      more = (await chore()) || more;
    } catch (error) {
      logger.error({ err: error, chore: name }, 'housekeeping chore failed; it runs again in a minute');
    }
  return more;
}

const upkeepIdleMs = 10_000;

/** For the embedded database only: PostgreSQL does all this by itself. */
export function startUpkeep(knex: Knex, clock: Stopwatch, logger: Logger, pace: Pace): Loop {
  const upkeep = createUpkeep(knex, clock);
  return startLoop(
    'upkeep',
    upkeepIdleMs,
    logger,
    async () => {
      await upkeep();
      return false;
    },
    pace,
  );
}
