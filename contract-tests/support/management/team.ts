/** Makes teams beside the demo's through the management API of a running service. */
import { randomInt, randomUUID } from 'node:crypto';
import { loadDocument, scopesOf } from '../../../src/contract/document.ts';
import { denominations } from '../../../src/demo/data.ts';
import type { Service } from '../service/service.ts';
import { edit } from './caller.ts';

const scopes = scopesOf(loadDocument());

/** A team with one of everything that requests name. */
export interface Team {
  teamId: string;
  clientId: string;
  clientSecret: string;
  smsServiceId: string;
  /** An SMS template and parameters for it. */
  smsTemplate: { id: string; params: { name: string; value: string }[] };
  campaignId: string;
  chatAppServiceId: string;
  phoneNumberId: string;
  chatAppTemplate: { id: string; params: { type: string; name: string; value: string }[] };
}

/** Units by product; those of mobile data in each denomination on each channel. None: no account. */
interface Units {
  sms?: number;
  data?: number;
  /** By category. */
  chatApp?: Record<string, number>;
}

/** A team that may do everything and has these units. */
export async function addTeam(
  { operate }: Pick<Service, 'operate'>,
  units: Units = {},
  teamId = `team-${randomUUID().slice(0, 8)}`,
): Promise<Team> {
  const of = (what: string) => ({ id: `${teamId}-${what}`, teamId });
  const client = of('client');
  const service = of('sms');
  const smsTemplate = of('greeting');
  const campaign = of('open');
  const chatAppService = of('chatapp');
  const chatAppTemplate = of('chat-greeting');
  const phoneNumberId = String(randomInt(1e14, 2e14));

  await operate('POST /teams', { id: teamId });
  const { body: credentials } = await operate('POST /clients', { ...client, scopes });
  await operate('POST /senders', { id: `${teamId}-sender`, teamId, sender: 'TARISHI' });
  await operate('POST /sms-services', { ...service, sender: 'TARISHI' });
  await operate('POST /sms-templates', { ...smsTemplate, content: 'Hello {{name}}', category: 'UTILITY' });
  await operate('POST /campaigns', {
    ...campaign,
    serviceId: service.id,
    allowedDenominations: denominations,
    frequency: 'Unlimited',
  });
  await operate('POST /chatapp-services', chatAppService);
  await operate('POST /chatapp-senders', {
    id: phoneNumberId,
    serviceId: chatAppService.id,
    phone: `+2547${randomInt(1e7, 1e8)}`,
    connector: 'chat-simulator',
  });
  await addChatAppTemplate({ operate }, chatAppTemplate);
  await addUnits({ operate }, teamId, units);
  return {
    teamId,
    clientId: client.id,
    clientSecret: credentials.clientSecret,
    smsServiceId: service.id,
    smsTemplate: { id: smsTemplate.id, params: [{ name: 'name', value: 'Asha' }] },
    campaignId: campaign.id,
    chatAppServiceId: chatAppService.id,
    phoneNumberId,
    chatAppTemplate: {
      id: chatAppTemplate.id,
      params: [{ type: 'BodyNamedParameter', name: 'name', value: 'Asha' }],
    },
  };
}

/** A greeting with the parameter `name`, reviewed. */
export async function addChatAppTemplate(
  { operate }: Pick<Service, 'operate'>,
  { id, teamId, category = 'UTILITY' }: { id: string; teamId: string; category?: string },
  decision = 'APPROVED',
): Promise<void> {
  const components = { body: { text: 'Hello {{name}}' }, buttons: [] };
  await operate('POST /chatapp-templates', { id, teamId, category, components, language: 'en' });
  if (decision !== 'PENDING') await edit(operate, `/chatapp-templates/${id}`, { decision }, 'review');
}

async function addUnits(
  { operate }: Pick<Service, 'operate'>,
  teamId: string,
  { sms, data, chatApp = {} }: Units,
): Promise<void> {
  const topUp = (units: number, account: object) =>
    operate(`POST /teams/${teamId}/top-ups`, { ...account, units, reference: randomUUID() });
  if (sms !== undefined) await topUp(sms, { product: 'Sms' });
  if (data !== undefined)
    for (const channel of ['Safaricom', 'Airtel'])
      for (const denomination of denominations)
        await topUp(data, { product: 'MobileData', channel, denomination });
  for (const [category, units] of Object.entries(chatApp))
    await topUp(units, { product: 'ChatApp', category });
}
