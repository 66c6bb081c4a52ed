/** Connectors and senders as operators manage them: strict words, sealed secrets, changes without a restart. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../platform/db/knex.ts';
import { openTestDatabase } from '../../platform/db/testing.ts';
import { createSecrets, placeOf } from '../../platform/secrets/secrets.ts';
import { createCommandLine, createFullCommandLine } from '../line/testing.ts';
import { allCommands } from '../main.ts';

const directory = mkdtempSync(join(tmpdir(), 'tarishi-connectors-'));
const secrets = createSecrets(randomBytes(32));
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});
beforeEach(() =>
  database.knex.raw('truncate connectors, connector_states, channels, chatapp_numbers, messages cascade'),
);

const opened = { database: () => database, secrets };
const tarishi = createCommandLine(allCommands(), opened);
const answerTo = createFullCommandLine(allCommands(), opened);

const provider = 'connector add airtime --kind bundles --set baseUrl=https://provider.example';
const stored = () => database.knex('connectors').where({ name: 'airtime' }).first();

describe('a connector', () => {
  test('is added with its settings, and its secrets sealed', async () => {
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

  test('is shown with the names of its secrets, never with them', async () => {
    await tarishi(`${provider} --token-env TOKEN`, { TOKEN: 'hush' });
    expect(await tarishi('connector show airtime')).toMatchObject({
      settings: { baseUrl: 'https://provider.example' },
      secretNames: ['token'],
    });
    expect(JSON.stringify(await answerTo('connector show airtime'))).not.toContain('hush');
  });

  test('is changed field by field; other fields stay', async () => {
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

  test('takes settings from a file, with those of the command line over them', async () => {
    const file = join(directory, 'settings.json');
    writeFileSync(file, '{"baseUrl":"https://one.example","concurrency":2}');
    await tarishi(`connector add airtime --kind bundles --settings ${file} --set concurrency=9`);
    expect((await stored()).settings).toEqual({ baseUrl: 'https://one.example', concurrency: 9 });
  });

  test.each([
    [
      'connector add Airtime --kind simulator',
      '<connector> must be like main-smsc: ^[a-z0-9][a-z0-9-]{0,31}$',
    ],
    ['connector add airtime --kind simulator --set wings=2', 'unknown setting "wings"; this kind has none'],
    ['connector add airtime --kind simulator --set wings', '"wings" is not a setting: write name=value'],
    ['connector add airtime --kind bundles', 'setting "baseUrl" is required'],
    [
      'connector add airtime --kind simulator --token-env TOKEN',
      'unknown secret "token"; this kind has none',
    ],
    [
      'connector add airtime --kind bundles --set baseUrl=http://provider.example',
      'setting "baseUrl" must be an https URL: over http anybody on the way can read the token; set "allowPlainHttp" to true to accept that',
    ],
    ['connector set airtime --set concurrency=1', 'connector airtime does not exist'],
    ['connector set airtime', 'nothing to change: give at least one option'],
    ['connector show airtime', 'connector airtime does not exist'],
    ['connector pause airtime', 'connector airtime does not exist'],
    ['connector resume airtime', 'connector airtime does not exist'],
  ])('%s: %s', async (line, sentence) => {
    expect(await tarishi(line, { TOKEN: 'hush' })).toBe(sentence);
    expect(await stored()).toBeUndefined();
  });

  test('causes a warning when it is added, changed and listed while it sends unencrypted', async () => {
    const note = 'warning: airtime sends its token and messages unencrypted over http';
    const plain = '--set baseUrl=http://provider.example --set allowPlainHttp=true';
    const add = `connector add airtime --kind bundles ${plain} --token-env TOKEN`;
    expect(await answerTo(add, { TOKEN: 'hush' })).toMatchObject({ note });
    expect(await answerTo('connector list')).toMatchObject({ note });
    expect(await answerTo('connector set airtime --set concurrency=3')).toMatchObject({ note });
    const secure = '--set baseUrl=https://provider.example --unset allowPlainHttp --token-env TOKEN';
    expect(await answerTo(`connector set airtime ${secure}`, { TOKEN: 'hush' })).not.toHaveProperty('note');
    expect(await answerTo('connector list')).not.toHaveProperty('note');
  });

  test('causes a warning when it is added and listed without its secrets', async () => {
    const note = 'warning: airtime needs the secret token, which is not set';
    expect(await answerTo(provider)).toMatchObject({ note });
    expect(await answerTo('connector list')).toMatchObject({ note });
    const set = 'connector set airtime --token-env TOKEN';
    expect(await answerTo(set, { TOKEN: 'hush' })).not.toHaveProperty('note');
    expect(await answerTo('connector list')).not.toHaveProperty('note');
  });

  test('is removed once nothing uses it and no message waits for its reports', async () => {
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

  test('is listed with its work and its uses, paused and resumed', async () => {
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
});

describe('a sender', () => {
  const add = 'chat-sender add 1055 --service chat --phone +254711000000 --connector';

  test('is added, changed and listed', async () => {
    await database.knex('teams').insert({ id: 'team', name: 'Team' });
    await database.knex('chatapp_services').insert({ id: 'chat', team_id: 'team', name: 'Chat' });
    await tarishi('connector add one --kind whatsapp');
    await tarishi('connector add two --kind chat-simulator');
    const sender = { id: '1055', serviceId: 'chat', phone: '+254711000000', connector: 'one' };
    expect(await tarishi(`${add} one`)).toMatchObject(sender);
    expect(await tarishi(`${add} one`)).toBe('chat-app sender 1055 already exists');
    expect(await tarishi('chat-sender set 1055 --connector two')).toMatchObject({
      ...sender,
      connector: 'two',
    });
    expect(await tarishi('chat-sender list')).toMatchObject([{ ...sender, connector: 'two' }]);
  });

  test('needs a connector that exists and is for chat-app, and something to change', async () => {
    await tarishi('connector add quiet --kind simulator');
    await tarishi('connector add one --kind chat-simulator');
    await tarishi(`${add} one`);
    expect(await tarishi(`${add} nobody`)).toBe('connector nobody does not exist; connectors are one, quiet');
    for (const line of [`${add} quiet`, 'chat-sender set 1055 --connector quiet'])
      expect(await tarishi(line)).toBe(
        'connector quiet cannot send chat-app messages: its kind is simulator',
      );
    expect(await tarishi('chat-sender set 1055')).toBe('nothing to change: give at least one option');
    expect(await tarishi('chat-sender set 1056 --phone +254711000001')).toBe(
      'chat-app sender 1056 does not exist',
    );
  });
});
