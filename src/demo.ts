/** Demo data for an empty database: something to send with, and something of every kind that is refused. */
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { createClientRepository } from './clients/repository.ts';
import { generateClientSecret, generateSigningSecret, type Secrets } from './clients/secrets.ts';

/** Credentials and ids, as `demo.json` holds them. */
export interface Demo {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  smsServiceId: string;
  templates: Record<'named' | 'positional' | 'pending' | 'archived' | 'mismatched' | 'unmanaged', string>;
  templateParams: Record<'named' | 'positional', { name: string; value: string }[]>;
  foreign: { clientId: string; clientSecret: string; smsServiceId: string; template: string };
  broke: { clientId: string; clientSecret: string; smsServiceId: string };
}

const scopes = ['message.sms.send.oneway'];
const units = 10_000;

const channels = [
  {
    name: 'Safaricom',
    prefixes: '70 71 72 740 741 742 743 745 746 748 749 757 758 759 768 769 79 11 14'
      .split(' ')
      .map((p) => `254${p}`),
  },
  {
    name: 'Airtel',
    prefixes: '73 750 751 752 753 754 755 756 761 762 78 10'.split(' ').map((p) => `254${p}`),
  },
];

const managedServices = [
  { key: 'brand-sender', name: 'Brand', category: 'MARKETING', sender: 'BRAND' },
  { key: 'otp-sender', name: 'One-time passwords', category: 'AUTHENTICATION', sender: 'VERIFY' },
];

const namedDefinitions = [
  { name: 'name', format: 'Name', required: true, maxLength: 40 },
  { name: 'order', format: 'Numeric', required: true, maxLength: 10 },
  { name: 'code', format: 'Alphanumeric', required: true },
  { name: 'note', format: 'PlainText', required: true, default: 'Thank you!' },
];

const templates = [
  {
    id: 'order-shipped',
    content: 'Habari {{name}}, order {{order}} is on its way. Pick-up code: {{code}}. {{note}}',
    category: 'UTILITY',
    param_definitions: namedDefinitions,
  },
  {
    id: 'one-time-code',
    content: 'Your code is {{1}}. It is valid for {{2}} minutes.',
    category: 'AUTHENTICATION',
    managed_service_key: 'otp-sender',
    param_definitions: [
      { name: '1', format: 'Alphanumeric', required: true, maxLength: 8 },
      { name: '2', format: 'Numeric', required: true },
    ],
  },
  {
    id: 'weekend-offer',
    content: 'This weekend only: {{offer}}',
    category: 'MARKETING',
    managed_service_key: 'brand-sender',
    approval_status: 'PENDING',
  },
  { id: 'old-notice', content: 'We moved to {{place}}.', category: 'UTILITY', status: 'Archived' },
  {
    id: 'mixed-up',
    content: 'Buy one, get one: {{offer}}',
    category: 'MARKETING',
    managed_service_key: 'otp-sender',
  },
  {
    id: 'lost-sender',
    content: 'Hello {{name}}',
    category: 'UTILITY',
    managed_service_key: 'no-such-sender',
  },
];

/** Fills the database if it has no team yet; answers what was made, or undefined when there was one. */
export async function seedDemo(knex: Knex, secrets: Secrets, baseUrl: string): Promise<Demo | undefined> {
  return knex.transaction(async (trx) => {
    await trx.raw('lock table teams in share row exclusive mode');
    if ((await trx('teams').first()) !== undefined) return undefined;

    await trx('channels').insert(
      channels.map(({ name, prefixes }, position) => ({
        name,
        prefixes: JSON.stringify(prefixes),
        connector: 'simulator',
        position,
      })),
    );
    await trx('managed_services').insert(managedServices);
    const demo = await insertTeam(trx, secrets, 'demo', units);
    const foreign = await insertTeam(trx, secrets, 'foreign', units);
    const broke = await insertTeam(trx, secrets, 'broke', 0);
    for (const template of templates) await insertTemplate(trx, 'demo', template);
    await insertTemplate(trx, 'foreign', {
      id: 'foreign-greeting',
      content: 'Hello {{name}}',
      category: 'UTILITY',
    });

    const { signingSecret, ...credentials } = demo;
    const withoutSigning = ({ clientId, clientSecret, smsServiceId }: typeof demo) => ({
      clientId,
      clientSecret,
      smsServiceId,
    });
    return {
      baseUrl,
      clientId: credentials.clientId,
      clientSecret: credentials.clientSecret,
      signingSecret,
      smsServiceId: credentials.smsServiceId,
      templates: {
        named: 'order-shipped',
        positional: 'one-time-code',
        pending: 'weekend-offer',
        archived: 'old-notice',
        mismatched: 'mixed-up',
        unmanaged: 'lost-sender',
      },
      templateParams: {
        named: [
          { name: 'name', value: "Asha Wanjiru-Ng'ang'a" },
          { name: 'order', value: '4711' },
          { name: 'code', value: 'K7P2' },
        ],
        positional: [
          { name: '1', value: '482913' },
          { name: '2', value: '10' },
        ],
      },
      foreign: { ...withoutSigning(foreign), template: 'foreign-greeting' },
      broke: withoutSigning(broke),
    };
  });
}

