/** Every operation of the management document has its commands, and each command makes the call that its words say. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readArguments } from '../line/arguments.ts';
import { UsageError } from '../line/errors.ts';
import { managedCommands } from './commands.ts';
import { loadManagement, operationsOf } from './document.ts';

const operations = operationsOf(loadManagement());
const commands = managedCommands(operations);
const folder = mkdtempSync(join(tmpdir(), 'tarishi-commands-'));
const components = { body: { text: 'Habari' }, buttons: [] };
const file = join(folder, 'file.json');
writeFileSync(file, JSON.stringify(components));
afterAll(() => rmSync(folder, { recursive: true }));

const uuid = '5f0c6e0e-6f0b-4d53-9f0c-0a6c1c8f3f55';
const account = { product: 'MobileData', channel: 'Safaricom', denomination: '50MB' };
const paidBy = '--product MobileData --channel Safaricom --denomination 50MB';
const period = '--from 2027-01-01T00:00:00Z --to 2027-02-01T00:00:00+03:00';
const periodQuery = 'from=2027-01-01T00%3A00%3A00Z&to=2027-02-01T00%3A00%3A00%2B03%3A00';

/** A command line, the call that it makes, and its body. */
const calls: [line: string, call: string, body?: object][] = [
  ['user list --team acme', 'GET /users?teamId=acme'],
  ['user add amina --role owner', 'POST /users', { id: 'amina', role: 'owner' }],
  ['user show amina', 'GET /users/amina'],
  ['user set amina --role viewer --name Amina', 'PATCH /users/amina', { role: 'viewer', name: 'Amina' }],
  ['user set amina --no-enabled', 'PATCH /users/amina', { enabled: false }],
  ['user revoke amina', 'PATCH /users/amina', { enabled: false }],
  ['user restore amina', 'PATCH /users/amina', { enabled: true }],
  ['user rotate amina', 'POST /users/amina/rotate'],
  ['user revoke-former amina', 'POST /users/amina/revoke-former'],
  ['team list', 'GET /teams'],
  ['team add acme --name Acme', 'POST /teams', { id: 'acme', name: 'Acme' }],
  ['team show acme', 'GET /teams/acme'],
  [
    'team set acme --rate 50 --operation-rate sendSms=5 --default-operation-rate listMessages --no-text-days',
    'PATCH /teams/acme',
    { ratePerSecond: 50, operationRates: { sendSms: 5, listMessages: null }, textDays: null },
  ],
  ['team set acme --default-rate', 'PATCH /teams/acme', { ratePerSecond: null }],
  ['client list', 'GET /clients'],
  [
    'client add shop --team acme --scope message.read --scope receipt.send --address ::1 --origin https://a.example',
    'POST /clients',
    {
      id: 'shop',
      teamId: 'acme',
      scopes: ['message.read', 'receipt.send'],
      allowedAddresses: ['::1'],
      webOrigins: ['https://a.example'],
    },
  ],
  ['client show shop', 'GET /clients/shop'],
  [
    'client set shop --rate 5 --any-address',
    'PATCH /clients/shop',
    { ratePerSecond: 5, allowedAddresses: [] },
  ],
  [
    'client set shop --default-rate --no-origin',
    'PATCH /clients/shop',
    { ratePerSecond: null, webOrigins: [] },
  ],
  ['client rotate shop', 'POST /clients/shop/rotate', { secret: 'client' }],
  ['client rotate shop --secret signing', 'POST /clients/shop/rotate', { secret: 'signing' }],
  ['client revoke-former shop', 'POST /clients/shop/revoke-former'],
  ['client revoke shop', 'POST /clients/shop/revoke'],
  ['client restore shop', 'POST /clients/shop/restore'],
  ['service list', 'GET /sms-services'],
  [
    'service add orders --team acme --sender ACME --validity-seconds 600',
    'POST /sms-services',
    { id: 'orders', teamId: 'acme', sender: 'ACME', validitySeconds: 600 },
  ],
  ['service show orders', 'GET /sms-services/orders'],
  [
    'service set orders --status Inactive --default-validity',
    'PATCH /sms-services/orders',
    { status: 'Inactive', validitySeconds: null },
  ],
  ['chat-service list', 'GET /chatapp-services'],
  ['chat-service add chat --team acme', 'POST /chatapp-services', { id: 'chat', teamId: 'acme' }],
  ['chat-service show chat', 'GET /chatapp-services/chat'],
  ['chat-service set chat --name Chat', 'PATCH /chatapp-services/chat', { name: 'Chat' }],
  ['sender list', 'GET /senders'],
  [
    'sender add 1055 --service chat --phone +254711000000 --connector wa',
    'POST /senders',
    { id: '1055', serviceId: 'chat', phone: '+254711000000', connector: 'wa' },
  ],
  ['sender show 1055', 'GET /senders/1055'],
  ['sender set 1055 --connector wa', 'PATCH /senders/1055', { connector: 'wa' }],
  ['managed-sender list', 'GET /managed-senders'],
  [
    'managed-sender add verify --category UTILITY --sender VERIFY',
    'POST /managed-senders',
    { key: 'verify', category: 'UTILITY', sender: 'VERIFY' },
  ],
  ['managed-sender show verify', 'GET /managed-senders/verify'],
  ['managed-sender set verify --sender CODES', 'PATCH /managed-senders/verify', { sender: 'CODES' }],
  ['template list --approval-status PENDING', 'GET /sms-templates?approvalStatus=PENDING'],
  [
    'template add code --team acme --category UTILITY --content {{1}} --sender verify --param 1:Numeric:6 --default 1=0',
    'POST /sms-templates',
    {
      id: 'code',
      teamId: 'acme',
      category: 'UTILITY',
      content: '{{1}}',
      managedServiceKey: 'verify',
      paramDefinitions: [{ name: '1', format: 'Numeric', required: true, maxLength: 6, default: '0' }],
    },
  ],
  ['template show code', 'GET /sms-templates/code'],
  [
    'template set code --no-sender --no-params --no-description',
    'PATCH /sms-templates/code',
    { managedServiceKey: null, paramDefinitions: [], description: null },
  ],
  ['template archive code', 'PATCH /sms-templates/code', { status: 'Archived' }],
  ['template restore code', 'PATCH /sms-templates/code', { status: 'Active' }],
  ['template approve code', 'POST /sms-templates/code/review', { decision: 'APPROVED' }],
  [
    'template reject code --comment no',
    'POST /sms-templates/code/review',
    { decision: 'REJECTED', comment: 'no' },
  ],
  [
    'template preview code --param 1=a=b',
    'POST /sms-templates/code/preview',
    { params: [{ name: '1', value: 'a=b' }] },
  ],
  ['chat-template list', 'GET /chatapp-templates'],
  [
    `chat-template add hello --team acme --category UTILITY --language en --file ${file}`,
    'POST /chatapp-templates',
    { id: 'hello', teamId: 'acme', category: 'UTILITY', language: 'en', components },
  ],
  ['chat-template show hello', 'GET /chatapp-templates/hello'],
  [`chat-template set hello --file ${file}`, 'PATCH /chatapp-templates/hello', { components }],
  ['chat-template approve hello', 'POST /chatapp-templates/hello/review', { decision: 'APPROVED' }],
  ['chat-template reject hello', 'POST /chatapp-templates/hello/review', { decision: 'REJECTED' }],
  ['chat-template pause hello', 'POST /chatapp-templates/hello/review', { decision: 'PAUSED' }],
  ['chat-template archive hello', 'POST /chatapp-templates/hello/status', { status: 'Archived' }],
  ['chat-template restore hello', 'POST /chatapp-templates/hello/status', { status: 'Active' }],
  [
    `chat-template preview hello --params ${file}`,
    'POST /chatapp-templates/hello/preview',
    { params: components },
  ],
  ['chat-template import wa --team acme', 'POST /connectors/wa/import-templates', { teamId: 'acme' }],
  ['campaign list', 'GET /campaigns'],
  [
    'campaign add gift --team acme --service orders --denomination 50MB --denomination 1GB --frequency Daily',
    'POST /campaigns',
    {
      id: 'gift',
      teamId: 'acme',
      serviceId: 'orders',
      allowedDenominations: ['50MB', '1GB'],
      frequency: 'Daily',
    },
  ],
  ['campaign show gift', 'GET /campaigns/gift'],
  ['campaign set gift --no-expiry', 'PATCH /campaigns/gift', { expiresAt: null }],
  [
    'campaign set gift --expires 2099-01-31T00:00:00Z',
    'PATCH /campaigns/gift',
    { expiresAt: '2099-01-31T00:00:00Z' },
  ],
  ['campaign archive gift', 'PATCH /campaigns/gift', { status: 'Archived' }],
  ['campaign restore gift', 'PATCH /campaigns/gift', { status: 'Active' }],
  ['channel list', 'GET /channels'],
  [
    'channel add Safaricom --prefix 25470 --prefix 25471 --connector smsc --bundle-connector bundles',
    'POST /channels',
    { name: 'Safaricom', prefixes: ['25470', '25471'], connector: 'smsc', bundleConnector: 'bundles' },
  ],
  ['channel show Safaricom', 'GET /channels/Safaricom'],
  [
    'channel set Safaricom --no-active --no-bundle-connector',
    'PATCH /channels/Safaricom',
    { active: false, bundleConnector: null },
  ],
  ['connector list', 'GET /connectors'],
  [
    'connector add wa --kind whatsapp --set businessAccountId=81',
    'POST /connectors',
    { name: 'wa', kind: 'whatsapp', settings: { businessAccountId: '81' } },
  ],
  ['connector show wa', 'GET /connectors/wa'],
  [
    'connector set wa --set a.b=1 --unset old',
    'PATCH /connectors/wa',
    { settings: { kept: 1, a: { b: '1' } } },
  ],
  ['connector remove wa --abandon', 'DELETE /connectors/wa?abandon=true'],
  ['connector pause wa --reason works', 'POST /connectors/wa/pause', { reason: 'works' }],
  ['connector resume wa', 'POST /connectors/wa/resume'],
  ['connector test wa', 'POST /connectors/wa/test'],
  ['balance acme', 'GET /teams/acme/accounts'],
  [
    `topup acme ${paidBy} --units 5 --reference r --note n`,
    'POST /teams/acme/top-ups',
    { ...account, units: 5, reference: 'r', note: 'n' },
  ],
  [
    `ledger adjust acme ${paidBy} --units=-5 --reference r --note n`,
    'POST /teams/acme/corrections',
    { ...account, units: -5, reference: 'r', note: 'n' },
  ],
  [`ledger list acme ${period}`, `GET /teams/acme/ledger?${periodQuery}`],
  ['statement show acme --product Sms', 'GET /teams/acme/statement?product=Sms'],
  [
    `statement export acme --product Sms ${period}`,
    `GET /teams/acme/statement.csv?product=Sms&${periodQuery}`,
  ],
  ['request list --correlator c', 'GET /requests?correlator=c'],
  [`request show ${uuid}`, `GET /requests/${uuid}`],
  [`request messages ${uuid}`, `GET /requests/${uuid}/messages`],
  ['message show +254711000000 --team acme', 'GET /messages?phone=%2B254711000000&teamId=acme'],
  ['receipt list --state Exhausted', 'GET /receipts?state=Exhausted'],
  [`receipt resend ${uuid}`, `POST /receipts/${uuid}/resend`],
  [
    'receipt replay --team acme --since 2027-01-01T00:00:00Z',
    'POST /receipts/replay',
    { teamId: 'acme', since: '2027-01-01T00:00:00Z', which: 'Exhausted' },
  ],
  ['endpoint list --team acme', 'GET /endpoints?teamId=acme'],
  [
    'endpoint release https://a.example --team acme',
    'POST /endpoints/release',
    { teamId: 'acme', origin: 'https://a.example' },
  ],
  ['stats', 'GET /statistics?by=product'],
  ['stats --by channel', 'GET /statistics?by=channel'],
  ['quarantine list', 'GET /quarantine'],
  ['quarantine retry 17', 'POST /quarantine/17/retry'],
  ['subject erase +254711000000', 'POST /subjects/erase', { phone: '+254711000000' }],
  ['audit --noun client --id shop', 'GET /audit?noun=client&id=shop'],
];

