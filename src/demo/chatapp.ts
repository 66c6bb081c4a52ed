/** Demo data for chat-app messages: sender numbers, and a template for every kind of parameter and rejection. */
import type { Knex } from 'knex';
import type { ChatAppParameter } from '../chatapp/templates/parameter.ts';
import { insertTemplate } from '../chatapp/templates/template-repository.ts';
import { templateCategories } from '../templates/template.ts';
import { chatAppTemplates, type DemoTemplate, otherChatAppTemplates } from './chatapp-templates.ts';
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

/** A team's chat-app service and the numbers it sends from: their ids in the business account, then E.164. */
export async function seedChatAppService(
  trx: Knex.Transaction,
  teamId: string,
  numbers: Readonly<Record<string, string>>,
): Promise<DemoChatApp> {
  const chatAppServiceId = `${teamId}-chatapp`;
  await trx('chatapp_services').insert({ id: chatAppServiceId, team_id: teamId, name: 'Chat-app' });
  const rows = Object.entries(numbers).map(([id, phone]) => ({
    id,
    phone,
    service_id: chatAppServiceId,
    connector: 'chat-simulator',
  }));
  await trx('chatapp_numbers').insert(rows);
  return { chatAppServiceId, phoneNumberIds: rows.map(({ id }) => id) };
}

/** Makes a team one that is billed: an account of `units` for every category. */
export async function seedChatAppUnits(trx: Knex.Transaction, teamId: string, units: number): Promise<void> {
  for (const variant of templateCategories)
    await seedUnits(trx, { teamId, product: 'chatapp', variant }, units);
}

/** The demo team's templates: one for each kind of parameter, and those that the document's examples name. */
export async function seedChatAppTemplates(trx: Knex.Transaction): Promise<DemoChatAppTemplates> {
  for (const { template } of [...Object.values(chatAppTemplates), ...otherChatAppTemplates])
    await addTemplate(trx, 'demo', template);
  return Object.fromEntries(
    Object.entries(chatAppTemplates).map(([kind, { template, params }]) => [
      kind,
      { id: template.id, params },
    ]),
  ) as DemoChatAppTemplates;
}

/** The one template of another team: `named` and its parameters. */
export async function seedChatAppGreeting(
  trx: Knex.Transaction,
  teamId: string,
): Promise<{ named: DemoChatAppTemplate }> {
  const id = `${teamId}-chat-greeting`;
  await addTemplate(trx, teamId, { id, category: 'UTILITY', body: { text: 'Hello {{name}}' } });
  return { named: { id, params: [{ type: 'BodyNamedParameter', name: 'name', value: 'Asha' }] } };
}

async function addTemplate(
  trx: Knex.Transaction,
  teamId: string,
  { id, parameterFormat = 'NAMED', approvalStatus = 'APPROVED', buttons = [], ...more }: DemoTemplate,
): Promise<void> {
  await insertTemplate(trx, {
    ...more,
    id,
    teamId,
    name: id.replaceAll('-', '_'),
    language: 'en',
    parameterFormat,
    status: 'Active',
    approvalStatus,
    buttons,
  });
}
