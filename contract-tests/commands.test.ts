/** The command line as an operator uses it: from an empty database to a team that sends, and back. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createFreshDatabase, type FreshUrl } from '../src/db/testing.ts';
import { call, tokenFor } from './api.ts';
import { type Beside, startProcess } from './beside.ts';
import { toMany } from './sms.ts';

const directory = mkdtempSync(join(tmpdir(), 'tarishi-commands-'));
const serverUrl = process.env.DATABASE_URL;
let database: FreshUrl | undefined;
let environment: Record<string, string | undefined>;
let service: Beside | undefined;

beforeAll(async () => {
  database = serverUrl === undefined ? undefined : await createFreshDatabase(serverUrl);
  environment = {
    PATH: process.env.PATH,
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: database?.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    DEMO: 'false',
    LOG_LEVEL: 'info',
  };
});
afterAll(async () => {
  await service?.stop();
  await database?.drop();
  rmSync(directory, { recursive: true });
});

interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** `tarishi` with these words; a word may hold spaces when it is given in a list. */
async function tarishi(words: string | string[], more: Record<string, string> = {}): Promise<Outcome> {
  const child = spawn(
    process.execPath,
    ['src/main.ts', ...(typeof words === 'string' ? words.split(' ') : words)],
    {
      cwd: new URL('..', import.meta.url),
      env: { ...environment, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

/** What a command answers with `--json`. */
async function answerOf(words: string | string[]) {
  const outcome = await tarishi([...(typeof words === 'string' ? words.split(' ') : words), '--json']);
  expect(outcome).toEqual({ code: 0, out: expect.any(String), err: '' });
  return JSON.parse(outcome.out);
}

const refused = (words: string | string[], sentence: string | RegExp) =>
  tarishi(words).then((outcome) =>
    expect(outcome).toEqual({
      code: 1,
      out: '',
      err: typeof sentence === 'string' ? `tarishi: ${sentence}\n` : expect.stringMatching(sentence),
    }),
  );

describe('before there is anything', () => {
  // A process each, which may take its time on a busy machine.
  test('without a command: how to use it, exit code 2', async () => {
    const outcome = await tarishi([]);
    expect(outcome).toMatchObject({ code: 2, out: '', err: expect.stringContaining('client add <client>') });
    expect((await tarishi('help')).out).toBe(outcome.err);
  });

  test('an unknown command and a wrong option: exit code 2', async () => {
    expect(await tarishi('team remove acme')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^tarishi: there is no command 'team remove'\n/),
    });
    expect(await tarishi('team add acme --nmae Acme')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^tarishi: Unknown option '--nmae'\n\nUsage: tarishi team add <team>/),
    });
    expect(await tarishi('start now')).toMatchObject({
      code: 2,
      err: expect.stringContaining("unexpected argument 'now'"),
    });
  });

  test('no command makes a database by accident', async () => {
    await refused(
      'team list',
      database === undefined
        ? /^tarishi: there is no database in .+: set DATA_DIR or DATABASE_URL, or make one with tarishi migrate\n$/
        : 'the tables of this database are not up to date: run tarishi migrate',
    );
  });

  test('a setting that is wrong is named', async () => {
    expect(await tarishi('team list', { PORT: 'x' })).toMatchObject({
      code: 1,
      err: expect.stringContaining('PORT must be a whole number'),
    });
  });
});

