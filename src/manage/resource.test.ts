/** What every change by an operator has in common: one audit entry that stays, all faults at once, a version. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { createClient } from './access/clients.ts';
import { teams } from './access/teams.ts';
import { listAudit } from './audit.ts';
import type { Management } from './management.ts';
import { smsTemplates } from './messaging/sms-templates.ts';
import { channels } from './networks/channels.ts';
import { faultsOf, sentencesOf, testManaged } from './testing.ts';
import { versionOf } from './version.ts';

let management: Management;

const managed = testManaged();
beforeAll(async () => {
  management = managed.management;
  await teams.create(management, { id: 'acme' });
});

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

  test('has no entry for a change that changes nothing', async () => {
    const before = await listAudit(management);
    await teams.change(management, 'acme', { name: 'acme' });
    await teams.change(management, 'acme', {});
    expect(await listAudit(management)).toEqual(before);
  });

  testEvery(['update audit_log set noun = noun', 'delete from audit_log', 'truncate audit_log'])(
    'rejects %s',
    async (statement) => {
      await expect(managed.database.knex.raw(statement)).rejects.toThrow(
        'entries of the audit log are never changed or deleted',
      );
    },
  );
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

testEvery<[string, () => Promise<unknown>, unknown[]]>([
  [
    'client',
    () =>
      createClient(management, {
        id: 'orders',
        name: 'two\nlines',
        teamId: 'nobody',
        scopes: ['admin'],
        allowedAddresses: ['nowhere'],
        webOrigins: ['https://shop.example/page'],
        issuer: 'none',
      }),
    [
      'name must be a text in one line',
      'scopes must be one of message.sms.send.oneway',
      'allowedAddresses nowhere is not an IP address or CIDR block',
      expect.stringMatching(/^webOrigins https:\/\/shop.example\/page is not a web origin/),
      'issuer must be one of TRUSTED_ISSUERS',
      'team nobody does not exist',
    ],
  ],
  [
    'channel',
    () => {
      const connectors = { connector: 'nothing', bundleConnector: 'simulator' };
      return channels.create(management, { name: 'Orange', prefixes: ['2541'], ...connectors });
    },
    [
      expect.stringMatching(/^connector nothing does not exist; connectors are /),
      'connector simulator cannot give bundles: its kind is simulator',
    ],
  ],
  [
    'template',
    () =>
      smsTemplates.create(management, {
        id: 'code',
        teamId: 'nobody',
        content: '{{',
        category: 'UTILITY',
        managedServiceKey: 'none',
        paramDefinitions: [{ name: 'x', format: 'Name', required: true }],
      }),
    [
      'the content has braces that are no placeholder such as {{name}} or {{1}}',
      'parameter x has no placeholder in the content',
      'sender none does not exist',
      'team nobody does not exist',
    ],
  ],
])('all faults of a %s at once', async (_noun, change, sentences) => {
  expect(await sentencesOf(change())).toEqual(sentences);
});
