/** Every command that changes something leaves one complete entry in the audit log; every other command leaves none. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSecrets } from '../clients/secrets.ts';
import { type Stub, startStub } from '../connectors/http/provider-testing.ts';
import type { Database } from '../db/knex.ts';
import { openTestDatabase } from '../db/testing.ts';
import { createCommandLine } from './line/testing.ts';
import { commandGroups } from './main.ts';

const { Service: _running, ...managing } = commandGroups;
const commands = Object.values(managing).flat();
const reads = /( list| show| verify)$|^(balance|audit|stats|doctor)$/;

let database: Database;
let stub: Stub;
let kid: string;
const [requestId, receiptId] = [randomUUID(), randomUUID()];
const file = join(mkdtempSync(join(tmpdir(), 'tarishi-')), 'template.json');
const tarishi = createCommandLine(commands, {
  database: () => database,
  secrets: createSecrets(randomBytes(32)),
});
const secret = 'canary-secret';

/** In their order: each stands on what those before it have made. */
const writes = (): string[] => [
  'team add acme',
  'team set acme --rate 50 --operation-rate sendSms=5',
  'client add orders --team acme --scope message.sms.send.oneway',
  'client set orders --address 127.0.0.0/8',
  'client rotate orders',
  'client revoke orders --former',
  'client revoke orders',
  'client restore orders',
  'user add amina --role owner',
  'user add juma --role admin --team acme',
  'user set juma --role viewer',
  'user rotate juma',
  'user revoke juma',
  'user restore juma',
  'token-key rotate',
  `token-key revoke ${kid}`,
  `connector add wa --kind whatsapp --token-env SECRET --set baseUrl=${stub.url} --set businessAccountId=81`,
  'connector add spare --kind simulator',
  'connector set wa --token-env SECRET --app-secret-env SECRET --verify-token-env SECRET',
  'connector test wa',
  'connector pause wa',
  'connector resume wa',
  'connector remove spare',
  'channel add Safaricom --prefix 25471 --connector simulator',
  'channel set Safaricom --status inactive',
  'topup acme --product sms --units 10 --reference one',
  'ledger adjust acme --product sms --units -1 --reason mistake --reference two',
  'service add orders --team acme --sender ACME',
  'service set orders --sender ORDERS',
  'managed-sender add verify --category UTILITY --sender VERIFY',
  'managed-sender set verify --sender CODES',
  'template add greeting --team acme --category UTILITY --content Habari --sender verify',
  'template set greeting --content Jambo',
  'template approve greeting',
  'template archive greeting',
  'template restore greeting',
  'template add other --team acme --category UTILITY --content Habari --sender verify',
  'template reject other --comment no',
  'chat-service add chat --team acme',
  'chat-service set chat --name Chat',
  'sender add 106540352242922 --service chat --phone +254711000000 --connector wa',
  'sender set 106540352242922 --phone +254711000001',
  `chat-template add hello --team acme --category UTILITY --language en --file ${file}`,
  'chat-template set hello --category MARKETING',
  'chat-template approve hello',
  'chat-template pause hello',
  'chat-template reject hello',
  'chat-template archive hello',
  'chat-template restore hello',
  'chat-template import --team acme --connector wa',
  'campaign add loyalty --team acme --service orders --denomination 1GB --frequency Daily',
  'campaign set loyalty --frequency Weekly',
  'campaign archive loyalty',
  'campaign restore loyalty',
  `receipt resend ${receiptId}`,
  'receipt replay acme --since 2026-01-01T00:00:00Z --all',
  'endpoint release acme https://a.example',
  'quarantine retry --all',
  'subject erase +254711999999',
];

beforeAll(async () => {
  const template = { name: 'greeting', language: 'sw', status: 'APPROVED', category: 'UTILITY' };
  const components = [{ type: 'BODY', text: 'Habari' }];
  stub = await startStub(() => ({ status: 200, body: { data: [{ ...template, components }] } }));
  writeFileSync(file, JSON.stringify({ body: { text: 'Hello' } }));
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(async () => {
  await stub.close();
  await database.close();
});

/** What only clients and networks make. */
async function addReceipt(): Promise<void> {
  const { knex } = database;
  const owners = { team_id: 'acme', client_id: 'orders' };
  await knex('requests').insert({ ...owners, id: requestId, operation: 'sendSms', resource_id: 'orders' });
  const message = { request_id: requestId, team_id: 'acme', position: 0, product: 'sms', state: 'Delivered' };
  const [{ id }] = await knex('messages')
    .insert({ ...message, channel: 'Safaricom', phone: '+254711000000', content: 'Habari', units: 1 })
    .returning('id');
  const place = { request_id: requestId, message_id: id, url: 'https://a.example', origin_key: receiptId };
  await knex('receipts').insert({ ...owners, ...place, id: receiptId, body: '{}', state: 'Exhausted' });
  const origin = { team_id: 'acme', origin_key: receiptId, origin: 'https://a.example' };
  await knex('receipt_origins').insert({ ...origin, failures_in_a_row: 20 });
  await knex('quarantine').insert({ round: 'report', item: 'one', payload: '{}', reason: 'made by a test' });
}

const entries = () => database.knex('audit_log').orderBy('id');

test('every command that changes something leaves one entry, with who, when, before and after', async () => {
  await tarishi('token-key list');
  const done = new Set<string>();
  for (let index = 0; index < writes().length; index += 1) {
    const words = writes()[index] ?? '';
    if (words.startsWith('receipt resend')) await addReceipt();
    const before = (await entries()).length;
    const answer = await tarishi(words, { SECRET: secret });
    const added = (await entries()).slice(before);
    expect([words, added.length, answer]).toEqual([words, 1, expect.anything()]);
    const [{ at, before: was, after: is, ...entry }] = added;
    expect(entry).toMatchObject({
      actor_kind: 'command line',
      actor_name: 'tester',
      action: expect.stringMatching(/^[a-z -]+$/),
      noun: expect.stringMatching(/^[a-z -]+$/),
      noun_id: expect.stringMatching(/./),
    });
    expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(60_000);
    expect([words, was === null && is === null]).toEqual([words, false]);
    expect(JSON.stringify([was, is])).not.toContain(secret);
    done.add(
      words
        .split(' ')
        .slice(0, commands.some((one) => one.words === words.split(' ')[0]) ? 1 : 2)
        .join(' '),
    );
    if (words.startsWith('token-key rotate')) kid = entry.noun_id;
  }
  const missing = commands.map((one) => one.words).filter((words) => !reads.test(words) && !done.has(words));
  expect(missing).toEqual([]);
});

test('commands that only read leave none', async () => {
  const before = await entries();
  for (const { words } of commands.filter(
    (one) => reads.test(one.words) && / list$|^audit|^doctor/.test(one.words),
  ))
    await tarishi(/^(ledger|receipt) list$/.test(words) ? `${words} acme` : words);
  expect(await entries()).toHaveLength(before.length);
});
