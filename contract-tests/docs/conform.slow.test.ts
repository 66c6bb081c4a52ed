/**
 * The conformance kit on the sample clients and receivers: it passes the correct ones in every situation, and finds
 * each seeded fault where it is.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientFaults, inboundFaults, receiverFaults, type SeededFault } from '../../examples/faults.ts';
import { publishedSecrets } from '../../src/demo/published-secrets.ts';
import { createControl } from '../../src/partner/conform/client/control.ts';
import { testClient } from '../../src/partner/conform/client/kit.ts';
import { clientSituations } from '../../src/partner/conform/client/situations.ts';
import { startCommand } from '../../src/partner/conform/command.ts';
import { testReceiver } from '../../src/partner/conform/receiver/kit.ts';
import { listening } from '../../src/partner/conform/receiver/listening.ts';
import { createProbe } from '../../src/partner/conform/receiver/probe.ts';
import {
  inboundSituations,
  type ReceiverSituation,
  receiverSituations,
} from '../../src/partner/conform/receiver/situations.ts';
import type { Result } from '../../src/partner/conform/verdict.ts';
import { startTestSandbox, type TestSandbox } from '../../src/partner/sandbox/sandbox-testing.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { forEvery } from '../../src/platform/for-every-testing.ts';
import { freePort } from '../../src/platform/free-port-testing.ts';
import { createCallbackClient } from '../../src/receipts/callback/client.ts';
import { createDestinations } from '../../src/receipts/callback/destination.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tarishi-conform-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const patienceSeconds = 4;
const phones = ['+254711000101', '+254711000102', '+254711000103'];

const languages = {
  typescript: { program: process.execPath, client: 'send.ts', receiver: () => ['receive.ts'] },
  python: { program: 'python3', client: 'send.py', receiver: () => ['receive.py'] },
  php: {
    program: 'php',
    client: 'send.php',
    receiver: (port: number) => ['-S', `127.0.0.1:${port}`, 'receive.php'],
  },
};
type Language = keyof typeof languages;
const named = Object.keys(languages) as Language[];
const missing = named.filter((name) => spawnSync(languages[name].program, ['--version']).error !== undefined);
if (missing.length > 0) process.stderr.write(`skipped, because it is not installed: ${missing.join(', ')}\n`);
const present = named.filter((name) => !missing.includes(name));

const languageOf = ({ name }: SeededFault) => name.slice(0, name.indexOf(':')) as Language;

/** A copy of the samples and of our client, with one change. */
function copyWith(fault?: SeededFault): string {
  const copy = mkdtempSync(join(directory, 'copy-'));
  for (const folder of ['examples', 'clients/typescript/src'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
  if (fault === undefined) return copy;
  const file = join(copy, fault.file);
  const source = readFileSync(file, 'utf8');
  const [from, to] = fault.change;
  if (source.split(from).length !== 2) throw new Error(`${fault.name}: not once in ${fault.file}: ${from}`);
  writeFileSync(
    file,
    source.replace(from, () => to),
  );
  return copy;
}

// The receiver in PHP keeps what it has processed in files.
const environment = { ...process.env, TMPDIR: directory, REQUEST_TIMEOUT_SECONDS: '2' };
/** All, or that of a fault. */
const situationsFor = <S extends { name: string }>(all: readonly S[], fault?: SeededFault): S[] =>
  all.filter(({ name }) => fault === undefined || name === fault.situation);

/** The results of the correct version, under '', and of each broken one by its name. */
type Results = ReadonlyMap<string, readonly Result[]>;

async function testClients(language: Language): Promise<Results> {
  const sandboxes = [await startTestSandbox()];
  // One language runs its situations side by side.
  if (language === present[0]) sandboxes.push(await startTestSandbox());
  const results = new Map<string, readonly Result[]>();
  const { program, client } = languages[language];
  for (const fault of [undefined, ...clientFaults.filter((one) => languageOf(one) === language)]) {
    const path = join(copyWith(fault), 'examples', language, client);
    const all = clientSituations(patienceSeconds);
    const tested = () => {
      const unused = [...sandboxes];
      return testClient({
        openSandbox: async () => createControl((unused.shift() as TestSandbox).description),
        parallel: sandboxes.length,
        command: { words: [program, path, ...phones], environment },
        situations: situationsFor(all, fault),
        patienceSeconds,
        clock: systemClock,
        onResult: () => {},
      });
    };
    let found = await tested();
    // On a busy machine no two pauses of a client are alike, and the kit says nothing rather than something wrong.
    for (let more = 2; more > 0 && fault !== undefined && failedIn(found).length === 0; more -= 1)
      found = await tested();
    results.set(fault?.name ?? '', found);
  }
  await Promise.all(sandboxes.map((sandbox) => sandbox.stop()));
  return results;
}

async function testReceivers(
  language: Language,
  faults: readonly SeededFault[],
  situations: readonly ReceiverSituation[],
): Promise<Results> {
  const results = new Map<string, readonly Result[]>();
  const { program, receiver } = languages[language];
  const client = createCallbackClient({ destinations: createDestinations({ allowLoopback: true }) });
  for (const fault of [undefined, ...faults.filter((one) => languageOf(one) === language)]) {
    const port = await freePort();
    const [file = '', ...before] = receiver(port).toReversed();
    const path = join(copyWith(fault), 'examples', language, file);
    const running = startCommand({
      words: [program, ...before.toReversed(), path],
      environment: {
        ...environment,
        PORT: String(port),
        TARISHI_SIGNING_SECRET: publishedSecrets.signingSecret,
      },
    });
    const receiverUrl = `http://127.0.0.1:${port}/receipts`;
    await listening(receiverUrl);
    const probe = createProbe({ client, receiverUrl, countUrl: `http://127.0.0.1:${port}/count` });
    const found = await testReceiver({
      probe,
      situations: situationsFor(situations, fault),
      stopwatch: systemClock,
      onResult: () => {},
    });
    results.set(fault?.name ?? '', found);
    await running.stop();
  }
  await client.close();
  return results;
}

const failedIn = (results: readonly Result[] = []) =>
  results.filter(({ findings }) => findings.length > 0).map(({ name, findings }) => [name, ...findings]);

describe.each([
  ['client', testClients, clientFaults, clientSituations(patienceSeconds).length],
  [
    'receiver',
    (language: Language) => testReceivers(language, receiverFaults, receiverSituations),
    receiverFaults,
    receiverSituations.length,
  ],
  [
    'inbound',
    (language: Language) => testReceivers(language, inboundFaults, inboundSituations),
    inboundFaults,
    inboundSituations.length,
  ],
] as const)('%s', (_kind, run, faults, count) => {
  const results = new Map<Language, Results>();
  beforeAll(async () => {
    // They mostly wait.
    await Promise.all(present.map(async (language) => results.set(language, await run(language))));
  }, 900_000);

  test('the correct version passes every situation', () =>
    forEvery(present, '%s', (language) => {
      const own = results.get(language)?.get('') ?? [];
      expect(failedIn(own)).toEqual([]);
      expect(own).toHaveLength(count);
    }));

  test('every fault is found', () =>
    forEvery(
      faults.filter((fault) => present.includes(languageOf(fault))),
      '$name',
      (fault) => {
        const found = failedIn(results.get(languageOf(fault))?.get(fault.name));
        expect(found.map(([situation]) => situation)).toContain(fault.situation);
      },
    ));
});

test('the command prints a table, writes JUnit XML and fails if a situation fails', async () => {
  const fault = clientFaults.find(({ situation }) => situation === 'conflict');
  const copy = copyWith(fault);
  mkdirSync(join(copy, 'out'));
  const junit = join(copy, 'out', 'conform.xml');
  const command = [process.execPath, join(copy, 'examples/typescript/send.ts'), ...phones];
  const options = ['--only', 'normal', '--only', 'conflict', '--junit', junit];
  const run = promisify(execFile)(
    process.execPath,
    ['src/main.ts', 'conform', ...options, '--', ...command],
    { cwd: root },
  );
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^A command is stopped .*\n\npassed {3}normal .*\nFAILED {3}conflict [\s\S]* sendSms +\S{36} +409 \(conflict\)\n/,
    ),
    stderr: 'tarishi: 1 of 2 situations failed\n',
  });
  const xml = readFileSync(junit, 'utf8');
  expect(xml).toContain('<testcase classname="client" name="conflict"');
  expect(xml).toMatch(/name="normal" time="(?!0\.000)\d+\.\d{3}"/);
});
