/** Demo data for SMS: a service, templates, and what they are sent as. */
import type { Knex } from 'knex';
import type { ParamDefinition, SmsTemplate } from '../products/templates/template.ts';
import { seedUnits } from './units.ts';

export interface DemoSms {
  smsServiceId: string;
  templates: Record<'named' | 'positional' | 'pending', string>;
  templateParams: Record<'named' | 'positional', { name: string; value: string }[]>;
}

/** Active, approved and without parameters unless it says otherwise. */
export type DemoTemplate = Pick<SmsTemplate, 'id' | 'content' | 'category'> & Partial<SmsTemplate>;

/** Approved everywhere. */
const senders = [
  { id: 'brand-sender', team_id: null, name: 'Brand', category: 'MARKETING', sender: 'BRAND' },
  {
    id: 'otp-sender',
    team_id: null,
    name: 'One-time passwords',
    category: 'AUTHENTICATION',
    sender: 'VERIFY',
  },
  { id: 'tarishi', team_id: 'demo', name: 'Tarishi', sender: 'TARISHI' },
  { id: '22140', team_id: 'demo', name: 'Offers', sender: '22140' },
];

const namedDefinitions: readonly ParamDefinition[] = [
  { name: 'name', format: 'Name', required: true, maxLength: 40 },
  { name: 'order', format: 'Numeric', required: true, maxLength: 10 },
  { name: 'code', format: 'Alphanumeric', required: true },
  { name: 'note', format: 'PlainText', required: true, default: 'Thank you!' },
];

const smsTemplates: readonly DemoTemplate[] = [
  {
    id: 'order-shipped',
    content: 'Habari {{name}}, order {{order}} is on its way. Pick-up code: {{code}}. {{note}}',
    category: 'UTILITY',
    paramDefinitions: namedDefinitions,
  },
  {
    id: 'one-time-code',
    content: 'Your code is {{1}}. It is valid for {{2}} minutes.',
    category: 'AUTHENTICATION',
    managedServiceKey: 'otp-sender',
    paramDefinitions: [
      { name: '1', format: 'Alphanumeric', required: true, maxLength: 8 },
      { name: '2', format: 'Numeric', required: true },
    ],
  },
  {
    id: 'weekend-offer',
    content: 'This weekend only: {{offer}}',
    category: 'MARKETING',
    managedServiceKey: 'brand-sender',
    approvalStatus: 'PENDING',
  },
];

/** The senders of the platform and the demo team, and its templates. */
export async function seedSmsTemplates(trx: Knex.Transaction): Promise<Omit<DemoSms, 'smsServiceId'>> {
  await trx('senders').insert(senders);
  await trx('sms_templates').insert(
    smsTemplates.map(
      ({ id, content, category, approvalStatus, managedServiceKey, paramDefinitions = [] }) => ({
        id,
        content,
        category,
        team_id: 'demo',
        approval_status: approvalStatus ?? 'APPROVED',
        managed_service_key: managedServiceKey ?? null,
        param_definitions: JSON.stringify(paramDefinitions),
      }),
    ),
  );
  return {
    templates: { named: 'order-shipped', positional: 'one-time-code', pending: 'weekend-offer' },
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
  };
}

/** The demo team's SMS services, one of them for promotional messages, and their units. Returns the first one's id. */
export async function seedSmsService(trx: Knex.Transaction, units: number): Promise<string> {
  const smsServiceId = 'demo-sms';
  await trx('services').insert([
    { id: smsServiceId, team_id: 'demo', name: 'SMS', sender: 'TARISHI', purpose: 'UTILITY' },
    { id: 'demo-offers', team_id: 'demo', name: 'Offers', sender: '22140', purpose: 'MARKETING' },
  ]);
  await seedUnits(trx, { product: 'sms', variant: '' }, units);
  return smsServiceId;
}
