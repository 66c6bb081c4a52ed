/** Tests the package as others get it: built, packed, installed beside a project of their own. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedService } from '../../contract-tests/support/shared/service.ts';

const run = promisify(execFile);
const client = fileURLToPath(new URL('.', import.meta.url));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

const root = fileURLToPath(new URL('../..', import.meta.url));

const { version } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));

let project: string;
const installed = () => join(project, 'node_modules/tarishi-client');
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'tarishi-client-'));
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  // Builds it first: see prepack.
  await run('npm', ['pack', '--pack-destination', project], { cwd: client });
  await run('npm', ['install', '--offline', '--no-audit', `./tarishi-client-${version}.tgz`], {
    cwd: project,
  });
  for (const name of ['@types', 'undici-types'])
    symlinkSync(join(modules, name), join(project, 'node_modules', name));
});

test('plain JavaScript: the example sends an SMS through the service and verifies its receipt', async () => {
  const example = join(project, 'send-sms.js');
  cpSync(join(installed(), 'examples/send-sms.js'), example);
  const { stdout } = await run(process.execPath, [example], {
    cwd: project,
    env: { PATH: process.env.PATH, DEMO_FILE: join(sharedService().dataDirectory, 'demo.json') },
    timeout: 60_000,
  });
  expect(stdout).toMatch(/accepted as [0-9a-f-]{36}/);
  expect(stdout).toContain('+254711000000: Delivered');
});

const fits = `
import { createServer } from 'node:http';
import express from 'express';
import type { Middleware } from 'koa';
import {
  type DeliveryReceipt, type Posted, expressReceiptHandler, fetchReceiptHandler, koaReceiptHandler, nodeReceiptHandler,
  Tarishi, TarishiError, verifyReceipt,
} from 'tarishi-client';

const tarishi = new Tarishi({ baseUrl: 'https://sms.example.com', clientId: 'c', clientSecret: 's' });
const service = 'demo-sms';
const sent = await tarishi.sms.send({ service, to: '+254711000000', text: 'Habari' }, { idempotencyKey: 'order-1' });
export const safaricom: number | undefined = sent.units['Safaricom'];
await tarishi.sms.send({ service, messages: [{ to: '+254711000000', text: 'Habari' }], correlator: 'order-1' });
await tarishi.sms.preview({ service, to: ['+254711000000'], template: 'order-shipped', params: { name: 'Asha' } });
await tarishi.data.disburse({ campaign: 'c', to: '+254711000000', denomination: '1GB', text: 'Enjoy' });
const receipts = { correlator: 'order-1', callbackUrl: 'https://client.example/receipts' };
await tarishi.data.disburse({ campaign: 'c', disbursements: [{ to: '0711', denomination: '1GB' }], ...receipts });
await tarishi.chatapp.send({
  service, phoneNumberId: '1', template: 'chat-greeting', to: '+254711000000',
  params: [{ type: 'BodyNamedParameter', name: 'name', value: 'Asha' }],
});
for await (const message of tarishi.messages.each({ phone: '+254711000000', from: new Date() }))
  console.log(message.state, message.timeline.length);
const { items, next } = await tarishi.balances.list({ limit: 10 });
export const balance: number | undefined = items[0]?.balance;
export const cursor: string | undefined = next;
export const replayed: number = (await tarishi.receipts.replay({ from: new Date(), which: 'Exhausted' })).receipts;
const { result } = await tarishi.call('sendSms', {
  path: { serviceId: service },
  body: { type: 'SendToMany', addresses: ['+254711000000'], message: 'Habari' },
});
export const requestId: string = result.requestId;
export const code = (error: unknown): string | undefined =>
  error instanceof TarishiError && error.status === 400 ? error.code : undefined;

export const receipt: Posted = await verifyReceipt('', new Headers(), ['whsec_a', 'whsec_b']);
type Named<Value> = Value extends string ? (string extends Value ? never : Value) : never;
export const known: Named<DeliveryReceipt['deliveryStatus']> = 'Delivered';
export const unknown: DeliveryReceipt['deliveryStatus'] = 'AddedLater';

const options = {
  signingSecret: 'whsec_',
  onReceipt: (receipt: Posted, webhookId: string) =>
    console.log(receipt.type === 'InboundMessage' ? receipt.from : receipt.phone, webhookId),
};
createServer(nodeReceiptHandler(options));
express().post('/receipts', expressReceiptHandler(options));
export const middleware: Middleware = koaReceiptHandler(options);
export const respond: (request: Request) => Promise<Response> = fetchReceiptHandler(options);
`;

/** The programs of the README as one, with what they leave to the reader. */
const readme = `${[...readFileSync(join(client, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)]
  .map(([, block]) => block)
  .join('\n')}
async function topUp() {}
async function isNew(webhookId: string) {
  return webhookId !== '';
}`;

