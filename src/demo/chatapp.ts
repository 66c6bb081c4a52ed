/** Demo data for chat-app messages: sender numbers, a message of a person, and a template for every kind of parameter. */

import type { Knex } from 'knex';
import { chatAppTemplates as templates } from '../manage/messaging/chatapp-templates.ts';
import { categories } from '../model/plan.ts';
import type { ChatAppParameter } from '../products/chatapp/templates/parameter.ts';
import {
  chatAppTemplates,
  type DemoEntry,
  type DemoTemplate,
  otherChatAppTemplates,
} from './chatapp-templates.ts';
import { seedUnits } from './units.ts';

/** A template, and parameters for it that are accepted. */
export interface DemoChatAppTemplate {
  id: string;
  params: readonly ChatAppParameter[];
}

export interface DemoChatApp {
  chatAppServiceId: string;
  phoneNumberIds: string[];
}

export type DemoChatAppTemplates = Record<keyof typeof chatAppTemplates, DemoChatAppTemplate>;

/** The ids of its numbers in the business account, and the numbers. */
const numbers = { '106540352242922': '+254709000001', '106540352242923': '+254709000002' };

/** What the examples of the document reply to. */
const inboundId = '7d1c2f4a-8e0b-4c55-9b1e-3f7a2c6d9e10';

/** The demo team's chat-app service and the numbers it sends from. */
export async function seedChatAppService(trx: Knex.Transaction): Promise<DemoChatApp> {
  const chatAppServiceId = 'demo-chatapp';
  await trx('chatapp_services').insert({ id: chatAppServiceId, team_id: 'demo', name: 'Chat-app' });
  const rows = Object.entries(numbers).map(([id, phone]) => ({
    id,
    phone,
    service_id: chatAppServiceId,
    connector: 'chat-simulator',
  }));
  await trx('chatapp_numbers').insert(rows);
  await trx('inbound_messages').insert({
    id: inboundId,
    team_id: 'demo',
    product: 'chatapp',
    service_id: chatAppServiceId,
    connector: 'chat-simulator',
    phone: '+254722000123',
    recipient: '+254709000001',
    kind: 'media',
    text: 'Where is my order?',
    media: JSON.stringify({ id: '1013859600285441', mimeType: 'image/png' }),
  });
  return { chatAppServiceId, phoneNumberIds: rows.map(({ id }) => id) };
}

/** An account for each category: the team is billed. */
export async function seedChatAppUnits(trx: Knex.Transaction, units: number): Promise<void> {
  for (const variant of categories) await seedUnits(trx, { product: 'chatapp', variant }, units);
}

/** The demo team's templates: one for each kind of parameter, and those that the document's examples name. */
export async function seedChatAppTemplates(trx: Knex.Transaction): Promise<DemoChatAppTemplates> {
  for (const { template } of [...Object.values(chatAppTemplates), ...otherChatAppTemplates])
    await addTemplate(trx, template);
  return Object.fromEntries(
    Object.entries<DemoEntry>(chatAppTemplates).map(([kind, { template, params }]) => [
      kind,
      { id: template.id, params },
    ]),
  ) as DemoChatAppTemplates;
}

async function addTemplate(
  trx: Knex.Transaction,
  { id, category, parameterFormat = 'NAMED', buttons = [], ...components }: DemoTemplate,
): Promise<void> {
  await templates.rows.insert(trx, {
    id,
    teamId: 'demo',
    name: id.replaceAll('-', '_'),
    language: 'en',
    category,
    parameterFormat,
    components: { ...components, buttons },
    approvalStatus: 'APPROVED',
  });
}
