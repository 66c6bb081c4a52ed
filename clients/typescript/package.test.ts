/** Tests the package as others get it: built, packed, installed beside a project of their own. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SharedService, sharedService } from '../../contract-tests/support/shared/service.ts';

const run = promisify(execFile);
const client = fileURLToPath(new URL('.', import.meta.url));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

let project: string;
let service: SharedService;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'tarishi-client-'));
  await run('npm', ['run', 'build'], { cwd: client });
  await run('npm', ['pack', '--pack-destination', project], { cwd: client });
  await run('tar', ['-xzf', 'tarishi-client-0.1.0.tgz'], { cwd: project });
  const installed = join(project, 'node_modules');
  mkdirSync(installed);
  cpSync(join(project, 'package'), join(installed, 'tarishi-client'), { recursive: true });
  // Its dependencies and nothing else, as the lockfile has them here.
  for (const name of [
    'openapi-fetch',
    'openapi-typescript-helpers',
    'standardwebhooks',
    '@stablelib',
    'fast-sha256',
  ])
    symlinkSync(join(modules, name), join(installed, name));
  for (const name of ['@types', 'undici-types']) symlinkSync(join(modules, name), join(installed, name));
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  service = sharedService();
}, 180_000);
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
});

test('plain JavaScript: the example sends an SMS through the service and verifies its receipt', async () => {
  const example = join(project, 'send-sms.js');
  cpSync(join(project, 'package/examples/send-sms.js'), example);
  const { stdout } = await run(process.execPath, [example], {
    cwd: project,
    env: { PATH: process.env.PATH, DEMO_FILE: join(service.dataDirectory, 'demo.json') },
    timeout: 60_000,
  });
  expect(stdout).toMatch(/accepted as [0-9a-f-]{36}/);
  expect(stdout).toContain('+254711000000: Delivered');
}, 90_000);

const fits = `
import { createTarishi, verifyReceipt, type Receipt } from 'tarishi-client';
const tarishi = createTarishi({ baseUrl: 'https://sms.example.com', clientId: 'c', clientSecret: 's' });
const { data, error } = await tarishi.POST('/message/{serviceId}', {
  params: { path: { serviceId: 's' } },
  body: { type: 'SendToMany', addresses: ['+254711000000'], message: 'Habari' },
});
export const safaricom: number | undefined = data?.result.units['Safaricom'];
export const said: string | undefined = error && ('desc' in error ? error.desc : error.error_description);
export const receipt: Receipt = verifyReceipt('', new Headers(), 'whsec_');
type Named<Value> = Value extends string ? (string extends Value ? never : Value) : never;
export const known: Named<Receipt['deliveryStatus']> = 'Delivered';
export const unknown: Receipt['deliveryStatus'] = 'AddedLater';
`;

/** Changes to `fits` that must not compile. */
const misfits: Record<string, [good: string, bad: string]> = {
  'a missing field': ["message: 'Habari'", ''],
  'an unknown mode': ["'SendToMany'", "'SendToAll'"],
  'a number for a text': ["message: 'Habari'", 'message: 5'],
  'a state that the document does not name, where one is asked for': ["= 'Delivered'", "= 'AddedLater'"],
  'an unknown path': ["'/message/{serviceId}'", "'/messages/{serviceId}'"],
};
const fileOf = (name: string) => `${name.replaceAll(/\W+/g, '-')}.ts`;

describe('strict TypeScript', () => {
  /** What the compiler says of all of them at once: one run takes as long as each would. */
  let faults: string;

  beforeAll(async () => {
    const files = Object.entries(misfits).map(([name, [good, bad]]): [string, string] => {
      expect(fits).toContain(good);
      return [fileOf(name), fits.replace(good, bad)];
    });
    faults = await faultsOf({ 'fits.ts': fits, ...Object.fromEntries(files) }, 'NodeNext');
  }, 90_000);

  test('calls that fit compile, with NodeNext resolution', () => {
    expect(faults).not.toMatch(/^fits\.ts/m);
  });

  test('calls that fit compile, with Bundler resolution', async () => {
    expect(await faultsOf({ 'fits.ts': fits }, 'Bundler')).toBe('');
  }, 90_000);

  test.each(Object.keys(misfits))('%s does not compile', (name) => {
    const own = faults.split('\n').filter((line) => line.startsWith(fileOf(name)));
    expect(own).toContainEqual(expect.stringMatching(/^\S+\(\d+,\d+\): error TS/));
  });

  test('nothing else is found', () => {
    const places = new Set(faults.split('\n').flatMap((line) => /^(\S+?)\(/.exec(line)?.[1] ?? []));
    expect([...places].sort()).toEqual(Object.keys(misfits).map(fileOf).sort());
  });
});

/** What the compiler says of modules in a project that has the client. */
async function faultsOf(sources: Record<string, string>, resolution: string): Promise<string> {
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(project, name), source);
  const compilerOptions = {
    ...{
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
    },
    ...{
      types: ['node'],
      moduleResolution: resolution,
      module: resolution === 'Bundler' ? 'ESNext' : resolution,
    },
  };
  const files = Object.keys(sources);
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { stdout } = await run(process.execPath, [join(modules, 'typescript/bin/tsc')], {
    cwd: project,
  }).catch((fault: { stdout: string }) => fault);
  return stdout;
}

test('the package holds what is needed and no more', () => {
  const { files } = JSON.parse(readFileSync(join(project, 'package/package.json'), 'utf8'));
  expect(files).toEqual(['dist', 'examples']);
});
