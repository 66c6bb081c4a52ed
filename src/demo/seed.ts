/** Adds demo data to an empty database: a team with its client, channels, and what each product needs. */
import type { Knex } from 'knex';
import { createClientRepository } from '../access/repository.ts';
import { loadDocument, scopesOf } from '../contract/document.ts';
import { generateAccessKey } from '../manage/access/access-key.ts';
import { users } from '../manage/access/users.ts';
import { systemClock } from '../platform/clock.ts';
import {
  generateClientSecret,
  generateSigningSecret,
  placeOf,
  type Secrets,
} from '../platform/secrets/secrets.ts';
import { seedChatAppService, seedChatAppTemplates, seedChatAppUnits } from './chatapp.ts';
import { seedBundles, seedCampaigns } from './data.ts';
import type { Demo, DemoAddresses } from './file.ts';
import { seedSmsService, seedSmsTemplates } from './sms.ts';

const smsUnits = 10_000;
const bundlesOfEach = 1_000;
const chatAppUnits = 10_000;

export const channels = [
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

/** Where the secrets of the demo's client come from. */
export interface SecretMakers {
  clientSecret: () => string;
  signingSecret: () => string;
}

/**
 * Fills the database if it has no team yet; returns what it made, or undefined if there was one. With a
 * `managementUrl`, the demo has an owner there.
 */
export async function seedDemo(
  knex: Knex,
  secrets: Secrets,
  addresses: DemoAddresses,
  make: SecretMakers = { clientSecret: generateClientSecret, signingSecret: generateSigningSecret },
): Promise<Demo | undefined> {
  return knex.transaction(async (trx) => {
    await trx.raw('lock table teams in share row exclusive mode');
    if ((await trx('teams').first()) !== undefined) return undefined;
    await trx('channels').insert(
      channels.map(({ name, prefixes }, position) => ({
        name,
        prefixes: JSON.stringify(prefixes),
        connector: 'simulator',
        bundle_connector: 'bundle-simulator',
        position,
      })),
    );
    const credentials = await insertTeam(trx, secrets, make);
    const smsServiceId = await seedSmsService(trx, smsUnits);
    const channelNames = channels.map(({ name }) => name);
    await seedBundles(trx, channelNames, bundlesOfEach);
    await seedChatAppUnits(trx, chatAppUnits);
    return {
      ...addresses,
      ...credentials,
      ...(addresses.managementUrl === undefined ? {} : { accessKey: await seedOwner(trx, secrets) }),
      smsServiceId,
      ...(await seedChatAppService(trx)),
      ...(await seedSmsTemplates(trx)),
      ...(await seedCampaigns(trx, smsServiceId)),
      chatAppTemplates: await seedChatAppTemplates(trx),
    };
  });
}

/** The demo team and its client, which may do everything. */
async function insertTeam(
  trx: Knex.Transaction,
  secrets: Secrets,
  make: SecretMakers,
): Promise<Pick<Demo, 'clientId' | 'clientSecret' | 'signingSecret'>> {
  const id = 'demo';
  const clientSecret = make.clientSecret();
  const signingSecret = make.signingSecret();
  await trx('teams').insert({ id, name: 'The demo team' });
  await createClientRepository(trx).insertClient({
    id,
    teamId: id,
    name: 'The demo client',
    secretHashes: [secrets.hash(clientSecret)],
    signingSecrets: [secrets.encrypt(signingSecret, placeOf.signingSecret(id))],
    scopes: scopesOf(loadDocument()),
    allowedAddresses: [],
    enabled: true,
    webOrigins: [],
    issuer: null,
    tokensValidFromMs: systemClock.now(),
    ratePerSecond: null,
  });
  return { clientId: id, clientSecret, signingSecret };
}

/** An owner of the platform, who may do everything over the management API. Returns the owner's access key. */
async function seedOwner(trx: Knex.Transaction, secrets: Secrets): Promise<string> {
  const id = 'demo-owner';
  const { accessKey, hash } = generateAccessKey(id, secrets);
  await users.rows.insert(trx, {
    id,
    name: 'The demo owner',
    teamId: null,
    role: 'owner',
    keyHashes: [hash],
    enabled: true,
  });
  return accessKey;
}
