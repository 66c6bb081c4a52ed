/** What changes by operators are refused for, one sentence each. */
import { beforeAll, expect } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { createClient } from './access/clients.ts';
import { teams } from './access/teams.ts';
import { createUser, users } from './access/users.ts';
import type { Management } from './management.ts';
import { campaigns } from './messaging/campaigns.ts';
import { previewChatAppTemplate } from './messaging/chatapp-previews.ts';
import { chatAppTemplates, reviewChatAppTemplate } from './messaging/chatapp-templates.ts';
import { importPart } from './messaging/opt-out-lists.ts';
import { senders } from './messaging/senders.ts';
import { previewSmsTemplate } from './messaging/sms-previews.ts';
import { smsServices } from './messaging/sms-services.ts';
import { reviewSmsTemplate, smsTemplates } from './messaging/sms-templates.ts';
import { channels } from './networks/channels.ts';
import { changeConnector, createConnector } from './networks/connectors.ts';
import { explainRoute } from './networks/explain-route.ts';
import { importPart as importTable } from './networks/ported-numbers.ts';
import { replayReceipts } from './operation/receipts.ts';
import { faultsOf, testManaged } from './testing.ts';
import { correctBalance, topUp } from './units/accounts.ts';

let platform: Management;
const units = { team: 'acme', product: 'Sms', note: 'agreed' } as const;
const portedTable = {
  id: 'table',
  lines: 'number,network\n',
  numberColumn: 'number',
  channelColumn: 'network',
};
const optOuts = { id: 'march', product: 'Sms', teamId: 'acme', target: 'ALL' } as const;

const managed = testManaged();
beforeAll(async () => {
  platform = managed.management;
  for (const id of ['acme', 'other']) await teams.create(platform, { id });
  await createUser(platform, { id: 'asha', role: 'owner', teamId: null, ssoName: 'asha@id' });
  await createUser(platform, { id: 'juma', role: 'viewer', teamId: null });
  await smsServices.create(platform, { id: 'theirs', teamId: 'other', sender: 'OTHER' });
  await senders.create(platform, { id: 'verify', category: 'AUTHENTICATION', sender: 'VERIFY' });
  const text = { teamId: 'acme', content: 'Habari {{name}}', category: 'MARKETING' } as const;
  await smsTemplates.create(platform, { ...text, id: 'greeting' });
  const components = { body: { text: 'Habari {{name}}' }, buttons: [] };
  await chatAppTemplates.create(platform, {
    id: 'hello',
    teamId: 'acme',
    language: 'sw',
    category: 'UTILITY',
    components,
  });
  await channels.create(platform, { name: 'Orange', prefixes: ['25477'], connector: 'simulator' });
  await managed.database.knex('connectors').insert({ name: 'later', kind: 'pigeon', settings: '{}' });
  await topUp(platform, { ...units, units: 5, reference: 'invoice-1' });
  await importPart(platform, { ...optOuts, lines: '+254711000000' });
});

testEvery<[slug: string, sentence: string, change: () => Promise<unknown>]>([
  [
    'not-a-web-origin',
    'https://shop.example/page is not a web origin: scheme, host and port only, as in https://shop.example.com',
    () => createClient(platform, { id: 'a', teamId: 'acme', webOrigins: ['https://shop.example/page'] }),
  ],
  [
    'last-owner',
    'the last enabled owner of the platform cannot be changed or revoked',
    () => users.change(platform, 'asha', { enabled: false }),
  ],
  [
    'sso-name-taken',
    'ssoName asha@id belongs to user asha',
    () => users.change(platform, 'juma', { ssoName: 'asha@id' }),
  ],
  [
    'sender-category',
    'sender verify is for AUTHENTICATION templates',
    () => smsTemplates.change(platform, 'greeting', { managedServiceKey: 'verify' }),
  ],
  [
    'not-pending',
    'template greeting is not pending approval',
    () => reviewSmsTemplate(platform, 'greeting', { decision: 'REJECTED' }),
  ],
  [
    'approval-already',
    'chat-app template hello is already PENDING',
    () => reviewChatAppTemplate(platform, 'hello', { decision: 'PENDING' }),
  ],
  [
    'template-definition',
    'the content has braces that are no placeholder such as {{name}} or {{1}}',
    () => previewSmsTemplate(platform, 'greeting', { params: [], content: '{{' }),
  ],
  [
    'template-parameters',
    "Missing required parameter 'name'",
    () => previewSmsTemplate(platform, 'greeting', { params: [] }),
  ],
  [
    'template-parameters',
    "BodyNamedParameter: Missing required parameter 'name'",
    () => previewChatAppTemplate(platform, 'hello', { params: [] }),
  ],
  [
    'service-of-team',
    'team acme has no service theirs',
    () =>
      campaigns.create(platform, {
        id: 'new',
        teamId: 'acme',
        serviceId: 'theirs',
        allowedDenominations: ['50MB'],
        frequency: 'Daily',
      }),
  ],
  [
    'prefix-taken',
    'prefix 25477 already belongs to channel Orange',
    () => channels.create(platform, { name: 'Lemon', prefixes: ['25477'], connector: 'simulator' }),
  ],
  [
    'channel-of-number',
    'no channel has the prefix of +99912345678',
    () => explainRoute(platform, { phone: '+99912345678' }),
  ],
  [
    'connector-settings',
    'setting "baseUrl" is required',
    () => createConnector(platform, { name: 'new', kind: 'bundles' }),
  ],
  [
    'connector-settings',
    'there is no preset "pigeon"',
    () => createConnector(platform, { name: 'new', settings: { preset: 'pigeon' } }),
  ],
  [
    'connector-settings',
    'either a kind or a preset is required',
    () => createConnector(platform, { name: 'new' }),
  ],
  [
    'connector-kind',
    'later has an unknown kind: pigeon',
    () => changeConnector(platform, 'later', { settings: {} }),
  ],
  [
    'part-taken',
    'import march has another part 1, or was begun with other settings',
    () => importPart(platform, { ...optOuts, lines: '+254722000000' }),
  ],
  [
    'part-beyond',
    'must be at most 1, as parts says, not 2',
    () => importTable(platform, { ...portedTable, part: 2 }),
  ],
  [
    'column-missing',
    'cannot be read: the first line has no column "msisdn"; it has number, network',
    () => importTable(platform, { ...portedTable, numberColumn: 'msisdn' }),
  ],
  [
    'replay-count',
    '0 receipt(s) match now, not 3: none is posted again',
    () => replayReceipts(platform, { team: 'acme', from: new Date(0), which: 'exhausted', expected: 3 }),
  ],
  [
    'below-zero',
    'the account has 5 unit(s): it cannot go below zero',
    () => correctBalance(platform, { ...units, units: -6, reference: 'too-much' }),
  ],
  [
    'reference-used',
    'reference invoice-1 was used for another entry of this account',
    () => correctBalance(platform, { ...units, units: 5, reference: 'invoice-1' }),
  ],
  [
    'field-rule',
    'must be another number than 0',
    () => correctBalance(platform, { ...units, units: 0, reference: 'r' }),
  ],
])('%s: %s', async (slug, sentence, change) => {
  expect(await faultsOf(change())).toMatchObject([{ slug, sentence }]);
});
