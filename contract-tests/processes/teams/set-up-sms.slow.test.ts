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
        ? /^tarishi: .+ contains no database: set DATA_DIR or DATABASE_URL, or create one with .+ migrate\n$/
        : /^tarishi: the database schema is not up to date: run .+ migrate\n$/,
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
  expect(await answerOf(['team', 'add', 'acme', '--name', 'Acme Ltd'])).toMatchObject({
    id: 'acme',
    name: 'Acme Ltd',
  });
  await refused('team add acme', 'team acme already exists');
  await refused('client add orders --team nobody', 'team nobody does not exist');
  const owner = await answerOf('user add root --role owner');

  const made = await answerOf('client add orders --team acme --scope message.sms.send.oneway');
  expect(made).toEqual({
    client: expect.objectContaining({ id: 'orders', scopes: ['message.sms.send.oneway'] }),
    clientSecret: expect.stringMatching(/^[\w-]{43}$/),
    signingSecret: expect.stringMatching(/^whsec_/),
  });
  const rotated = await answerOf('client rotate orders');
  expect(await tarishi('client list')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ID +TEAM/),
  });
  expect((await tarishi('client list')).out).not.toContain(made.clientSecret);

  await answerOf('service add acme-sms --team acme --sender ACME --validity-seconds 5400');
  expect(await answerOf('service set acme-sms --default-validity')).not.toHaveProperty('validitySeconds');
  expect(await answerOf('service set acme-sms --validity-seconds 7200')).toMatchObject({
    sender: 'ACME',
    validitySeconds: 7200,
  });
  expect(await answerOf('topup acme --product Sms --units 4 --reference first')).toMatchObject({
    balance: 4,
  });
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
  await tokenFor(baseUrl, { clientId: 'orders', clientSecret: made.clientSecret });
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

  const url = /"managementUrl":"([^"]+)"/.exec(service.output())?.[1] ?? '';
  if (line.embedded) {
    // Only that process has the database, so the command calls it: as a user, whom it has to name.
    await refused(
      'balance acme',
      /^tarishi: process \d+ uses .+, or give the address of its management API by --url\n$/,
    );
    await refused(`balance acme --url ${url}`, /needs the access key of a user: set TARISHI_ACCESS_KEY/);
  } else expect(await answerOf('balance acme')).toMatchObject([{ product: 'Sms', balance: 0 }]);
  const asOwner = { TARISHI_MANAGEMENT_URL: url, TARISHI_ACCESS_KEY: owner.accessKey };
  const changed = await tarishi('team set acme --rate 50 --json', asOwner);
  expect([changed.code, JSON.parse(changed.out)]).toEqual([
    0,
    expect.objectContaining({ ratePerSecond: 50 }),
  ]);
  // What is wrong has the same words and exit codes as in the command's own process.
  expect(await tarishi('team add acme', asOwner)).toEqual({
    code: 1,
    out: '',
    err: 'tarishi: team acme already exists\n',
  });
  expect(await tarishi('client set orders --address nowhere', asOwner)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^tarishi: --address nowhere is not an IP address or CIDR block\n\nUsage: /),
  });
  const wrong = { ...asOwner, TARISHI_ACCESS_KEY: 'root.wrong' };
  expect(await tarishi('team list', wrong)).toMatchObject({ code: 1, out: '' });
  expect(await service.stop()).toBe(0);
  const here = await answerOf('team set acme --default-rate');
  expect(here).not.toHaveProperty('ratePerSecond');
  const [byCommand, byUser] = await answerOf('audit --noun team --limit 2');
  const entry = { action: 'change', noun: 'team', nounId: 'acme', teamId: 'acme' };
  expect(byUser).toMatchObject({ ...entry, actor: { kind: 'user', name: 'root' } });
  expect(byCommand).toMatchObject({ ...entry, actor: { kind: 'command line' } });
  expect(Object.keys(byCommand)).toEqual(Object.keys(byUser));
  expect([byCommand.before, byCommand.after]).toEqual([byUser.after, byUser.before]);
}, 400_000);

test('units, secrets and clients afterwards', async () => {
  expect(await answerOf('balance acme')).toMatchObject([{ product: 'Sms', balance: 0 }]);
  const topUp = 'topup acme --reference second --units 5';
  expect(await tarishi(`${topUp} --product MobileData`)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^tarishi: --channel must be the name of a channel, such as Safaricom/),
  });
  await refused(
    `${topUp} --product MobileData --channel Orange --denomination 50MB`,
    'channel Orange does not exist',
  );
  await answerOf(`${topUp} --product MobileData --channel Safaricom --denomination 50MB`);
  const campaign = 'campaign add gift --team acme --denomination 50MB --frequency Daily';
  await refused(`${campaign} --service nothing`, 'team acme has no service nothing');
  await answerOf(`${campaign} --service acme-sms --expires 2099-01-31T00:00:00+03:00`);
  expect(await answerOf('campaign list --team acme')).toMatchObject([
    { id: 'gift', expiresAt: '2099-01-30T21:00:00.000Z', allowedDenominations: ['50MB'] },
  ]);
  expect(await answerOf('campaign archive gift')).toMatchObject({ status: 'Archived' });
  await answerOf(`${topUp} --product ChatApp --category UTILITY`);

  expect(await answerOf('template archive hello')).toMatchObject({ status: 'Archived' });
  expect(await answerOf('channel set Safaricom --no-active')).toMatchObject({
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
    err: expect.stringMatching(/^tarishi: SECRET_KEY is not the key that this database was filled with\./),
  });
});
