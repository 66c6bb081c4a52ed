/** Connectors and senders as operators manage them: strict words, sealed secrets, changes without a restart. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { clearTables } from '../../platform/db/testing.ts';
import { placeOf } from '../../platform/secrets/secrets.ts';
import { useCommandLine } from '../line/testing.ts';

const directory = mkdtempSync(join(tmpdir(), 'tarishi-connectors-'));
const { database, secrets, tarishi, fully } = useCommandLine();
beforeEach(() =>
  clearTables(database.knex, 'connectors, connector_states, channels, chatapp_numbers, messages'),
);

const provider = 'connector add airtime --kind bundles --set baseUrl=https://provider.example';
const stored = () => database.knex('connectors').where({ name: 'airtime' }).first();

test('a connector is added with its settings, and its secrets sealed', async () => {
  const line = `${provider} --set concurrency=3 --token-env TOKEN`;
  expect(await tarishi(line, { TOKEN: 'hush\n' })).toMatchObject({ name: 'airtime', kind: 'bundles' });
  const { settings, secrets: sealed, version } = await stored();
  expect([settings, version]).toEqual([{ baseUrl: 'https://provider.example', concurrency: 3 }, 1]);
  expect(sealed).not.toContain('hush');
  expect(JSON.parse(secrets.decrypt(sealed, placeOf.connectorSecrets('airtime')))).toEqual({
    token: 'hush',
  });
  expect(await tarishi(line, { TOKEN: 'x' })).toBe('connector airtime already exists');
});

test('a connector is changed field by field; other fields stay', async () => {
  await tarishi(`${provider} --set concurrency=3 --token-env TOKEN`, { TOKEN: 'hush' });
  const file = join(directory, 'secret');
  writeFileSync(file, 'other\n');
  await tarishi(
    `connector set airtime --unset concurrency --set queryParameter=ref --callback-secret-file ${file}`,
  );
  const { settings, secrets: sealed, version } = await stored();
  expect(settings).toEqual({ baseUrl: 'https://provider.example', queryParameter: 'ref' });
  expect(JSON.parse(secrets.decrypt(sealed, placeOf.connectorSecrets('airtime')))).toEqual({
    token: 'hush',
    callbackSecret: 'other',
  });
  expect(version).toBe(2);
});

test('a connector takes settings from a file, with those of the command line over them', async () => {
  const file = join(directory, 'settings.json');
  writeFileSync(file, '{"baseUrl":"https://one.example","concurrency":2}');
  await tarishi(`connector add airtime --kind bundles --settings ${file} --set concurrency=9`);
  expect((await stored()).settings).toEqual({ baseUrl: 'https://one.example', concurrency: 9 });
});

test.each([
  [
    'sends unencrypted',
    'warning: airtime sends its token and messages unencrypted over http',
    'connector add airtime --kind bundles --set baseUrl=http://provider.example --set allowPlainHttp=true --token-env TOKEN',
    'connector set airtime --set baseUrl=https://provider.example --unset allowPlainHttp --token-env TOKEN',
  ],
  [
    'lacks a secret',
    'warning: airtime needs the secret token, which is not set',
    provider,
    'connector set airtime --token-env TOKEN',
  ],
])('adding, changing and listing a connector warns while it %s', async (_what, note, add, mend) => {
  const set = 'connector set airtime --set concurrency=3';
  for (const line of [add, 'connector list', set])
    expect(await fully(line, { TOKEN: 'hush' })).toMatchObject({ note });
  for (const line of [mend, 'connector list'])
    expect(await fully(line, { TOKEN: 'hush' })).not.toHaveProperty('note');
});

test('a connector is removed once nothing uses it and no message waits for its reports', async () => {
  await tarishi('connector add quiet --kind simulator');
  const channel = { name: 'Safaricom', prefixes: '[]', connector: 'quiet', position: 0 };
  await database.knex('channels').insert(channel);
  expect(await tarishi('connector remove quiet')).toBe(
    'connector quiet is in use by Sms/Safaricom: route them through another connector first',
  );
  await database.knex('channels').delete();
  await database.knex('messages').insert({
    request_id: randomUUID(),
    team_id: 'acme',
    position: 0,
    product: 'sms',
    channel: 'Safaricom',
    phone: '+254711000000',
    content: 'Habari',
    units: 1,
    state: 'Submitted',
    submitted_at: new Date(),
    connector: 'quiet',
  });
  expect(await tarishi('connector remove quiet')).toBe(
    'connector quiet still waits for reports on 1 message(s)',
  );
  expect(await tarishi('connector remove quiet --abandon')).toBeNull();
  expect(await tarishi('connector list')).toEqual([]);
  expect(await tarishi('connector remove quiet')).toBe('connector quiet does not exist');
});

test('a connector is listed with its work and its uses, paused and resumed', async () => {
  await tarishi('connector add quiet --kind simulator');
  await database.knex('channels').insert({
    name: 'Safaricom',
    prefixes: '[]',
    connector: 'quiet',
    bundle_connector: 'quiet',
    position: 0,
  });
  const listed = {
    name: 'quiet',
    kind: 'simulator',
    condition: 'away',
    throttled: false,
    uses: ['MobileData/Safaricom', 'Sms/Safaricom'],
  };
  expect(await tarishi('connector list')).toMatchObject([listed]);
  await tarishi('connector pause quiet --reason maintenance');
  expect(await tarishi('connector list')).toMatchObject([
    { ...listed, condition: 'paused', reason: 'maintenance' },
  ]);
  await tarishi('connector resume quiet');
  expect(await tarishi('connector list')).toMatchObject([listed]);
});
