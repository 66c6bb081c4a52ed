/** Adds demo data to an empty database: teams, clients, channels and what each product needs. */
import type { Knex } from 'knex';
import { createClientRepository } from '../clients/repository.ts';
import { generateClientSecret, generateSigningSecret, placeOf, type Secrets } from '../clients/secrets.ts';
import { systemClock } from '../clock.ts';
import { loadDocument, scopesOf } from '../http/contract/document.ts';
import {
  seedChatAppGreeting,
  seedChatAppService,
  seedChatAppTemplates,
  seedChatAppUnits,
} from './chatapp.ts';
import { seedBundles, seedCampaigns, seedOpenCampaign } from './data.ts';
import type { Demo } from './file.ts';
import { foreignTemplate, seedSmsService, seedSmsTemplates } from './sms.ts';

const smsUnits = 10_000;
const bundlesOfEach = 1_000;
const chatAppUnits = 10_000;

/** Each team's chat-app numbers, by their ids. */
const chatAppNumbers = {
  demo: { '106540352242922': '+254709000001', '106540352242923': '+254709000002' },
  foreign: { '106540352242930': '+254709000003' },
  broke: { '106540352242940': '+254709000004' },
};

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

/** Where the secrets of the demo's clients come from. */
export interface SecretMakers {
  clientSecret: () => string;
  signingSecret: () => string;
}

/** Fills the database if it has no team yet; answers what was made, or undefined when there was one. */
export async function seedDemo(
  knex: Knex,
  secrets: Secrets,
  baseUrl: string,
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
    const credentials = { secrets, make, scopes: scopesOf(loadDocument()) };
    const { signingSecret, ...demo } = await insertTeam(trx, credentials, 'demo', smsUnits);
    const { signingSecret: _foreign, ...foreign } = await insertTeam(trx, credentials, 'foreign', smsUnits);
    const { signingSecret: _broke, ...broke } = await insertTeam(trx, credentials, 'broke', 0);
    const channelNames = channels.map(({ name }) => name);
    for (const { clientId } of [demo, foreign]) await seedBundles(trx, clientId, channelNames, bundlesOfEach);
    await seedChatAppUnits(trx, 'demo', chatAppUnits);
    await seedChatAppUnits(trx, 'broke', 0);
    return {
      baseUrl,
      ...demo,
      signingSecret,
      ...(await seedSmsTemplates(trx)),
      ...(await seedCampaigns(trx, demo.smsServiceId)),
      chatAppTemplates: await seedChatAppTemplates(trx),
      foreign: {
        ...foreign,
        template: foreignTemplate,
        campaign: await seedOpenCampaign(trx, 'foreign', foreign.smsServiceId),
        chatAppTemplates: await seedChatAppGreeting(trx, 'foreign'),
      },
      broke: {
        ...broke,
        campaign: await seedOpenCampaign(trx, 'broke', broke.smsServiceId),
        chatAppTemplates: await seedChatAppGreeting(trx, 'broke'),
      },
    };
  });
}

async function insertTeam(
  trx: Knex.Transaction,
  { secrets, make, scopes }: { secrets: Secrets; make: SecretMakers; scopes: readonly string[] },
  id: keyof typeof chatAppNumbers,
  units: number,
) {
  const clientSecret = make.clientSecret();
  const signingSecret = make.signingSecret();
  await trx('teams').insert({ id, name: `The ${id} team` });
  await createClientRepository(trx).insertClient({
    id,
    teamId: id,
    name: `The ${id} client`,
    secretHashes: [secrets.hash(clientSecret)],
    signingSecrets: [secrets.encrypt(signingSecret, placeOf.signingSecret(id))],
    scopes,
    allowedAddresses: [],
    enabled: true,
    webOrigins: [],
    issuer: null,
    tokensValidFromMs: systemClock.now(),
    ratePerSecond: null,
  });
  const smsServiceId = await seedSmsService(trx, id, units);
  const chatApp = await seedChatAppService(trx, id, chatAppNumbers[id]);
  return { clientId: id, clientSecret, signingSecret, smsServiceId, ...chatApp };
}
