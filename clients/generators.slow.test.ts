/** Generators that we did not write understand the documents: their clients compile strictly, keep our names, and send an SMS. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sharedService } from '../contract-tests/support/shared/service.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const documentNamed = (name: string) => join(root, `generated/${name}.yaml`);

interface Generator {
  /** Arguments of `command` that write the client beside main.ts. */
  arguments: (document: string) => string[];
  /** A program that prints the status and the body of an SMS that is accepted and of one that is rejected, if it can send. */
  main?: string;
}

const preamble = `
import { readFileSync } from 'node:fs';
const demo = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const credentials = { grant_type: 'client_credentials', client_id: demo.clientId, client_secret: demo.clientSecret };
const message = (text: string) => ({
  type: 'SendToMany' as const,
  addresses: ['+254711000000'],
  message: text,
});
const print = (status: number | undefined, body: unknown) => console.log(JSON.stringify([status, body]));
`;

const generators: Record<string, Generator> = {
  'openapi-ts': {
    arguments: (document) =>
      `-i ${document} -o client -p @hey-api/client-fetch @hey-api/sdk @hey-api/typescript`.split(' '),
    main: `
import { client } from './client/client.gen.js';
import { issueToken, sendSms } from './client/sdk.gen.js';
client.setConfig({ baseUrl: demo.baseUrl });
const token = await issueToken({ body: credentials, throwOnError: true });
client.setConfig({ auth: token.data.access_token });
for (const text of ['Habari', ' ']) {
  const { data, error, response } = await sendSms({ path: { serviceId: demo.smsServiceId }, body: message(text) });
  print(response?.status, data ?? error);
}`,
  },
  orval: {
    arguments: (document) => ['--input', document, '--output', 'client.ts', '--client', 'fetch'],
    main: `
import { issueToken, sendSms } from './client.js';
const direct = globalThis.fetch;
globalThis.fetch = (path, init) => direct(new URL(String(path), demo.baseUrl), init);
const token = await issueToken(credentials);
if (token.status !== 200) throw new Error('no token');
const headers = { Authorization: 'Bearer ' + token.data.access_token };
for (const text of ['Habari', ' ']) {
  const { status, data } = await sendSms(demo.smsServiceId, message(text), { headers });
  print(status, data);
}`,
  },
  oazapfts: {
    arguments: (document) => [document, 'client.ts'],
    main: `
import { defaults, issueToken, sendSms } from './client.js';
defaults.baseUrl = demo.baseUrl;
const token = await issueToken(credentials);
if (token.status !== 200) throw new Error('no token');
defaults.headers = { Authorization: 'Bearer ' + token.data.access_token };
for (const text of ['Habari', ' ']) {
  const { status, data } = await sendSms(demo.smsServiceId, message(text));
  print(status, data);
}`,
  },
  'openapi-typescript': { arguments: (document) => [document, '-o', 'client.ts'] },
};

const clients = Object.keys(generators).flatMap((command) =>
  ['openapi', 'management'].map((name) => [command, name] as const),
);

let workshop: string;
/** What strict TypeScript says of all that was written. */
let faults: string;

beforeAll(async () => {
  // Beside the generators, so that what the generated code imports is found.
  workshop = mkdtempSync(join(root, 'tools/generated-'));
  for (const [command, name] of clients) {
    const folder = folderOf(command, name);
    mkdirSync(folder);
    await run(commandNamed(command), generators[command]?.arguments(documentNamed(name)) ?? [], {
      cwd: folder,
    });
    const main = mainOf(command, name);
    if (main !== undefined) writeFileSync(join(folder, 'main.ts'), `${preamble}${main}`);
  }
  faults = await compile();
}, 300_000);
afterAll(() => rmSync(workshop, { recursive: true, force: true }));

const folderOf = (command: string, name: string) => join(workshop, `${command}-${name}`);

/** The program that sends, if the client has functions. */
const mainOf = (command: string, name: string) =>
  name === 'openapi' ? generators[command]?.main : undefined;

/** Of tools/, or of the project. */
const commandNamed = (command: string) =>
  join(root, command === 'openapi-typescript' ? '.' : 'tools', 'node_modules/.bin', command);

async function compile(): Promise<string> {
  const compilerOptions = {
    strict: true,
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    module: 'NodeNext',
    skipLibCheck: true,
    outDir: 'compiled',
    rootDir: '.',
  };
  writeFileSync(join(workshop, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  const { stdout } = await run(commandNamed('tsc'), [], { cwd: workshop }).catch(
    (fault: { stdout: string }) => fault,
  );
  return stdout;
}

/** All that a generator wrote, without comments. */
function textOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''))
    .join('\n');
}

/** Runs the compiled program: an SMS is accepted, and one is refused with its sentence. */
async function sends(folder: string): Promise<void> {
  const { stdout } = await run(
    process.execPath,
    [join(workshop, 'compiled', folder, 'main.js'), join(sharedService().dataDirectory, 'demo.json')],
    { timeout: 30_000 },
  );
  const [accepted, refused] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(accepted).toEqual([
    200,
    {
      result: {
        type: 'SmsResponse',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        units: { Safaricom: 1, Airtel: 0 },
        addresses: { Safaricom: 1, Airtel: 0 },
      },
    },
  ]);
  expect(refused).toEqual([400, { desc: expect.any(String) }]);
}

test.each(
  clients,
)('%s, generated/%s.yaml: with our names and the values that we name, and sends', async (command, name) => {
  const text = textOf(folderOf(command, name));
  // Where two things want one name, the second gets a number.
  expect(text.match(/export (?:type|interface) \w*[a-z]2\b/g)).toBeNull();
  expect(text).toMatch(name === 'openapi' ? /\bSentSms\b/ : /\bSmsTemplatePreview\b/);
  expect(text).toMatch(/\bProblem\b/);
  expect(text).not.toMatch(/\b(interface|type) Error\b/);
  // A type beside the values would have made them any string.
  expect(text).toMatch(name === 'openapi' ? /['"]AbsentSubscriber['"]/ : /['"]reviewer['"]/);
  expect(text).not.toMatch(/\bstring \| \(/);
  if (mainOf(command, name) !== undefined) await sends(`${command}-${name}`);
});

// At once: each alone would read the same libraries again.
test('strict TypeScript compiles all of them', () => {
  expect(faults).toBe('');
});
