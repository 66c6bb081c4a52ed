/** A cell of the tests: a PostgreSQL database with networks of its own, a `serve` and a `work`. */
import { mkdirSync } from 'node:fs';
import { expect } from '@jest/globals';
import { pino } from 'pino';
import { type Networks, startNetworks } from '../../contract-tests/failover/networks.ts';
import { addConnector } from '../../contract-tests/support/prepared/connectors.ts';
import { runHere } from '../../contract-tests/support/service/command-line.ts';
import { type Beside, startProcess } from '../../contract-tests/support/service/deployment.ts';
import { createSecrets } from '../../src/clients/secrets.ts';
import { type Database, openDatabase } from '../../src/platform/db/knex.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { createFreshDatabase } from '../../src/platform/db/testing.ts';

/** Of each team, at the beginning. */
export const smsUnits = 100_000;
export const bundles = 10_000;

export interface Cell {
  database: Database;
  environment: Readonly<Record<string, string>>;
  networks: Networks;
  /** `serve`, `serve` and `work`. */
  processes: Beside[];
  dispose: () => Promise<void>;
}

export interface Client {
  clientId: string;
  clientSecret: string;
  team: string;
}

/** With a channel, and connectors to networks that keep what they get. */
export async function openCell({
  serverUrl,
  dataDirectory,
  settings,
}: {
  serverUrl: string;
  dataDirectory: string;
  settings: { PUBLIC_URL: string; SECRET_KEY: string };
}): Promise<Cell> {
  const fresh = await createFreshDatabase(serverUrl);
  mkdirSync(dataDirectory);
  const environment = {
    DATA_DIR: dataDirectory,
    DATABASE_URL: fresh.url,
    ...settings,
    TRUST_PROXY_HOPS: '1',
    ALLOW_LOOPBACK_CALLBACKS: 'true',
    RATE_LIMIT_PER_SECOND: '1000000',
    DEMO: 'false',
    // As in production: HAProxy notices within two seconds.
    DRAIN_DELAY_MS: '5000',
  };
  const database = await openDatabase(
    { databaseUrl: fresh.url, dataDirectory, poolSize: 2 },
    pino({ level: 'silent' }),
    () => {},
  );
  const networks = await startNetworks();
  const cell: Cell = {
    database,
    environment,
    networks,
    processes: [],
    dispose: async () => {
      await Promise.all(cell.processes.map(({ stop }) => stop()));
      await networks.close();
      await database.close();
      await fresh.drop();
    },
  };
  await migrate(database.knex);
  const secrets = createSecrets(Buffer.from(settings.SECRET_KEY, 'base64'));
  for (const connector of networks.connectors)
    await addConnector({ knex: database.knex, secrets }, connector);
  await run(cell, [
    ...['channel', 'add', 'Safaricom', '--prefix', '254711'],
    ...['--connector', 'smsc', '--bundle-connector', 'provider'],
  ]);
  return cell;
}

/** What a command prints with `--json`; `other` is the cell whose database it also needs. */
export async function run(cell: Cell, words: readonly string[], other?: Cell) {
  const environment = { ...cell.environment, OTHER: other?.environment.DATABASE_URL };
  const { code, out, err } = await runHere([...words, '--json'], environment);
  expect({ words, code, err }).toEqual({ words, code: 0, err: '' });
  return JSON.parse(out);
}

/** That sends SMS and bundles. */
export async function addTeam(cell: Cell, team: string): Promise<Client> {
  const tarishi = (words: string) => run(cell, words.split(' '));
  await tarishi(`team add ${team}`);
  await tarishi(`service add ${team}-sms --team ${team} --sender ACME --purpose UTILITY`);
  await tarishi(
    `campaign add ${team}-gift --team ${team} --service ${team}-sms --denomination 100MB --frequency Daily`,
  );
  await tarishi(`topup ${team} --product Sms --units ${smsUnits} --reference first`);
  await tarishi(
    `topup ${team} --product MobileData --channel Safaricom --denomination 100MB --units ${bundles} --reference first`,
  );
  const scopes = ['message.sms.send.oneway', 'reward.mobile-data.disburse', 'message.read'];
  const client = `client add ${team}-client --team ${team} ${scopes.map((scope) => `--scope ${scope}`).join(' ')}`;
  const { clientSecret } = await tarishi(client);
  return { clientId: `${team}-client`, clientSecret, team };
}

/** Two `serve` and a `work`. */
export async function startCell(cell: Cell): Promise<void> {
  for (const command of ['serve', 'serve', 'work'] as const)
    cell.processes.push(await startProcess(command, cell.environment));
}

/** The addresses of its `serve`. */
export const servesOf = ({ processes }: Cell): string[] =>
  processes.slice(0, 2).map(({ baseUrl }) => baseUrl);

/** Ends a `serve` as a new version does, and starts it at the same address. */
export async function restartServe(cell: Cell, index: 0 | 1): Promise<void> {
  const former = cell.processes[index];
  if (former === undefined) throw new Error(`the cell has no serve ${index}`);
  expect(await former.stop()).toBe(0);
  const { port } = new URL(former.baseUrl);
  const next = await startProcess('serve', { ...cell.environment, PORT: port });
  cell.processes[index] = { ...next, baseUrl: former.baseUrl };
}