test('from an empty database to a team that sends', async () => {
  expect((await tarishi('migrate')).code).toBe(0);
  expect(await answerOf('team list')).toEqual([]);
  expect(await answerOf(['team', 'add', 'acme', '--name', 'Acme Ltd'])).toEqual({
    team: 'acme',
    name: 'Acme Ltd',
  });
  await refused('team add acme', 'there is a team acme already');
  await refused('client add orders --team nobody', 'there is no team nobody');

  const made = await answerOf('client add orders --team acme --scope message.sms.send.oneway');
  expect(made).toEqual({
    clientId: 'orders',
    clientSecret: expect.stringMatching(/^[\w-]{43}$/),
    signingSecret: expect.stringMatching(/^whsec_/),
  });
  const rotated = await answerOf('client rotate orders');
  expect(await tarishi('client list')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^CLIENT +TEAM/),
  });
  expect((await tarishi('client list')).out).not.toContain(made.clientSecret);

  await answerOf('service add acme-sms --team acme --sender ACME --validity 90');
  expect(await answerOf('service set acme-sms --default-validity')).toMatchObject({ validity: null });
  expect(await answerOf('service set acme-sms --validity 120')).toMatchObject({
    sender: 'ACME',
    validity: 120,
  });
  expect(await answerOf('topup acme --product sms --units 3')).toMatchObject({ balance: 3 });
  await answerOf('channel add Safaricom --prefix +25470 --prefix 25471 --connector simulator');
  await refused(
    'channel add Other --prefix 25471 --connector simulator',
    'the prefix 25471 belongs to the channel Safaricom',
  );
  await refused('channel add Other --prefix 25473 --connector nothing', /there is no connector nothing/);
  const other = 'channel add Other --prefix 25473 --connector simulator --bundle-connector';
  await refused(`${other} simulator`, /the connector simulator gives no bundles/);
  await answerOf([
    ...'template add hello --team acme --category UTILITY --param n:Numeric:3 --content'.split(' '),
    'Habari {{name}}, {{n}}',
  ]);
  await refused('template approve hello', 'the template hello does not wait for approval');

  service = await startProcess('start', environment);
  const { baseUrl } = service;
  // While one replaces the other both are good.
  await tokenFor(baseUrl, made);
  const token = await tokenFor(baseUrl, { clientId: 'orders', clientSecret: rotated.clientSecret });
  const send = (body: object) => call(baseUrl, '/message/acme-sms', { token, body });
  const sent = await send(toMany(['+254711000000', '+254701000000']));
  expect(sent.body.result).toMatchObject({ units: { Safaricom: 2 } });
  const params = [{ name: 'name', value: 'Asha' }];
  const template = { type: 'TemplateSendToMany', templateId: 'hello', addresses: ['+254711000000'], params };
  expect((await send(template)).body.result.errors).toBeDefined();
  params.push({ name: 'n', value: '12' });
  expect((await send(template)).status).toBe(200);
  expect((await send(toMany(['+254711000000']))).body).toEqual({
    desc: 'Insufficient units for 1 unit(s) requested.',
  });

  if (database === undefined)
    await refused(
      'balance acme',
      /^tarishi: the embedded database in .+ is in use by a running service .+: stop the service, .+\n$/,
    );
  else expect(await answerOf('balance acme')).toEqual([{ product: 'sms', variant: null, balance: 0 }]);
  expect(await service.stop()).toBe(0);
}, 400_000);

test('managed senders, and the templates that go out from them', async () => {
  const verify = { key: 'verify', name: 'Codes', category: 'AUTHENTICATION', sender: 'VERIFY' };
  const add = 'managed-sender add verify --category AUTHENTICATION --sender VERIFY --name Codes';
  expect(await answerOf(add)).toEqual(verify);
  await refused(add, 'there is a managed sender verify already');
  expect(await answerOf('managed-sender list')).toEqual([verify]);
  const template = ['template', 'add', 'code', '--team', 'acme', '--content', '{{1}}', '--sender', 'verify'];
  await refused(
    [...template, '--category', 'UTILITY'],
    'the managed sender verify is for AUTHENTICATION templates',
  );
  expect(await answerOf([...template, '--category', 'AUTHENTICATION'])).toMatchObject({
    approvalStatus: 'PENDING',
    sender: 'verify',
  });
  expect(await answerOf('template approve code')).toMatchObject({ approvalStatus: 'APPROVED' });
}, 300_000);

test('chat-app services, and the numbers that they send from', async () => {
  const service = { service: 'acme-chat', team: 'acme', name: 'Shop', status: 'Active' };
  await refused('chat-service add acme-chat --team nobody', 'there is no team nobody');
  expect(await answerOf('chat-service add acme-chat --team acme --name Shop')).toEqual(service);
  await refused('chat-service add acme-chat --team acme', 'there is a chat-app service acme-chat already');
  await refused('chat-service set acme-chat', 'nothing to change: give --name or --status');
  await refused('chat-service set nothing --name Shop', 'there is no chat-app service nothing');
  expect(await answerOf('chat-service set acme-chat --status Inactive')).toEqual({
    ...service,
    status: 'Inactive',
  });
  await answerOf('chat-service set acme-chat --status Active');
  expect(await answerOf('chat-service list --team acme')).toEqual([service]);
  await answerOf('sender add 1055 --service acme-chat --phone +254711000000 --connector chat-simulator');
}, 300_000);

