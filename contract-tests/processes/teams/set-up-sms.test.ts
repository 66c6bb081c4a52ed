/** The command line as an operator uses it: from an empty database to a team that sends, and back. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type CommandLine, openCommandLine } from '../../support/service/command-line.ts';
import type { Beside } from '../../support/service/deployment.ts';

let line: CommandLine;
let service: Beside | undefined;

beforeAll(async () => {
  line = await openCommandLine('nothing');
});
afterAll(async () => {
  await service?.stop();
  await line?.dispose();
});

const tarishi: CommandLine['tarishi'] = (...call) => line.tarishi(...call);
const answerOf: CommandLine['answerOf'] = (...call) => line.answerOf(...call);
const refused: CommandLine['refused'] = (...call) => line.refused(...call);

describe('before there is anything', () => {
  test('an unknown command, a wrong option and a missing setting: exit code 2 or 1', async () => {
    expect(await tarishi('team remove acme')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^tarishi: unknown command 'team remove'\n/),
    });
    expect(await tarishi('team add acme --nmae Acme')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^tarishi: unknown option '--nmae'; did you mean --name\?\n\nUsage: tarishi team add <team>/,
      ),
    });
    expect(await tarishi('start', { NODE_ENV: 'production' })).toEqual({
      code: 1,
      out: '',
      err: 'tarishi: start needs PUBLIC_URL in production: it is the address for clients and the issuer of tokens\n',
    });
    expect(await tarishi('start now')).toMatchObject({
      code: 2,
      err: expect.stringContaining("unexpected argument 'now'"),
    });
  });

  test('no command creates a database by accident', async () => {
    await refused(
      'team list',
      line.embedded
        ? /^tarishi: .+ contains no database: set DATA_DIR or DATABASE_URL, or create one with tarishi migrate\n$/
        : 'the database schema is not up to date: run tarishi migrate',
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
  for (const said of [
    '"migrations":["0001_initial"],"msg":"tables created or updated"',
    '"tables are up to date"',
  ])
    expect(await tarishi('migrate')).toMatchObject({ code: 0, out: expect.stringContaining(said) });
  expect(await answerOf('team list')).toEqual([]);
  expect(await answerOf(['team', 'add', 'acme', '--name', 'Acme Ltd'])).toEqual({
    team: 'acme',
    name: 'Acme Ltd',
  });
  await refused('team add acme', 'team acme already exists');
  await refused('client add orders --team nobody', 'team nobody does not exist');

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
  expect(await answerOf('topup acme --product sms --units 4')).toMatchObject({ balance: 4 });
  await answerOf('channel add Safaricom --prefix +25470 --prefix 25471 --connector simulator');
  await refused(
    'channel add Other --prefix 25471 --connector simulator',
    'prefix 25471 already belongs to channel Safaricom',
  );
  await refused('channel add Other --prefix 25473 --connector nothing', /connector nothing does not exist/);
  const other = 'channel add Other --prefix 25473 --connector simulator --bundle-connector';
  await refused(`${other} simulator`, /connector simulator cannot give bundles: its kind is simulator/);
  await refused(
    'channel set Safaricom --connector bundle-simulator',
    /connector bundle-simulator cannot send SMS: its kind is bundle-simulator/,
  );
  await answerOf([
    ...'template add hello --team acme --category UTILITY --param n:Numeric:3 --content'.split(' '),
    'Habari {{name}}, {{n}}',
  ]);
  await refused('template approve hello', 'template hello is not pending approval');
  const optional = [
    'template',
    'add',
    'greet',
    '--team',
    'acme',
    '--category',
    'UTILITY',
    '--optional',
    'name',
  ];
  expect(await tarishi([...optional, '--content', 'Hi {{name}}'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('parameter name is optional and needs a default'),
  });
  await answerOf([...optional, '--default', 'name=friend', '--content', 'Hi {{name}}']);

  service = await line.start();
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
  expect((await send({ ...template, templateId: 'greet', params: [] })).status).toBe(200);
  expect((await send(toMany(['+254711000000']))).body).toEqual({
    desc: 'Insufficient units for 1 unit(s) requested.',
  });

  if (line.embedded)
    await refused(
      'balance acme',
      /^tarishi: the embedded database in .+ is in use by a running service .+: stop it and .+\n$/,
    );
  else expect(await answerOf('balance acme')).toEqual([{ product: 'sms', variant: null, balance: 0 }]);
  expect(await service.stop()).toBe(0);
}, 400_000);

test('units, secrets and clients afterwards', async () => {
  expect(await answerOf('balance acme')).toEqual([{ product: 'sms', variant: null, balance: 0 }]);
  expect(await tarishi('topup acme --product data --units 5')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^tarishi: --variant must be a channel and a denomination/),
  });
  await refused('topup acme --product data --variant Orange/50MB --units 5', 'channel Orange does not exist');
  expect(await tarishi('topup acme --product data --variant Safaricom/50MB --units 5')).toMatchObject({
    code: 0,
    out: expect.stringContaining('warning: channel Safaricom has no bundle connector: its bundles wait'),
  });
  const campaign = 'campaign add gift --team acme --denomination 50MB --frequency Daily';
  await refused(`${campaign} --service nothing`, 'team acme has no service nothing');
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

  expect(await answerOf('template archive hello')).toMatchObject({ status: 'Archived' });
  expect(await answerOf('channel set Safaricom --status inactive')).toMatchObject({
    active: false,
    prefixes: ['25470', '25471'],
  });
}, 300_000);

test('a disabled client loses its tokens for good, and gets new ones once it is enabled', async () => {
  const { clientSecret } = await answerOf('client rotate orders');
  const tokens: string[] = [];
  const statusesNow = async (more?: 'and a new token') => {
    // The same issuer at every start: only a revocation ends these tokens.
    service = await line.start({ PUBLIC_URL: 'https://tarishi.example' });
    const { baseUrl } = service;
    if (more) tokens.push(await tokenFor(baseUrl, { clientId: 'orders', clientSecret }));
    const answers = tokens.map((token) => call(baseUrl, '/message/acme-sms', { token, body: toMany([]) }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(await service.stop()).toBe(0);
    return statuses;
  };
  expect(await statusesNow('and a new token')).toEqual([400]);
  expect(await answerOf('client revoke orders')).toMatchObject({ enabled: false });
  expect(await statusesNow()).toEqual([403]);
  expect(await answerOf('client restore orders')).toMatchObject({ enabled: true });
  expect(await statusesNow('and a new token')).toEqual([401, 400]);
}, 400_000);

test('secrets are not sealed with a key that the service does not have', async () => {
  const other = { SECRET_KEY: randomBytes(32).toString('base64') };
  expect(await tarishi('client rotate orders', other)).toEqual({
    code: 1,
    out: '',
    err: 'tarishi: SECRET_KEY is not the key that this database was filled with\n',
  });
});
