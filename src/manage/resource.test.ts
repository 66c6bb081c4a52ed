/** What every change by an operator has in common: one audit entry, all faults at once, the caller's team. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { rotateClientSecret } from './access/client-secrets.ts';
import { clients, createClient } from './access/clients.ts';
import { teams } from './access/teams.ts';
import { listAudit } from './audit.ts';
import type { Management } from './management.ts';
import { smsTemplates } from './messaging/sms-templates.ts';
import { channels } from './networks/channels.ts';
import { changeConnector, createConnector } from './networks/connectors.ts';
import { faultsOf, type Managed, openManaged, sentencesOf } from './testing.ts';
import { versionOf } from './version.ts';

let managed: Managed;
let management: Management;

beforeAll(async () => {
  managed = await openManaged(process.env.DATABASE_URL);
  management = managed.management;
  for (const id of ['acme', 'other']) {
    await teams.create(management, { id });
    await createClient(management, { id: `${id}-app`, teamId: id });
  }
});
afterAll(() => managed.database.close());

describe('the audit log', () => {
  test('says who changed what, when, and how it was before', async () => {
    await teams.change(management, 'acme', { ratePerSecond: 50 });
    const [entry] = await listAudit(management, { noun: 'team', nounId: 'acme', limit: 1 });
    expect(entry).toMatchObject({
      at: new Date('2027-01-01T00:00:00Z'),
      actorKind: 'command line',
      actorName: 'asha',
      action: 'change',
      noun: 'team',
      nounId: 'acme',
      teamId: 'acme',
      before: { name: 'acme', ratePerSecond: null },
      after: { name: 'acme', ratePerSecond: 50 },
    });
  });

  test('has no entry for a change that changes nothing or is rejected', async () => {
    const count = async () => (await listAudit(management)).length;
    const before = await count();
    await teams.change(management, 'acme', { name: 'acme' });
    await teams.change(management, 'acme', {});
    await faultsOf(teams.change(management, 'acme', { name: 'two\nlines' }));
    await faultsOf(teams.create(management, { id: 'acme' }));
    expect(await count()).toBe(before);
  });

  test('contains no secret, neither of clients nor of connectors', async () => {
    const { secrets } = await rotateClientSecret(management, 'acme-app', 'client');
    await createConnector(management, {
      name: 'airtime',
      kind: 'bundles',
      settings: { baseUrl: 'https://provider.example' },
      secrets: { token: 'hush' },
    });
    await changeConnector(management, 'airtime', { secrets: { token: 'quiet' } });
    const { rows } = await managed.database.knex.raw('select row_to_json(a)::text as entry from audit_log a');
    const text = rows.map(({ entry }: { entry: string }) => entry).join('\n');
    const stored = await managed.database.knex('clients').where({ id: 'acme-app' }).first();
    for (const secret of [secrets.clientSecret, 'hush', 'quiet', ...stored.secret_hashes])
      expect(text).not.toContain(secret);
    expect(await listAudit(management, { noun: 'connector' })).toMatchObject([
      { action: 'change', before: { version: 1 }, after: { version: 2, secretNames: ['token'] } },
      { action: 'create', before: null },
    ]);
  });

  testEvery(['update audit_log set noun = noun', 'delete from audit_log', 'truncate audit_log'])(
    'rejects %s',
    async (statement) => {
      await expect(managed.database.knex.raw(statement)).rejects.toThrow(
        'entries of the audit log are never changed or deleted',
      );
    },
  );

  test('is read in pages, the newest first', async () => {
    const all = await listAudit(management);
    const first = await listAudit(management, { limit: 2 });
    const rest = await listAudit(management, { before: first[1]?.id });
    expect([...first, ...rest]).toEqual(all);
  });
});

describe('a caller of one team', () => {
  const bound = () => ({ ...management, team: 'acme' });

  test('sees only what its team owns', async () => {
    expect((await teams.list(bound())).map(({ id }) => id)).toEqual(['acme']);
    expect((await clients.list(bound())).map(({ id }) => id)).toEqual(['acme-app']);
    expect((await listAudit(bound())).every(({ teamId }) => teamId === 'acme')).toBe(true);
  });

  testEvery<[string, (name: string) => Promise<unknown>]>([
    ['getTeam', (id) => teams.get(bound(), id)],
    ['changeTeam', (id) => teams.change(bound(), id, { name: 'Mine' })],
    ['getClient', (id) => clients.get(bound(), `${id}-app`)],
    ['changeClient', (id) => clients.change(bound(), `${id}-app`, { name: 'Mine' })],
    ['rotateClientSecret', (id) => rotateClientSecret(bound(), `${id}-app`, 'client')],
    ['listClients', (id) => clients.list(bound(), { team: id })],
    ['createClient', (id) => createClient(bound(), { id: 'new', teamId: id })],
  ])("%s: another team's resources look as if they did not exist", async (_name, call) => {
    const unknown = await faultsOf(call('nobody'));
    expect(unknown).toMatchObject([{ kind: 'not-found' }]);
    const foreign = JSON.stringify(await faultsOf(call('other')));
    expect(foreign.replaceAll('other', 'nobody')).toBe(JSON.stringify(unknown));
  });
});

test('a change with the current version succeeds, with an older one it is rejected', async () => {
  const version = versionOf(await teams.get(management, 'acme'));
  await teams.change(management, 'acme', { name: 'Acme' }, version);
  expect(await faultsOf(teams.change(management, 'acme', { name: 'ACME' }, version))).toEqual([
    {
      slug: 'changed-meanwhile',
      kind: 'stale',
      field: undefined,
      sentence: 'team acme was changed in the meantime: read it again',
    },
  ]);
});

describe('all faults at once', () => {
  test('of a client', async () => {
    const client = {
      id: 'orders',
      name: 'two\nlines',
      teamId: 'nobody',
      scopes: ['admin'],
      allowedAddresses: ['nowhere'],
      webOrigins: ['https://shop.example/page'],
      issuer: 'none',
    };
    expect(await sentencesOf(createClient(management, client))).toEqual([
      'name must be a text in one line',
      'scopes must be one of message.sms.send.oneway',
      'allowedAddresses nowhere is not an IP address or CIDR block',
      expect.stringMatching(/^webOrigins https:\/\/shop.example\/page is not a web origin/),
      'issuer must be one of TRUSTED_ISSUERS',
      'team nobody does not exist',
    ]);
  });

  test('of a channel', async () => {
    const channel = {
      name: 'Orange',
      prefixes: ['2541'],
      connector: 'nothing',
      bundleConnector: 'simulator',
    };
    expect(await sentencesOf(channels.create(management, channel))).toEqual([
      expect.stringMatching(/^connector nothing does not exist; connectors are /),
      'connector simulator cannot give bundles: its kind is simulator',
    ]);
  });

  test('of a template', async () => {
    const template = {
      id: 'code',
      teamId: 'nobody',
      content: '{{',
      category: 'UTILITY',
      managedServiceKey: 'none',
      paramDefinitions: [{ name: 'x', format: 'Name', required: true }],
    } as const;
    expect(await sentencesOf(smsTemplates.create(management, template))).toEqual([
      'the content has braces that are no placeholder such as {{name}} or {{1}}',
      'parameter x has no placeholder in the content',
      'sender none does not exist',
      'team nobody does not exist',
    ]);
  });
});
