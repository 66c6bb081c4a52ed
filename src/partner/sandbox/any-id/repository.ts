/** Makes the services, campaigns, numbers and templates that a request names and the sandbox does not have. */
import type { Knex } from 'knex';
import { denominations } from '../../../demo/data.ts';
import { chatAppTemplates } from '../../../manage/messaging/chatapp-templates.ts';
import { own } from '../../../platform/text/own.ts';
import type { ChatAppParameter } from '../../../products/chatapp/templates/parameter.ts';
import { templateFor } from './template-for.ts';

/** Resolves when everything that the call names exists. `body`: as sent, perhaps no valid request. */
export type MakeWhatIsNamed = (operation: string, path: string, body: string) => Promise<void>;

/** As much of a request as is read here. */
interface Named {
  templateId?: string;
  phoneNumberId?: string;
  params?: object[];
  messages?: { params?: object[] }[];
  messaging?: { serviceSelection?: { serviceId?: string } };
}

const team_id = 'demo';
/** What is longer, or has other characters, is unknown to the service too. */
const isId = (id: unknown): id is string => typeof id === 'string' && /^[\w-]{1,64}$/.test(id);

export function createAnyId(knex: Knex): MakeWhatIsNamed {
  const known = new Set<string>();
  const ensure = async (table: string, id: unknown, make: (id: string) => PromiseLike<unknown>) => {
    const key = `${table} ${id}`;
    if (!isId(id) || known.has(key)) return;
    const [existing] = await knex(table).where({ id }).select('id');
    // What cannot be made, or another call makes meanwhile, the service judges.
    if (existing === undefined) await Promise.resolve(make(id)).catch(() => {});
    known.add(key);
  };
  const service = (serviceId: unknown) =>
    ensure('services', serviceId, (id) =>
      knex('services').insert({ id, team_id, name: id, sender: 'TARISHI', purpose: 'UTILITY' }),
    );

  const sms = async (serviceId: string, named: Named) => {
    await service(serviceId);
    await ensure('sms_templates', named.templateId, (id) =>
      knex('sms_templates').insert({
        id,
        team_id,
        content: textWith(paramsOf(named) as { name: string }[]) || id,
        category: 'UTILITY',
        approval_status: 'APPROVED',
      }),
    );
  };
  const data = async (campaignId: string, { messaging }: Named) => {
    await service(messaging?.serviceSelection?.serviceId);
    await ensure('campaigns', campaignId, (id) =>
      knex('campaigns').insert({
        id,
        team_id,
        name: id,
        service_id: 'demo-sms',
        frequency: 'Unlimited',
        allowed_denominations: JSON.stringify(denominations),
      }),
    );
  };
  const chatApp = async (serviceId: string, named: Named) => {
    await ensure('chatapp_services', serviceId, (id) =>
      knex('chatapp_services').insert({ id, team_id, name: id }),
    );
    await ensure('chatapp_numbers', named.phoneNumberId, (id) =>
      knex('chatapp_numbers').insert({
        id,
        service_id: serviceId,
        phone: '+254709000009',
        connector: 'chat-simulator',
      }),
    );
    await ensure('chatapp_templates', named.templateId, (id) => {
      const made = templateFor(id, paramsOf(named) as ChatAppParameter[]);
      const { category, parameterFormat, ...components } = made;
      const name = id.replaceAll('-', '_');
      const identity = { id, teamId: team_id, name, language: 'en', approvalStatus: 'APPROVED' as const };
      return chatAppTemplates.rows.insert(knex, { ...identity, category, parameterFormat, components });
    });
  };
  const makers: Readonly<Record<string, (id: string, named: Named) => Promise<void>>> = {
    sendSms: sms,
    previewSms: sms,
    disburseMobileData: data,
    previewMobileData: data,
    sendChatAppTemplate: chatApp,
    previewChatAppTemplate: chatApp,
  };
  return async (operation, path, body) => {
    const named = parsed(body);
    if (named !== undefined) await own(makers, operation)?.(path.split(/[/?]/)[2] ?? '', named);
  };
}

/** Of the first recipient. */
const paramsOf = ({ params, messages }: Named): object[] => params ?? messages?.[0]?.params ?? [];

function textWith(params: readonly { name: string }[]): string {
  return [...new Set(params.map(({ name }) => `{{${name}}}`))].join(' ');
}

function parsed(body: string): Named | undefined {
  try {
    const value = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
