/** Runs the conformance kit as a command: with a sandbox for a client, or against a receiver. */
import { writeFileSync } from 'node:fs';
import { publishedSecrets } from '../../demo/published-secrets.ts';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/db/knex.ts';
import { createLog } from '../../platform/log.ts';
import { createCallbackClient } from '../../receipts/callback/client.ts';
import { createDestinations } from '../../receipts/callback/destination.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { createControl } from './client/control.ts';
import { testClient } from './client/kit.ts';
import { limitsOf } from './client/overdue.ts';
import { clientSituations } from './client/situations.ts';
import { type CommandLine, type RunningCommand, startCommand } from './command.ts';
import { testReceiver } from './receiver/kit.ts';
import { listening } from './receiver/listening.ts';
import { createProbe } from './receiver/probe.ts';
import { inboundSituations, receiverSituations } from './receiver/situations.ts';
import { junitOf, rowOf, type Suite } from './report.ts';
import type { Result, Situation } from './verdict.ts';

export interface ConformOptions {
  /** The partner's command; no words: there is none. */
  command: CommandLine;
  /** Names of situations; empty: all. */
  only: readonly string[];
  junitFile: string | undefined;
  patienceSeconds: number;
}

export interface ClientOptions extends ConformOptions {
  /** How many situations run at a time. */
  parallel: number;
}

export interface ReceiverOptions extends ConformOptions {
  receiverUrl: string;
  countUrl: string | undefined;
  /** It receives messages of people, and not receipts. */
  inbound: boolean;
}

/** Every situation there is, for `--list`. */
export function listSituations(): { tests: Suite; name: string; title: string }[] {
  const of = (tests: Suite, situations: readonly Situation[]) =>
    situations.map(({ name, title }) => ({ tests, name, title }));
  return [
    ...of('client', clientSituations(0)),
    ...of('receiver', receiverSituations),
    ...of('inbound', inboundSituations),
  ];
}

/** Rejects when any situation fails. */
export async function conformClient(options: ClientOptions): Promise<void> {
  const { command, only, patienceSeconds, parallel } = options;
  const situations = chosen(clientSituations(patienceSeconds), only);
  const sandboxes: Sandbox[] = [];
  try {
    process.stdout.write(`${limitsOf(patienceSeconds)}\n\n`);
    const results = await testClient({
      openSandbox: async () => {
        const sandbox = await openSandbox();
        sandboxes.push(sandbox);
        return createControl(sandbox.description);
      },
      parallel,
      command,
      situations,
      patienceSeconds,
      clock: systemClock,
      onResult: print,
    });
    conclude('client', results, options);
  } finally {
    await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
  }
}

async function openSandbox(): Promise<Sandbox> {
  const { logger } = createLog('warn', 'text');
  const database = await openDatabase(
    { databaseUrl: undefined, dataDirectory: undefined, poolSize: 1 },
    logger,
    (error) => {
      throw error;
    },
  );
  const options = {
    host: '127.0.0.1',
    port: 0,
    seed: 1,
    anyId: false,
    receiptsTo: undefined,
    smppPort: undefined,
    scripts: {},
  };
  return startSandbox(options, database, logger);
}

/** Rejects when any situation fails. The command, if there is one, is the receiver. */
export async function conformReceiver(options: ReceiverOptions): Promise<void> {
  const { command, only, receiverUrl, countUrl, inbound, patienceSeconds } = options;
  const situations = chosen(inbound ? inboundSituations : receiverSituations, only);
  const environment = { ...command.environment, TARISHI_SIGNING_SECRET: publishedSecrets.signingSecret };
  const receiver = command.words.length === 0 ? undefined : startCommand({ ...command, environment });
  const client = createCallbackClient({
    destinations: createDestinations({ allowLoopback: true }),
    timeoutMs: patienceSeconds * 1_000,
  });
  try {
    await Promise.race([listening(receiverUrl), ...(receiver === undefined ? [] : [failed(receiver.ended)])]);
    const results = await testReceiver({
      probe: createProbe({ client, receiverUrl, countUrl }),
      situations,
      stopwatch: systemClock,
      onResult: print,
    });
    conclude(inbound ? 'inbound' : 'receiver', results, options);
  } finally {
    await client.close();
    await receiver?.stop();
  }
}

function chosen<S extends Situation>(situations: readonly S[], only: readonly string[]): S[] {
  const unknown = only.filter((name) => !situations.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new Error(
      `unknown situation ${unknown.join(', ')}; there are ${situations.map(({ name }) => name).join(', ')}`,
    );
  return situations.filter(({ name }) => only.length === 0 || only.includes(name));
}

function print(result: Result): void {
  process.stdout.write(rowOf(result));
}

function conclude(suite: Suite, results: readonly Result[], { junitFile }: ConformOptions): void {
  if (junitFile !== undefined) writeFileSync(junitFile, junitOf(suite, results));
  const failures = results.filter(({ findings }) => findings.length > 0).length;
  if (failures > 0) throw new Error(`${failures} of ${results.length} situations failed`);
  process.stdout.write(`\nNo situation of ${results.length} failed.\n`);
}

async function failed(ended: RunningCommand['ended']): Promise<never> {
  const { exitCode, output } = await ended;
  throw new Error(`the receiver ended with exit code ${exitCode}:\n${output}`);
}
