/** Checks a deployment: each check has a name, and says what is wrong. */
import { statfs } from 'node:fs/promises';
import { faultOfArchive } from '../../archive/known-store.ts';
import { findDueTeams, type Periods } from '../../archive/leaving-repository.ts';
import { openArchive } from '../../archive/open-archive.ts';
import { notedFault } from '../../archive/segment-repository.ts';
import { isAnyWorkerSeen, silenceSeconds } from '../../connectors/runtime/state-repository.ts';
import { listOrphans } from '../../delivery/orphans/repository.ts';
import {
  accountsUnlikeLedger,
  type BrokenSeal,
  inspectSeals,
  missingSeals,
} from '../../ledger/inspection-repository.ts';
import type { AccountKey } from '../../ledger/repository.ts';
import { accountName, wordsOf } from '../../model/account.ts';
import { pendingMigrations } from '../../platform/db/migrate.ts';
import { probeWrite } from '../../platform/db/write-probe.ts';
import { sqlStateOf } from '../../platform/isolation/fault.ts';
import { countQuarantined } from '../../platform/isolation/quarantine-repository.ts';
import { readSecretKeys } from '../access/secret-keys.ts';
import type { Management } from '../management.ts';
import { listConnectors } from '../networks/connectors.ts';
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
  /** Where they leave for; undefined: nowhere. */
  archiveUrl: string | undefined;
  /** The command line as it can be typed. */
  tarishi: string;
}

/** Given to rows that are due. */
const daysToArchive = 7;
const largestClockDifferenceMs = 2_000;
const leastFreeBytes = 256 * 1024 * 1024;
const oldestQueuedSeconds = 300;
/** Takes some seconds; the next inspection continues with the others. */
const inspectedEntries = 500_000;

/** A check that cannot be carried out is a problem too. */
export async function examine(management: Management, examined: Examined): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, check] of Object.entries(checkers)) {
    const problems = await check(management, examined).catch((error: unknown) => [whyNot(error)]);
    checks.push({ name, problems });
  }
  return checks;
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
    workers: async ({ knex }, { dataDirectory, tarishi }) =>
      dataDirectory !== undefined || (await isAnyWorkerSeen(knex))
        ? []
        : [`no worker has been seen for ${silenceSeconds} s, so nothing is delivered: run ${tarishi} work`],

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

    connectors: async (management) => {
      // Without workers all are away, which is the problem of another check.
      const workers = await isAnyWorkerSeen(management.knex);
      return (await listConnectors(management)).flatMap(({ name, condition, reason, uses, warnings }) => {
        if (uses.length === 0) return [];
        const down = condition !== 'open' && (condition !== 'away' || workers);
        const because = reason === null ? '' : `: ${reason}`;
        return [
          ...(down ? [`${name} is ${condition}${because}`] : []),
          ...warnings.map((warning) => `${name} ${warning}`),
        ];
      });
    },

    quarantine: async ({ knex }, { tarishi }) =>
      [...(await countQuarantined(knex))].map(
        ([round, items]) => `${items} item(s) of round ${round}: see ${tarishi} quarantine list`,
      ),

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

/** Why a check could not be carried out, without the SQL of its statement. */
function whyNot(error: unknown): string {
  const state = sqlStateOf(error);
  if (state === undefined) return `this cannot be checked: ${(error as Error).message}`;
  // Internal errors, and faults of the system below the database.
  return /^(?:XX|58)/.test(state)
    ? `the database's files are damaged (error ${state}): restore a backup`
    : `this cannot be checked: database error ${state}`;
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
