/** Has old rows leave for the archive, a small batch at a time: a background loop of each worker, of which one works. */
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { createArchiver } from '../../archive/archiver.ts';
import { faultOfArchive } from '../../archive/known-store.ts';
import { statementsUnderWay } from '../../archive/load-repository.ts';
import { openArchive } from '../../archive/open-archive.ts';
import { ArchiveFault } from '../../archive/read-segment.ts';
import { noteFault, secondsBehind } from '../../archive/segment-repository.ts';
import { type Loop, startLoop } from '../../delivery/loop.ts';
import { watchGauges } from '../../platform/gauges.ts';
import { createParts } from '../../platform/isolation/parts.ts';
import type { ProcessContext } from '../context.ts';

const idleMs = 60_000;
/** A batch is followed by a rest of a fraction of its length, … */
const shortestRests = 0.25;
/** … and of its whole length for each statement that others run meanwhile, on average. */
const restsPerStatement = 1;
/** The embedded database has one session, which others wait for. */
const restsEmbedded = 5;
/** However busy others are, it works a twentieth of the time. */
const longestRests = 19;
const lookEveryMs = 10;

/** Within a minute, operators are to know of what is wrong. */
const lookAtStoreMs = 30_000;

/** Undefined: there is no archive, and rows stay. */
export function startArchive(context: ProcessContext, intakeBusy: () => boolean): Loop | undefined {
  const { config, clock, database, logger, pace, registry, secrets } = context;
  const { knex } = database;
  const { archiveUrl, retentionDays } = config;
  if (archiveUrl === undefined) {
    logger.info(`rows stay in the database after ${retentionDays.rows} days: ARCHIVE_URL is not set`);
    return undefined;
  }
  const ending = new AbortController();
  const { signal } = ending;
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {});
  const others = createAverage();
  const restsPerBatch = async () =>
    database.embedded
      ? restsEmbedded
      : Math.min(longestRests, shortestRests + restsPerStatement * others(await statementsUnderWay(knex)));
  const store = openArchive(archiveUrl);
  /** What is wrong with the store, and with what the last step found in it. */
  let [strange, failed] = [undefined as string | undefined, undefined as string | undefined];
  watchGauges(registry, gauges, async () => ({
    behind: await secondsBehind(knex),
    fault: strange === undefined && failed === undefined ? 0 : 1,
  }));
  const archiver = createArchiver({
    knex,
    store,
    key: secrets,
    periods: retentionDays,
    parts: createParts('archive', logger, clock),
    isEnding: () => signal.aborted,
    rest: async (tookMs) => {
      const untilMs = performance.now() + tookMs * longestRests;
      await pause(tookMs * (await restsPerBatch()));
      while (intakeBusy() && !signal.aborted && performance.now() < untilMs) await pause(lookEveryMs);
    },
  });
  const step = async () => {
    try {
      const more = await archiver.step();
      failed = undefined;
      return more;
    } catch (error) {
      if (error instanceof ArchiveFault) failed = error.message;
      throw error;
    }
  };
  const loop = startLoop('archive', idleMs, logger, step, pace);
  /** Also while nothing is due. A command on another machine is told what this one has found. */
  const look = async () => {
    strange = await faultOfArchive(knex, store);
    const fault = strange ?? failed;
    if (fault === undefined) return false;
    if (strange !== undefined) logger.error(strange);
    await noteFault(knex, `the worker on ${hostname()}: ${fault}`);
    return false;
  };
  const looking = startLoop('archive store', lookAtStoreMs, logger, look, pace);
  return {
    ...loop,
    stop: async () => {
      ending.abort();
      await Promise.all([looking.stop(), loop.stop()]);
      await archiver
        .end()
        .catch((error: unknown) => logger.warn({ err: error }, 'the lease of the archive ends later'));
    },
  };
}

/** Of about the last twenty values, beginning at one. */
function createAverage(): (value: number) => number {
  let average = 1;
  return (value) => {
    average += (value - average) / 20;
    return average;
  };
}

const gauges = {
  behind: {
    name: 'tarishi_archive_behind_seconds',
    help: 'Time since all rows that were due had left for the archive',
  },
  fault: {
    name: 'tarishi_archive_fault',
    help: '1: no row leaves, because the archive of this process is not the one that the database knows, or lacks something',
  },
};
