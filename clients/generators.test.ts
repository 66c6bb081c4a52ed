/** Generators that we did not write understand the document: their clients compile strictly and send an SMS. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type SharedService, sharedService } from '../contract-tests/support/shared/service.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const present = join(root, 'spec/openapi.yaml');
/** Who generated a client from it goes on sending. */
const released = join(root, 'spec/released/openapi.yaml');

interface Generator {
  /** Arguments of `command` that write the client beside main.ts. */
  arguments: (document: string) => string[];
  /** A program that prints the status and the body of an SMS that is accepted and of one that is rejected. */
  main: string;
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

const generators: Record<'openapi-ts' | 'orval' | 'oazapfts', Generator> = {
  'openapi-ts': {
    arguments: (document) => [
      '-i',
      document,
      '-o',
      'client',
      '-p',
      '@hey-api/client-fetch',
      '@hey-api/sdk',
      '@hey-api/typescript',
    ],
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
};

let workshop: string;
let service: SharedService;

beforeAll(async () => {
  // Below the project, so that what the generated code imports is found.
  workshop = mkdtempSync(join(root, 'clients/generated-'));
  service = sharedService();
});
afterAll(async () => {
  rmSync(workshop, { recursive: true, force: true });
});

test.each([
  ['openapi-ts', 'present', present],
  ['orval', 'present', present],
  ['oazapfts', 'present', present],
  ['oazapfts', 'released', released],
] as const)(
  '%s, from the %s document: compiles under strict TypeScript and sends',
  async (command, version, document) => {
    const generator = generators[command];
    const folder = join(workshop, `${command}-${version}`);
    mkdirSync(folder);
    await run(join(root, 'node_modules/.bin', command), generator.arguments(document), { cwd: folder });
    writeFileSync(join(folder, 'main.ts'), `${preamble}${generator.main}`);
    const compilerOptions = {
      ...{ strict: true, target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: ['node'] },
      ...{ module: 'NodeNext', skipLibCheck: true, outDir: 'compiled', rootDir: '.' },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
    const compiled = await run(join(root, 'node_modules/.bin/tsc'), [], { cwd: folder }).catch(
      (fault: { stdout: string }) => fault,
    );
    expect(compiled.stdout).toBe('');

    const { stdout } = await run(
      process.execPath,
      [join(folder, 'compiled/main.js'), join(service.dataDirectory, 'demo.json')],
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
  },
  120_000,
);
