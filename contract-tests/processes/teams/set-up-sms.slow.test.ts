/** The command line as an operator uses it: from an empty database to a team that sends, and beside the running service. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrations } from '../../../src/platform/db/migrate.ts';
import { toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type CommandLine, openCommandLine } from '../../support/service/command-line.ts';
import type { Beside } from '../../support/service/deployment.ts';

let line: CommandLine;
let service: Beside | undefined;

beforeAll(async () => {
  line = await openCommandLine();
});
afterAll(async () => {
  await service?.stop();
  await line?.dispose();
});

const tarishi: CommandLine['tarishi'] = (...call) => line.tarishi(...call);
const answerOf: CommandLine['answerOf'] = (...call) => line.answerOf(...call);
const refused: CommandLine['refused'] = (...call) => line.refused(...call);

test('a start in production without its address is refused, and a command creates no database by accident', async () => {
  expect(await tarishi('start', { NODE_ENV: 'production' })).toEqual({
    code: 1,
    out: '',
    err: 'tarishi: start needs PUBLIC_URL in production: it is the address for clients and the issuer of tokens\n',
  });
  await refused(
    'team list',
    line.embedded
      ? /^tarishi: .+ contains no database: set DATA_DIR or DATABASE_URL, or create one with .+ migrate\n$/
      : /^tarishi: the database schema is not up to date: run .+ migrate\n$/,
  );
});

test('from an empty database to a team that sends', async () => {
  for (const said of [
    `"migrations":${JSON.stringify(Object.keys(migrations))},"msg":"tables created or updated"`,
    '"tables are up to date"',
  ])
    expect(await tarishi('migrate')).toMatchObject({ code: 0, out: expect.stringContaining(said) });
  expect(await answerOf('team list')).toEqual([]);
  await answerOf('team add acme');
  const owner = await answerOf('user add root --role owner');
  const made = await answerOf('client add orders --team acme --scope message.sms.send.oneway');
  const other = { SECRET_KEY: randomBytes(32).toString('base64') };
  expect(await tarishi('client rotate orders', other)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^tarishi: SECRET_KEY is not the key that this database was filled with\./),
  });
  await answerOf('service add acme-sms --team acme --sender ACME');
  await answerOf('topup acme --product Sms --units 1 --reference first');
  await answerOf('channel add Safaricom --prefix +25470 --prefix 25471 --connector simulator');

  service = await line.start();
  const { baseUrl } = service;
  const token = await tokenFor(baseUrl, { clientId: 'orders', clientSecret: made.clientSecret });
  const send = () => call(baseUrl, '/message/acme-sms', { token, body: toMany(['+254711000000']) });
  expect((await send()).body.result).toMatchObject({ units: { Safaricom: 1 } });
  expect((await send()).body).toEqual({ desc: 'Insufficient units for 1 unit(s) requested.' });

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
  expect(await answerOf('team set acme --default-rate')).not.toHaveProperty('ratePerSecond');
  const [byCommand, byUser] = await answerOf('audit --noun team --limit 2');
  const entry = { action: 'change', noun: 'team', nounId: 'acme', teamId: 'acme' };
  expect(byUser).toMatchObject({ ...entry, actor: { kind: 'user', name: 'root' } });
  expect(byCommand).toMatchObject({ ...entry, actor: { kind: 'command line' } });
  expect(Object.keys(byCommand)).toEqual(Object.keys(byUser));
  expect([byCommand.before, byCommand.after]).toEqual([byUser.after, byUser.before]);
}, 400_000);