/** Changes to `fits` that must not compile. */
const misfits: Record<string, [good: string, bad: string]> = {
  'a missing text': ["to: '+254711000000', text: 'Habari' }, {", "to: '+254711000000' }, {"],
  'a text beside a template': ["template: 'order-shipped',", "template: 'order-shipped', text: 'Habari',"],
  'an unknown denomination': ["denomination: '1GB', text", "denomination: '1TB', text"],
  'a number for a text': ["params: { name: 'Asha' }", 'params: { name: 5 }'],
  'an unknown kind of parameter': ["'BodyNamedParameter'", "'BodyParameter'"],
  'a callback URL without a correlator, for a bundle': ["correlator: 'order-1', callbackUrl", 'callbackUrl'],
  'an unknown filter': ['each({ phone:', 'each({ number:'],
  'a state that the document does not name, where one is asked for': ["= 'Delivered'", "= 'AddedLater'"],
  'an unknown operation': ["call('sendSms'", "call('sendSMS'"],
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
    faults = await faultsOf(
      { 'fits.ts': fits, 'readme.ts': readme, ...Object.fromEntries(files) },
      'NodeNext',
    );
  });

  test('calls that fit and the README compile, with NodeNext resolution', () => {
    expect(faults).not.toMatch(/^(fits|readme)\.ts/m);
  });

  test('calls that fit compile, with Bundler resolution', async () => {
    expect(await faultsOf({ 'fits.ts': fits }, 'Bundler')).toBe('');
  });

  test.each(Object.keys(misfits))('%s does not compile', (name) => {
    const own = faults.split('\n').filter((line) => line.startsWith(fileOf(name)));
    expect(own).toContainEqual(expect.stringMatching(/^\S+\(\d+,\d+\): error TS/));
  });

  test('the compiler reports nothing else', () => {
    const places = new Set(faults.split('\n').flatMap((line) => /^(\S+?)\(/.exec(line)?.[1] ?? []));
    expect([...places].sort()).toEqual(Object.keys(misfits).map(fileOf).sort());
  });
});

/** What the compiler says of modules in a project that has the client. */
async function faultsOf(sources: Record<string, string>, resolution: string): Promise<string> {
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(project, name), source);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'ES2022',
    skipLibCheck: false,
    // For express, whose declarations export by assignment.
    esModuleInterop: true,
    lib: [...(resolution === 'Bundler' ? ['DOM'] : []), 'ES2022'],
    types: ['node'],
    moduleResolution: resolution,
    module: resolution === 'Bundler' ? 'ESNext' : resolution,
  };
  const files = Object.keys(sources);
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { stdout } = await run(process.execPath, [join(modules, 'typescript/bin/tsc')], {
    cwd: project,
  }).catch((fault: { stdout: string }) => fault);
  return stdout;
}

test('the package contains what it needs and nothing else', () => {
  const folders = readdirSync(installed(), { recursive: true, encoding: 'utf8' }).filter(
    (name) => !/^(dist|examples)\//.test(name),
  );
  expect(folders.sort()).toEqual(['LICENSE', 'README.md', 'dist', 'examples', 'package.json']);
  expect(readFileSync(join(installed(), 'package.json'), 'utf8')).not.toMatch(/ependencies"/);
  for (const language of ['typescript', 'python', 'php', 'go'])
    expect(readFileSync(join(root, 'clients', language, 'LICENSE'), 'utf8')).toBe(
      readFileSync(join(root, 'LICENSE'), 'utf8'),
    );
});
