/** Periodic chores: messages without a report, texts of phones without all parts, old keys, sessions, seals, counts, retention, a clock set back, upkeep of the embedded database. */
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { purgeCodes } from '../../accept/codes/repository.ts';
import { keyLifetimeSeconds } from '../../accept/intake.ts';
import type { KeyRepository } from '../../accept/repository.ts';
import { purgeSessions } from '../../console/session/repository.ts';
import { announce, type Listeners } from '../../delivery/announce.ts';
import { type Loop, startLoop } from '../../delivery/loop.ts';
import { createOrphanSearch, type OrphanDependencies } from '../../delivery/orphans/search.ts';
import type { Pace } from '../../delivery/pace.ts';
import { purgeParts } from '../../delivery/reports/part-repository.ts';
import { endTexts, type InboundDependencies } from '../../inbound/receive.ts';
import type { LedgerKey } from '../../ledger/confirmation.ts';
import { sealLedgers } from '../../ledger/seal-repository.ts';
import { noteUse } from '../../ledger/use-repository.ts';
import { type Stopwatch, systemClock } from '../../platform/clock.ts';
import { createUpkeep } from '../../platform/db/embedded/upkeep.ts';
import { createParts } from '../../platform/isolation/parts.ts';
import { acceptClock, moveWaiting, readClock } from '../../queue/clock-set-back.ts';
import { countMessages, recountMessages } from '../../read/statistics/count-repository.ts';
import { purgeMinutes } from '../../read/statistics/minute-repository.ts';
import { type Consequences, recordSilence } from '../../receipts/record.ts';
import { retain } from '../../retention/chore.ts';
import type { HashPhone } from '../../retention/erase-repository.ts';
import type { Periods } from '../../retention/progress-repository.ts';

export interface HousekeepingDependencies extends Listeners, Omit<OrphanDependencies, 'events'> {
  keys: KeyRepository;
  inbound: InboundDependencies;
  consequences: Consequences;
  retentionDays: Periods;
  hashPhone: HashPhone;
  /** Confirms the seals of ledgers. */
  ledgerKey: LedgerKey;
  logger: Logger;
}

/** No report within 72 hours of the hand-over's beginning: the message's state stays uncertain. */
export const silenceSeconds = 72 * 3600;
const silencesPerRound = 500;
/** A chat-app message may be read weeks after it was sent. */
const partLifetimeSeconds = 30 * 24 * 3600;
const idleMs = 60_000;

export function startHousekeeping(dependencies: HousekeepingDependencies): Loop {
  const {
    knex,
    queue,
    validitySeconds,
    keys,
    inbound,
    consequences,
    retentionDays,
    hashPhone,
    ledgerKey,
    logger,
    ...listeners
  } = dependencies;
  const { events } = listeners;
  const searchOrphans = createOrphanSearch({ knex, queue, validitySeconds, events });
  const accountParts = createParts('ledger seals', logger, systemClock);
  const teamParts = {
    texts: createParts('retention of texts', logger, systemClock),
    receipts: createParts('retention of receipts', logger, systemClock),
    numbers: createParts('retention of numbers', logger, systemClock),
  };
  const chores: Record<string, () => Promise<boolean>> = {
    silence: async () => {
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
    'orphaned messages': async () => {
      await searchOrphans();
      return false;
    },
    'idempotency keys': async () => {
      await keys.purge(keyLifetimeSeconds);
      return false;
    },
    'counts of codes': async () => {
      await purgeCodes(knex);
      return false;
    },
    'message parts': async () => {
      await purgeParts(knex, partLifetimeSeconds);
      return false;
    },
    'texts of phones in parts': () => endTexts(inbound),
    'console sessions': () => purgeSessions(knex),
    'ledger seals': () => sealLedgers(knex, ledgerKey, accountParts),
    'units used': async () => {
      await noteUse(knex);
      return false;
    },
    'message counts': () => countMessages(knex),
    'changed message counts': async () => {
      await recountMessages(knex);
      return false;
    },
    'minute counts': async () => {
      await purgeMinutes(knex, 120);
      return false;
    },
    retention: () =>
      retain({
        knex,
        periods: retentionDays,
        hashPhone,
        consequences,
        events,
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

const clockIdleMs = 5_000;

/** Moves what waits when the database's clock was set back. The first round cannot know what happened before it. */
export function startClockWatch(knex: Knex, logger: Logger, pace: Pace): Loop {
  let started = false;
  /** The last round moved nothing: transactions that began before the clock was set back are over by the next one. */
  let clear = false;
  return startLoop(
    'clock',
    clockIdleMs,
    logger,
    async () => {
      const behindSeconds = await readClock(knex);
      if (started && behindSeconds === 0) return false;
      started = true;
      const moved = await moveWaiting(knex);
      if (moved > 0) {
        logger.warn(
          { behindSeconds, moved },
          "the database's clock was set back; what waited for it was moved",
        );
        pace.touch();
      } else if (behindSeconds > 0 && clear) await acceptClock(knex);
      clear = behindSeconds > 0 && moved === 0;
      return false;
    },
    pace,
  );
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