/** The longest words that the line begins with: one command may be the beginning of another. */
function commandOf(line: string) {
  const found = commands.find(({ command }) => `${line} `.startsWith(`${command.words} `));
  if (found === undefined) throw new Error(`no command ${line}`);
  return found;
}

test('every operation has a command, and every command a call below', () => {
  expect(operations.filter(({ commands: words }) => words.length === 0).map(({ id }) => id)).toEqual([]);
  const tried = new Set(calls.map(([line]) => commandOf(line).command.words));
  expect(commands.map(({ command }) => command.words).filter((words) => !tried.has(words))).toEqual([]);
});

describe.each(calls)('%s', (line, call, body) => {
  test(`calls ${call}`, () => {
    const { command, requestOf } = commandOf(line);
    const { values } = readArguments(command, line.split(' ').slice(command.words.split(' ').length));
    const request = requestOf(values, { settings: { kept: 1, old: 2 } });
    expect([`${request.method.toUpperCase()} ${request.path}`, request.body]).toEqual([call, body]);
  });
});

test.each([
  ['client set shop', 'nothing to change: give at least one option'],
  ['client set shop --rate 5 --default-rate', '--rate and --default-rate cannot be combined'],
  ['client set shop --address ::1 --any-address', '--address and --any-address cannot be combined'],
  ['user set amina --enabled --no-enabled', '--enabled and --no-enabled cannot be combined'],
  [
    'template set code --no-params --param code',
    '--no-params cannot be combined with --param, --optional or --default',
  ],
  ['team set acme --operation-rate a=1 --operation-rate a=2', '--operation-rate a is given more than once'],
  ['client add shop! --rate 5', '<client> must be like orders: ^[A-Za-z0-9_-]{1,64}$'],
  ['team set acme --rate 0 --text-days 4000', '--rate must be a whole number from 1 to 1000000'],
  ['campaign set gift --expires 2099-01-31', /^--expires must be a date and time with a time zone, such as/],
  ['topup acme --product Fax', '--product must be one of Sms, MobileData, ChatApp'],
])('%s is refused before any call', (line, sentence) => {
  const { command, requestOf } = commandOf(line);
  const refuse = () =>
    requestOf(readArguments(command, line.split(' ').slice(command.words.split(' ').length)).values);
  expect(refuse).toThrow(UsageError);
  expect(refuse).toThrow(sentence);
});
