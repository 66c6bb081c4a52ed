/** The demo fills an empty database, once, with data that hold together. */
import { beforeAll, expect, test } from '@jest/globals';
import { createClientRepository } from '../access/repository.ts';
import { userOfKey } from '../manage/access/users.ts';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import type { Demo } from './file.ts';
import { seedDemo } from './seed.ts';

const secrets = createSecrets(Buffer.alloc(32, 7));
const database = testDatabase();
let demo: Demo;

beforeAll(async () => {
  // Two processes of one deployment may start on the same empty database.
  const made = await Promise.all(
    ['http://one', 'http://two'].map((baseUrl) =>
      seedDemo(database.knex, secrets, { baseUrl, managementUrl: `${baseUrl}/management` }),
    ),
  );
  const [first, ...others] = made.filter((one) => one !== undefined);
  if (first === undefined) throw new Error('no demo was made');
  expect(others).toEqual([]);
  demo = first;
});

test('a database with a team is left as it is', async () => {
  expect(await seedDemo(database.knex, secrets, { baseUrl: 'http://three' })).toBeUndefined();
  expect(await database.knex('teams').pluck('id')).toEqual(['demo']);
});

test('every account is the sum of its ledger', async () => {
  const { rows } = await database.knex.raw(
    `select product, min(balance)::integer as balance,
       min((select sum(units) from ledger_entries where account_id = accounts.id))::integer as ledger
     from accounts group by product order by product`,
  );
  expect(rows).toEqual([
    { product: 'chatapp', balance: 10_000, ledger: 10_000 },
    { product: 'data', balance: 1_000, ledger: 1_000 },
    { product: 'sms', balance: 10_000, ledger: 10_000 },
  ]);
});

test('credentials of the client are stored as a hash only', async () => {
  const client = await createClientRepository(database.knex).findClient(demo.clientId);
  expect(secrets.matches(demo.clientSecret, client?.secretHashes ?? [])).toBe(true);
  for (const secret of [demo.clientSecret, demo.signingSecret])
    expect(JSON.stringify(client)).not.toContain(secret);
});

test('the access key of the management API is that of an owner of the platform', async () => {
  const user = await userOfKey({ knex: database.knex, secrets }, demo.accessKey ?? '');
  expect(user).toMatchObject({ id: 'demo-owner', role: 'owner', teamId: null });
});

test('the prefixes of the channels do not overlap', async () => {
  const channels = await database.knex('channels').orderBy('position').select('name', 'prefixes');
  expect(channels.map(({ name }) => name)).toEqual(['Safaricom', 'Airtel']);
  const all: string[] = channels.flatMap(({ prefixes }) => prefixes);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(
    expect.arrayContaining(['25471', '254740', '254768', '25411', '25473', '254750', '25410']),
  );
  // Of Safaricom's 74 these two belong to others.
  for (const prefix of ['25474', '254744', '254747']) expect(all).not.toContain(prefix);
});
