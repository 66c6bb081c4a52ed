/** Clients as operators change them: which of their tokens count, and what a refused value is called. */
import { beforeEach, expect, test } from '@jest/globals';
import { createClientRepository } from '../../access/repository.ts';
import { clearTables } from '../../platform/db/testing.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { useCommandLine } from '../line/testing.ts';

const { database, tarishi } = useCommandLine();
beforeEach(async () => {
  await clearTables(database.knex, 'teams, clients');
  await tarishi('team add acme');
  await tarishi('client add orders --team acme --scope message.sms.send.oneway');
});

testEvery<[string, unknown]>([
  ['client set orders --address nowhere', '--address nowhere is not an IP address or CIDR block'],
  ['team set acme --operation-rate sendSms=0', '--operation-rate at /sendSms must be at least 1'],
  [
    'team set acme --operation-rate sendFax=5',
    expect.stringMatching(/^--operation-rate must be for one of sendSms, /),
  ],
])('%s: the service refuses the value, named as the option', async (words, sentence) => {
  expect(await tarishi(words)).toEqual(sentence);
});

const tokensValidFrom = async () =>
  (await createClientRepository(database.knex).findClient('orders'))?.tokensValidFromMs ?? Number.NaN;

test.each<[string, [command: string, ends: boolean][]]>([
  [
    'survive a rotation, and end when the former secret is withdrawn',
    [
      ['client rotate orders', false],
      ['client revoke-former orders', true],
    ],
  ],
  [
    'end when a second rotation pushes the oldest secret out',
    [
      ['client rotate orders', false],
      ['client rotate orders', true],
    ],
  ],
  [
    'do not depend on signing secrets',
    [
      ['client rotate orders --secret signing', false],
      ['client rotate orders --secret signing', false],
      ['client revoke-former orders', false],
    ],
  ],
  [
    'end when the client is disabled; enabling it again does not revive them',
    [
      ['client revoke orders', true],
      ['client restore orders', true],
    ],
  ],
])('tokens that were issued before %s', async (_what, commands) => {
  for (const [command, ends] of commands) {
    const before = await tokensValidFrom();
    await tarishi(command);
    expect((await tokensValidFrom()) > before).toBe(ends);
  }
});