async function insertTeam(trx: Knex.Transaction, secrets: Secrets, id: string, opening: number) {
  const clientSecret = generateClientSecret();
  const signingSecret = generateSigningSecret();
  const smsServiceId = `${id}-sms`;
  await trx('teams').insert({ id, name: `The ${id} team` });
  await createClientRepository(trx).insertClient(trx, {
    id,
    teamId: id,
    name: `The ${id} client`,
    secretHashes: [secrets.hash(clientSecret)],
    signingSecrets: [secrets.encrypt(signingSecret)],
    scopes,
    allowedAddresses: [],
    enabled: true,
  });
  await trx('services').insert({ id: smsServiceId, team_id: id, name: 'SMS', sender: 'TARISHI' });
  const [account] = await trx('accounts')
    .insert({ team_id: id, product: 'sms', balance: opening })
    .returning('id');
  if (opening > 0)
    await trx('ledger_entries').insert({ account_id: account.id, units: opening, reason: 'TopUp' });
  return { clientId: id, clientSecret, signingSecret, smsServiceId };
}

async function insertTemplate(
  trx: Knex.Transaction,
  teamId: string,
  template: { id: string; content: string; category: string; param_definitions?: object[] },
): Promise<void> {
  await trx('sms_templates').insert({
    approval_status: 'APPROVED',
    ...template,
    team_id: teamId,
    param_definitions: JSON.stringify(template.param_definitions ?? []),
  });
}

/** Writes `demo.json`, readable by its owner only. */
export function writeDemoFile(directory: string, demo: Demo): void {
  // Whoever waits for the file must not find half of it.
  const unfinished = `${demoFile(directory)}.new`;
  writeFileSync(unfinished, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, demoFile(directory));
}

/** Keeps `demo.json` true when the service listens elsewhere than on its first start. */
export function refreshDemoFile(directory: string, baseUrl: string): void {
  if (!existsSync(demoFile(directory))) return;
  const demo: Demo = JSON.parse(readFileSync(demoFile(directory), 'utf8'));
  if (demo.baseUrl !== baseUrl) writeDemoFile(directory, { ...demo, baseUrl });
}

function demoFile(directory: string): string {
  return join(directory, 'demo.json');
}

/** What the first start prints: credentials once, and a command that sends an SMS when pasted. */
export function demoGreeting(demo: Demo, directory: string): string {
  const phone = `+2547110${String(randomInt(100)).padStart(2, '0')}000`;
  return `
Demo data is in place. These credentials are shown once and kept in ${demoFile(directory)}:

  client id       ${demo.clientId}
  client secret   ${demo.clientSecret}
  signing secret  ${demo.signingSecret}
  SMS service     ${demo.smsServiceId}

Callbacks may reach this machine (loopback), because this is a demo.
Send an SMS through the simulated network:

curl -s '${demo.baseUrl}/message/${demo.smsServiceId}' \\
  -H "Authorization: Bearer $(curl -s '${demo.baseUrl}/oauth/token' -d grant_type=client_credentials \\
     -d 'client_id=${demo.clientId}' -d 'client_secret=${demo.clientSecret}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')" \\
  -H 'Content-Type: application/json' \\
  -d '{"type":"SendToMany","addresses":["${phone}"],"message":"Habari from Tarishi"}'

`;
}
