/** Checks a deployment: each check has a name, and says what is wrong. */
import { statfs } from 'node:fs/promises';
import { faultOfArchive } from '../../archive/known-store.ts';
import { findDueTeams, type Periods } from '../../archive/leaving-repository.ts';
import { openArchive } from '../../archive/open-archive.ts';
import { notedFault } from '../../archive/segment-repository.ts';
import { listOrphans } from '../../delivery/orphans/repository.ts';
import { findOverdueTexts } from '../../inbound/overdue-repository.ts';
import {
  accountsUnlikeLedger,
  type BrokenSeal,
  inspectSeals,
  missingSeals,
} from '../../ledger/inspection-repository.ts';
import type { AccountKey } from '../../ledger/repository.ts';
import { accountName, wordsOf } from '../../model/account.ts';
import { connectorWords } from '../../model/words/connectors.ts';
import { pendingMigrations } from '../../platform/db/migrate.ts';
import { probeWrite } from '../../platform/db/write-probe.ts';
import { sqlStateOf } from '../../platform/isolation/fault.ts';
import { countQuarantined } from '../../platform/isolation/quarantine-repository.ts';
import { deadProcesses, isWorkerThere, silenceSeconds } from '../../platform/processes/repository.ts';
import { own } from '../../platform/text/own.ts';
import { findStandstill, type Standstill } from '../../products/consent/import-repository.ts';
import { findPortedStandstill, type PortedStandstill } from '../../products/phone/ported-repository.ts';
import { countUnreadable } from '../../read/unreadable-repository.ts';
import { readSecretKeys } from '../access/secret-keys.ts';
import type { Management } from '../management.ts';
import { channels } from '../networks/channels.ts';
import { type ConnectorState, listConnectors } from '../networks/connectors.ts';
import { routes } from '../networks/routes.ts';
import { countStuck, databaseClockMs, shortenedFiles } from './doctor-repository.ts';

export interface Check {
  name: string;
  /** Sentences; none if all is well. */
  problems: readonly string[];
}

export interface Examined {
  /** The folder of the embedded database; undefined on PostgreSQL. */
  dataDirectory: string | undefined;
  /** How long rows stay. */
  retentionDays: Periods;
  production: boolean;
  /** open: teams send as whatever they ask for. */
  senders: 'granted' | 'open';
  /** Where they leave for; undefined: nowhere. */
  archiveUrl: string | undefined;
  /** The command line as it can be typed. */
  tarishi: string;
  /** Gives processes the time to say that they are there, such as after a failover. */
  pause: () => Promise<void>;
}

/** What could not be read is a problem for so long. */
const unreadableDays = 7;
/** Given to rows that are due. */
const daysToArchive = 7;
const largestClockDifferenceMs = 2_000;
const leastFreeBytes = 256 * 1024 * 1024;
const oldestQueuedSeconds = 300;
/** Given to workers that are busy. */
const standstillSeconds = 300;
/** Takes some seconds; the next inspection continues with the others. */
const inspectedEntries = 500_000;

/**
 * A check that cannot be carried out is a problem too. What may pass by itself is looked at twice: a vacuum under way, a
 * restart, processes that have yet to find the database again.
 */
export async function examine(management: Management, examined: Examined): Promise<Check[]> {
  const checks: Check[] = [];
  for (const name of Object.keys(checkers)) checks.push(await examineOne(name, management, examined));
  const mayPass = ({ name, problems }: Check) => passing.includes(name) && problems.length > 0;
  if (!checks.some(mayPass)) return checks;
  await examined.pause();
  for (const [place, check] of checks.entries())
    if (mayPass(check)) checks[place] = await examineOne(check.name, management, examined);
  return checks;
}

const passing = ['files', 'processes', 'connectors', 'routes'];

async function examineOne(name: string, management: Management, examined: Examined): Promise<Check> {
  const problems = await own(checkers, name)?.(management, examined).catch((error: unknown) => [
    whyNot(error),
  ]);
  return { name, problems: problems ?? [] };
}

