/** Campaigns as operators change them. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../platform/db/knex.ts';
import { openTestDatabase } from '../../platform/db/testing.ts';
import { createSecrets } from '../../platform/secrets/secrets.ts';
import { createCommandLine } from '../line/testing.ts';
import { allCommands } from '../main.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.knex.raw('truncate teams, services, campaigns cascade');
  for (const team of ['acme', 'other']) {
    await tarishi(`team add ${team}`);
    await tarishi(`service add ${team}-sms --team ${team} --sender ${team}`);
  }
  await tarishi('service add acme-news --team acme --sender NEWS');
  await tarishi('campaign add gift --team acme --service acme-sms --denomination 50MB --frequency Daily');
});

const tarishi = createCommandLine(allCommands(), {
  database: () => database,
  secrets: createSecrets(randomBytes(32)),
});
const set = (words: string) => tarishi(`campaign set ${words}`);
const asAdded = {
  id: 'gift',
  teamId: 'acme',
  name: 'gift',
  status: 'Active',
  serviceId: 'acme-sms',
  frequency: 'Daily',
  allowedDenominations: ['50MB'],
  createdAt: expect.any(String),
};

describe('campaign set', () => {
  test.each([
    ['status', '--status Archived', { status: 'Archived' }],
    ['service', '--service acme-news', { serviceId: 'acme-news' }],
    ['frequency', '--frequency OneTime', { frequency: 'OneTime' }],
    ['denominations', '--denomination 1GB --denomination 2GB', { allowedDenominations: ['1GB', '2GB'] }],
    ['end', '--expires 2099-01-31T00:00:00+03:00', { expiresAt: '2099-01-30T21:00:00.000Z' }],
  ])('changes the %s; the rest stays', async (_what, words, changed) => {
    expect(await set(`gift ${words}`)).toEqual({ ...asAdded, ...changed });
    expect(await tarishi('campaign list')).toEqual([{ ...asAdded, ...changed }]);
  });

  test('removes the end again, and changes the name', async () => {
    await set('gift --expires 2099-01-31T00:00:00Z');
    expect(await set('gift --no-expiry --name Gifts')).toEqual({ ...asAdded, name: 'Gifts' });
    expect(await database.knex('campaigns').first('name')).toEqual({ name: 'Gifts' });
  });

  test.each([
    ['nothing', 'gift', 'nothing to change: give at least one option'],
    ['an unknown campaign', 'none --status Archived', 'campaign none does not exist'],
    ['a service of another team', 'gift --service other-sms', 'team acme has no service other-sms'],
    ['an end without a zone', 'gift --expires 2099-01-31T00:00:00', /^--expires must be a date and time/],
    ['an end date and none', 'gift --expires 2099-01-31T00:00:00Z --no-expiry', /cannot be combined$/],
    ['a malformed denomination', 'gift --denomination 1TB', /^--denomination must be like/],
  ])('rejects %s, and changes nothing', async (_what, words, sentence) => {
    expect(await set(words)).toEqual(
      typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
    );
    expect(await tarishi('campaign list')).toEqual([asAdded]);
  });
});