test('chat-app templates, until they are sent', async () => {
  const file = join(directory, 'template.json');
  const write = (template: object) => writeFileSync(file, JSON.stringify(template));
  const add = ['chat-template', 'add', 'Order-Shipped', '--team', 'acme', '--category', 'UTILITY'];
  add.push('--language', 'en', '--file', file);
  await refused(add, /^tarishi: .+ENOENT/);
  const body = { text: 'Habari {{name}}, {{1}}' };
  write({ body, offer: {}, footer: 'Bye' });
  const usage = '\n\nUsage: tarishi chat-template add';
  expect(await tarishi(add)).toMatchObject({
    code: 2,
    err: expect.stringContaining(`tarishi: offer is not known here\ntarishi: footer must be object${usage}`),
  });
  write({ body, buttons: [{ type: 'OTP', text: 'Copy' }] });
  expect(await tarishi(add)).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      `tarishi: placeholders are all numbers or all names, in header, body and cards
tarishi: an OTP button is only for templates of category AUTHENTICATION${usage}`,
    ),
  });
  write({ body: { text: 'Habari {{1}}' } });
  const template = {
    template: 'Order-Shipped',
    team: 'acme',
    name: 'order_shipped',
    language: 'en',
    category: 'UTILITY',
    status: 'Active',
    approvalStatus: 'PENDING',
    comment: null,
    body: 'Habari {{1}}',
  };
  expect(await answerOf(add)).toEqual(template);
  await refused(add, 'there is a chat-app template Order-Shipped already');
  const rejected = { ...template, approvalStatus: 'REJECTED', comment: 'INVALID_FORMAT' };
  expect(await answerOf('chat-template reject Order-Shipped --comment INVALID_FORMAT')).toEqual(rejected);
  expect(await answerOf('chat-template pause Order-Shipped')).toMatchObject({ approvalStatus: 'PAUSED' });
  await refused('chat-template pause Order-Shipped', 'the chat-app template Order-Shipped is PAUSED already');
  await refused('chat-template approve nothing', 'there is no chat-app template nothing');
  await answerOf('chat-template archive Order-Shipped');
  await answerOf('chat-template restore Order-Shipped');
  const approved = { ...template, approvalStatus: 'APPROVED' };
  expect(await answerOf('chat-template approve Order-Shipped')).toEqual(approved);
  expect(await answerOf('chat-template list --team acme')).toEqual([approved]);

  const client = await answerOf('client add chat --team acme --scope message.chatapp.send');
  service = await startProcess('start', environment);
  const token = await tokenFor(service.baseUrl, client);
  const { body: answer } = await call(service.baseUrl, '/message/acme-chat/chatapp', {
    token,
    body: {
      type: 'TemplateSendToMany',
      phoneNumberId: '1055',
      templateId: 'Order-Shipped',
      addresses: ['+254711000000'],
      params: [{ type: 'BodyPositionalParameter', position: 1, value: 'Asha' }],
    },
  });
  expect(answer.result).toMatchObject({ type: 'ChatAppResponse', addresses: 1, units: {} });
  expect(await service.stop()).toBe(0);
}, 400_000);

test('units, secrets and clients afterwards', async () => {
  expect(await answerOf('balance acme')).toEqual([{ product: 'sms', variant: null, balance: 0 }]);
  expect(await tarishi('topup acme --product data --units 5')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^tarishi: --variant must be a channel and a denomination/),
  });
  await refused('topup acme --product data --variant Orange/50MB --units 5', 'there is no channel Orange');
  const campaign = 'campaign add gift --team acme --denomination 50MB --frequency Daily';
  await refused(`${campaign} --service nothing`, 'the team acme has no service nothing');
  await answerOf(`${campaign} --service acme-sms --expires 2099-01-31T00:00:00+03:00`);
  expect(await answerOf('campaign list --team acme')).toEqual([
    {
      campaign: 'gift',
      team: 'acme',
      status: 'Active',
      service: 'acme-sms',
      frequency: 'Daily',
      expires: '2099-01-30T21:00:00.000Z',
      denominations: ['50MB'],
    },
  ]);
  expect(await answerOf('campaign archive gift')).toMatchObject({ status: 'Archived' });
  await answerOf('topup acme --product chatapp --variant UTILITY --units 5');

  expect(await answerOf('client revoke orders --former')).toMatchObject({ clientSecrets: 1, enabled: true });
  expect(await answerOf('client revoke orders')).toMatchObject({ enabled: false });
  expect(await answerOf('client restore orders')).toMatchObject({ enabled: true });
  expect(await answerOf('template archive hello')).toMatchObject({ status: 'Archived' });
  expect(await answerOf('channel set Safaricom --status inactive')).toMatchObject({
    active: false,
    prefixes: ['25470', '25471'],
  });
}, 300_000);

test('secrets are not made with a key that the service does not have', async () => {
  const other = { SECRET_KEY: randomBytes(32).toString('base64') };
  expect(await tarishi('client rotate orders', other)).toEqual({
    code: 1,
    out: '',
    err: 'tarishi: the secret key is not the one this database was filled with\n',
  });
});
