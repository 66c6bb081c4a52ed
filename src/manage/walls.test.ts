/** What a change must not open: another's clients, and a way for secrets to an address that they were not given for. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { connectorKinds } from '../connectors/runtime/kinds.ts';
import { testEvery } from '../platform/for-every-testing.ts';
import { createClient } from './access/clients.ts';
import { teams } from './access/teams.ts';
import { decryptSecrets } from './networks/connector-secrets.ts';
import type { Settings } from './networks/connector-settings.ts';
import { changeConnector, connectors, createConnector } from './networks/connectors.ts';
import { faultsOf, sentencesOf, testManaged } from './testing.ts';

const managed = testManaged();
beforeAll(async () => {
  await teams.create(managed.management, { id: 'acme' });
});

describe('a client of another issuer', () => {
  const create = (issuer: string, id: string, team?: string) =>
    createClient({ ...managed.management, team }, { id, teamId: 'acme', issuer });

  test('is added by the platform, for an issuer that is trusted now', async () => {
    const { client, secrets } = await create('https://id.example', 'theirs');
    expect([client.issuer, Object.keys(secrets)]).toEqual(['https://id.example', ['signingSecret']]);
  });

  test('is refused for one that is not trusted, and of a team to its users', async () => {
    for (const issuer of ['https://id.example/', 'https://ID.example'])
      expect(await sentencesOf(create(issuer, 'stranger'))).toEqual([
        'issuer must be one of TRUSTED_ISSUERS',
      ]);
    expect(await sentencesOf(create('https://id.example', 'claimed', 'acme'))).toEqual([
      'issuer is not allowed for users of a team',
    ]);
  });
});

describe('the secrets of a connector', () => {
  const examples = {
    smpp: { settings: { host: 'smsc.example', systemId: 'us' }, secrets: { password: 'old' } },
    bundles: {
      settings: { baseUrl: 'https://provider.example/a' },
      secrets: { token: 'old', callbackSecret: 'old' },
    },
    whatsapp: { settings: {}, secrets: { token: 'old' } },
  };
  const add = async (kind: keyof typeof examples, name: string) => {
    await createConnector(managed.management, { name, kind, ...examples[kind] });
    return name;
  };
  const secretsOf = async (name: string) => {
    const { secrets } = await managed.database.knex('connectors').where({ name }).first();
    return decryptSecrets(managed.secrets, name, secrets);
  };

  testEvery<[keyof typeof examples, string, Settings]>([
    ['smpp', 'host', { host: 'other.example', systemId: 'us' }],
    ['smpp', 'port', { host: 'smsc.example', port: 2776, systemId: 'us' }],
    ['smpp', 'tls', { host: 'smsc.example', tls: true, systemId: 'us' }],
    ['smpp', 'authority', { host: 'smsc.example', systemId: 'us', tlsCertificateAuthority: 'PEM' }],
    ['bundles', 'host', { baseUrl: 'https://other.example/a' }],
    ['bundles', 'port', { baseUrl: 'https://provider.example:444/a' }],
    ['bundles', 'scheme', { baseUrl: 'http://provider.example/a', allowPlainHttp: true }],
    ['whatsapp', 'host', { baseUrl: 'https://graph.example' }],
  ])('of kind %s do not follow it to another %s', async (kind, part, settings) => {
    const name = await add(kind, `${kind}-${part}`);
    const names = Object.keys(examples[kind].secrets);
    const before = await connectors.get(managed.management, name);
    const [fault, ...others] = await faultsOf(changeConnector(managed.management, name, { settings }));
    expect([fault, others]).toMatchObject([
      { kind: 'invalid', field: 'secrets', slug: 'secrets-of-address' },
      [],
    ]);
    expect(await connectors.get(managed.management, name)).toEqual(before);
    const [first = '', ...rest] = names;
    if (rest.length > 0) {
      const partly = changeConnector(managed.management, name, { settings, secrets: { [first]: 'new' } });
      expect(await sentencesOf(partly)).toEqual([
        `secrets must have ${rest.join(' and ')} again, because these settings change who can get them`,
      ]);
    }
    const secrets = Object.fromEntries(names.map((secret) => [secret, 'new']));
    await changeConnector(managed.management, name, { settings, secrets });
    expect(await secretsOf(name)).toEqual(secrets);
  });

  // A new setting needs its place here: may it change while the secrets stay?
  testEvery<[keyof typeof examples, string, string]>([
    [
      'smpp',
      'host port tls tlsCertificateAuthority',
      `alphanumericSource bindMode binds concatenation defaultAlphabet destination enquireLinkDeadlineSeconds
       enquireLinkSeconds errorStates msisdnSource parameters preset rate registeredDelivery repeatedWithinSeconds reportId
       reportIdIgnoresCase reportIdIgnoresLeadingZeros reportTags responseTimeoutSeconds serviceType shortCodeSource systemId
       systemType unanswered unmarkedReports validitySeconds window`,
    ],
    [
      'bundles',
      'baseUrl allowPlainHttp',
      `callbackUrl campaign concurrency constants disbursePath idempotencyHeader names number products queryParameter
       queryPath reasons referencePrefix signatureHeader statuses timeoutSeconds timestampHeader
       timestampToleranceSeconds`,
    ],
    [
      'whatsapp',
      'baseUrl allowPlainHttp',
      `businessAccountId concurrency phoneNumberId referencePrefix statusWaitSeconds timeoutSeconds tries version`,
    ],
  ])('of kind %s depend on %s, and on no other setting', (kind, deciding, others) => {
    const all = `${deciding} ${others}`.split(/\s+/).sort();
    expect(Object.keys(connectorKinds[kind].documented.properties).sort()).toEqual(all);
  });

  test.each<[keyof typeof examples, Settings]>([
    ['smpp', { host: 'smsc.example', systemId: 'us', window: 50 }],
    ['bundles', { baseUrl: 'https://provider.example/b' }],
  ])('of kind %s stay while its address stays', async (kind, settings) => {
    const name = await add(kind, `${kind}-same`);
    await changeConnector(managed.management, name, { settings });
    expect(await secretsOf(name)).toEqual(examples[kind].secrets);
  });
});