const checkers: Readonly<Record<string, (management: Management, examined: Examined) => Promise<string[]>>> =
  {
    migrations: async ({ knex }, { tarishi }) =>
      (await pendingMigrations(knex)).map((name) => `${name} is missing: run ${tarishi} migrate`),

    clock: async ({ knex, clock }) => {
      const differenceMs = Math.abs((await databaseClockMs(knex)) - clock.now());
      return differenceMs <= largestClockDifferenceMs
        ? []
        : [`the clocks of this machine and the database differ by ${Math.round(differenceMs / 1000)} s`];
    },

    ledger: async ({ knex, secrets }) => {
      const key = await secrets();
      const missing = await missingSeals(knex, key);
      return [
        ...(await accountsUnlikeLedger(knex)).map(
          ({ balance, entries, ...account }) =>
            `account ${nameOf(account)} has a balance of ${balance}, but its ledger entries sum up to ${entries}`,
        ),
        ...(missing === 0 ? [] : [missingSentence(missing)]),
        ...(await inspectSeals(knex, key, inspectedEntries)).map(sentenceOf),
      ];
    },

    'secret key': async (management, { tarishi }) => {
      const { next, needed } = await readSecretKeys(management);
      return [
        ...(next
          ? [`SECRET_KEY is not in use yet: when all processes have it, run ${tarishi} secret-key rotate`]
          : []),
        ...needed.map(
          ({ id, what }) =>
            `SECRET_KEY_PREVIOUS (${id}) is still needed (${what}): run ${tarishi} secret-key rotate`,
        ),
      ];
    },

    files: async ({ knex }) =>
      (await shortenedFiles(knex)).map(
        (name) => `the file of ${name} is shorter than it was: restore a backup`,
      ),

    // The embedded database serves one process, and that is this one.
    processes: async ({ knex }, { dataDirectory, tarishi }) => {
      if (dataDirectory !== undefined) return [];
      const dead = await deadProcesses(knex);
      return [
        ...((await isWorkerThere(knex))
          ? []
          : [
              `no worker has been seen for ${silenceSeconds} s, so nothing is delivered: run ${tarishi} work`,
            ]),
        ...dead.map(
          ({ command, host, pid, seenAt }) =>
            `the ${command} process ${pid} on ${host} stopped without saying so at ${secondOf(seenAt)}: its log, or that of ${host}, says why`,
        ),
      ];
    },

    jobs: async ({ knex }) => {
      const { expired, overdue, oldestSeconds } = await countStuck(knex);
      return [
        ...(expired > 0
          ? [`${expired} job(s) were claimed by a worker that no longer renews its lease`]
          : []),
        ...(overdue > 0 ? [`${overdue} job(s) are past their expiry and still wait`] : []),
        ...(oldestSeconds > oldestQueuedSeconds
          ? [`the oldest message that was not submitted yet has waited for ${Math.round(oldestSeconds)} s`]
          : []),
      ];
    },

    messages: async ({ knex }) =>
      [
        ...Map.groupBy(
          await listOrphans(knex),
          ({ product, state }) => `${product} message(s) in state ${state}`,
        ),
      ].map(
        ([what, orphans]) =>
          `${orphans.length} ${what} without a job, such as ${orphans[0]?.id}: a worker process takes them up within two minutes`,
      ),

    connectors: async (management, { dataDirectory, tarishi }) => {
      // Without workers all are away, which is the problem of another check.
      const workers = dataDirectory === undefined && (await isWorkerThere(management.knex));
      return (await listConnectors(management)).flatMap((connector) => {
        const { name, condition, since, uses, warnings, notices } = connector;
        if (uses.length === 0) return [];
        // Since when is not known until a worker has looked.
        const down = condition !== 'open' && (condition !== 'away' || (workers && since !== null));
        return [
          ...(down ? [trouble(connector, tarishi)] : []),
          ...warnings.map((warning) => `${name} ${warning}`),
          ...notices.map((notice) => `the network of ${name} says: ${notice}`),
        ];
      });
    },

    routes: async (management, { dataDirectory, tarishi }) => {
      // Without workers no connector works, which is the problem of another check.
      if (dataDirectory === undefined && !(await isWorkerThere(management.knex))) return [];
      const open = new Set(
        (await listConnectors(management)).flatMap(({ name, condition }) =>
          condition === 'open' ? [name] : [],
        ),
      );
      const enabled = new Set(
        (await channels.list(management)).flatMap((one) => (one.enabled ? [one.name] : [])),
      );
      return (await routes.list(management)).flatMap(({ name, channel, via }) => {
        if (!enabled.has(channel)) return [`route ${name} is of channel ${channel}, which takes no messages`];
        return via.some(({ connector }) => open.has(connector))
          ? []
          : [`no connector of route ${name} takes messages, so they wait: see ${tarishi} connector list`];
      });
    },

    'texts of phones': async ({ knex }) => {
      const { texts, seconds } = await findOverdueTexts(knex);
      return seconds <= standstillSeconds
        ? []
        : [
            `${texts} text(s) of phones should have been stored without their missing parts ${minutesOf(seconds)} minutes ago: the log of the workers says why`,
          ];
    },

    imports: async ({ knex }) =>
      [standstillOf(await findStandstill(knex)), portedStandstillOf(await findPortedStandstill(knex))].filter(
        (problem) => problem !== undefined,
      ),

    quarantine: async ({ knex }, { tarishi }) =>
      [...(await countQuarantined(knex))].map(
        ([round, items]) => `${items} item(s) of round ${round}: see ${tarishi} quarantine list`,
      ),

    'unreadable messages': async ({ knex }, { tarishi }) =>
      (await countUnreadable(knex, unreadableDays)).map(
        ({ connector, items, first }) =>
          `${items} message(s), settings or reports of people through ${connector} could not be read since ${first.toISOString()}: see ${tarishi} inbound unreadable`,
      ),

    senders: async (_management, { production, senders }) =>
      production && senders === 'open'
        ? ['SENDERS is open: teams send as whatever they ask for, without a review']
        : [],

    archive: async ({ knex }, { retentionDays, archiveUrl }) => {
      const rows = retentionDays.rows + daysToArchive;
      const [behind] = await findDueTeams(knex, 'requests', '', { ...retentionDays, rows });
      const own = archiveUrl && (await faultOfArchive(knex, openArchive(archiveUrl)));
      const fault = own || (await notedFault(knex));
      if (fault) return [fault];
      const why = archiveUrl === undefined ? 'ARCHIVE_URL is not set' : 'the log of the workers says why';
      return behind === undefined
        ? []
        : [
            `requests of team ${behind.teamId} should have left the database ${daysToArchive} days ago: ${why}`,
          ];
    },

    disk: async ({ knex }, { dataDirectory }) => {
      await probeWrite(knex);
      if (dataDirectory === undefined) return [];
      const { bavail, bsize } = await statfs(dataDirectory);
      const freeMebibytes = Math.floor((bavail * bsize) / 1024 / 1024);
      return bavail * bsize >= leastFreeBytes
        ? []
        : [`${dataDirectory} is on a disk with only ${freeMebibytes} MiB left`];
    },
  };

