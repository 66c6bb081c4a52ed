/** Checks a deployment: each check has a name, and says what is wrong. */
import { statfs } from 'node:fs/promises';
import { accountsUnlikeLedger, type BrokenSeal, inspectSeals } from '../../balances/inspection-repository.ts';
import type { AccountKey } from '../../balances/repository.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { probeWrite } from '../../db/write-probe.ts';
import { countQuarantined } from '../../isolation/quarantine-repository.ts';
import type { Management } from '../management.ts';
import { listConnectors } from '../networks/connectors.ts';
import { countStuck, databaseClockMs } from './doctor-repository.ts';

export interface Check {
  name: string;
  /** Sentences; none if all is well. */
  problems: readonly string[];
}

export interface Examined {
  /** The folder of the embedded database; undefined on PostgreSQL. */
  dataDirectory: string | undefined;
}

const largestClockDifferenceMs = 2_000;
const leastFreeBytes = 256 * 1024 * 1024;
const oldestQueuedSeconds = 300;
/** Takes some seconds; the next inspection continues with the others. */
const inspectedEntries = 500_000;

/** A check that cannot be carried out is a problem too. */
export async function examine(management: Management, examined: Examined): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, check] of Object.entries(checkers)) {
    const problems = await check(management, examined).catch((error: Error) => [error.message]);
    checks.push({ name, problems });
  }
  return checks;
}

const checkers: Readonly<Record<string, (management: Management, examined: Examined) => Promise<string[]>>> =
  {
    migrations: async ({ knex }) =>
      (await pendingMigrations(knex)).map((name) => `${name} is missing: run tarishi migrate`),

    clock: async ({ knex, clock }) => {
      const differenceMs = Math.abs((await databaseClockMs(knex)) - clock.now());
      return differenceMs <= largestClockDifferenceMs
        ? []
        : [`the clocks of this machine and the database differ by ${Math.round(differenceMs / 1000)} s`];
    },

    ledger: async ({ knex }) => [
      ...(await accountsUnlikeLedger(knex)).map(
        ({ balance, entries, ...account }) =>
          `account ${nameOf(account)} has a balance of ${balance}, but its ledger entries sum up to ${entries}`,
      ),
      ...(await inspectSeals(knex, inspectedEntries)).map(sentenceOf),
    ],

    jobs: async ({ knex }) => {
      const { expired, overdue, oldestSeconds } = await countStuck(knex);
      return [
        ...(expired > 0
          ? [`${expired} job(s) were claimed by a worker that no longer renews its lease`]
          : []),
        ...(overdue > 0 ? [`${overdue} job(s) are past their expiry and still wait: no worker runs`] : []),
        ...(oldestSeconds > oldestQueuedSeconds
          ? [
              `the oldest job has been due for ${Math.round(oldestSeconds)} s: no worker runs, or a connector is down`,
            ]
          : []),
      ];
    },

    connectors: async (management) =>
      (await listConnectors(management)).flatMap(({ name, condition, reason, uses, warnings }) => {
        if (uses.length === 0) return [];
        const down = condition === 'faulty' || condition === 'unbound' || condition === 'paused';
        const because = reason === null ? '' : `: ${reason}`;
        return [
          ...(down ? [`${name} is ${condition}${because}`] : []),
          ...warnings.map((warning) => `${name} ${warning}`),
        ];
      }),

    quarantine: async ({ knex }) =>
      [...(await countQuarantined(knex))].map(
        ([round, items]) => `${items} item(s) of round ${round}: see tarishi quarantine list`,
      ),

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

function nameOf({ teamId, product, variant }: AccountKey): string {
  return [teamId, product, ...(variant === '' ? [] : [variant])].join('/');
}

function sentenceOf({ first, last, found, ...account }: BrokenSeal): string {
  const entries = `entries ${first} to ${last} of account ${nameOf(account)}`;
  if (found === null) return `${entries} cannot be checked: the seal before them is missing`;
  const expected = last - first + 1;
  if (found === expected) return `${entries} were changed by hand: they do not match their seal`;
  return `${entries} were changed by hand: there were ${expected} when they were sealed, and now there are ${found}`;
}