function standstillOf(still: Standstill | undefined): string | undefined {
  if (still === undefined || still.seconds <= standstillSeconds) return undefined;
  const { id, teamId, lines, seconds } = still;
  const whose = teamId === null ? '' : ` of team ${teamId}`;
  return `${lines} line(s) of imported opt-outs wait, and none has been read for ${minutesOf(seconds)} minutes, next those of ${id}${whose}: the log of the workers says why`;
}

function portedStandstillOf(still: PortedStandstill | undefined): string | undefined {
  if (still === undefined || still.seconds <= standstillSeconds) return undefined;
  const { id, parts, received, seconds } = still;
  const minutes = minutesOf(seconds);
  return received < parts
    ? `the table of ported numbers ${id} is not in use: ${received} of its ${parts} parts have come, and none for ${minutes} minutes: run the same command again`
    : `the table of ported numbers ${id} is not in use, and none of it has been read for ${minutes} minutes: the log of the workers says why`;
}

/** Since when it does not work, why, and what to do. */
function trouble(
  { name, condition, since, reason, lastError, lastErrorAt, pausedUntil, holders }: ConnectorState,
  tarishi: string,
): string {
  const what = `${name} ${connectorWords[condition].does}${since === null ? '' : ` since ${secondOf(since)}`}`;
  const why = reason === null ? '' : `: ${reason}`;
  const last =
    lastError === null || lastErrorAt === null || lastError === reason
      ? ''
      : `; last error, at ${secondOf(lastErrorAt)}: ${lastError}`;
  const next = {
    open: '',
    paused:
      pausedUntil === null
        ? `when the cause is gone, run ${tarishi} connector resume ${name}`
        : `it resumes by itself at ${secondOf(pausedUntil)}`,
    faulty: `correct it with ${tarishi} connector set ${name}`,
    unbound: `run ${tarishi} connector test ${name}`,
    away: 'the log of the workers says why',
  }[condition];
  const held = holders.map(({ process, parts }) => `${process} (${parts})`).join(', ');
  return `${what}${why}${last}${held && `; its binds are held by ${held}`}; ${next}`;
}

const secondOf = (time: Date) => time.toISOString().replace(/\.\d+/, '');
const minutesOf = (seconds: number) => Math.floor(seconds / 60);

/** Why a check could not be carried out, without the SQL of its statement. Only damaged files call for a backup. */
export function whyNot(error: unknown): string {
  const state = sqlStateOf(error);
  if (state === undefined) return `this cannot be checked: ${(error as Error).message}`;
  if (/^(?:XX001|58030|58P01)$/.test(state))
    return `the database's files are damaged (error ${state}): restore a backup`;
  if (state === 'XX002')
    return `an index of the database is damaged (error ${state}): run reindex database in psql`;
  return `this cannot be checked: database error ${state}`;
}

function nameOf({ teamId, product, variant }: AccountKey): string {
  return [teamId, ...wordsOf(accountName(product, variant))].join('/');
}

function missingSentence(missing: number): string {
  if (Number.isNaN(missing))
    return 'the count of seals was changed by hand: it is not confirmed with SECRET_KEY';
  return missing > 0
    ? `${missing} seal(s) were deleted by hand: compare statements that others have kept`
    : `${-missing} seal(s) were added by hand`;
}

function sentenceOf({ first, last, found, forged, ...account }: BrokenSeal): string {
  const entries = `entries ${first} to ${last} of account ${nameOf(account)}`;
  if (forged) return `${entries} have a seal that was made by hand: it is not confirmed with SECRET_KEY`;
  if (found === null) return `${entries} cannot be checked: the seal before them is missing`;
  const expected = last - first + 1;
  if (found === expected) return `${entries} were changed by hand: they do not match their seal`;
  return `${entries} were changed by hand: there were ${expected} when they were sealed, and now there are ${found}`;
}
