/** Demo data for SMS: a service, templates, and the managed senders of some. */
import type { Knex } from 'knex';
import { seedUnits } from './units.ts';

export interface DemoSms {
  smsServiceId: string;
  templates: Record<'named' | 'positional' | 'pending', string>;
  templateParams: Record<'named' | 'positional', { name: string; value: string }[]>;
}

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
];

/** The managed senders and the demo team's templates. */
export async function seedSmsTemplates(trx: Knex.Transaction): Promise<Omit<DemoSms, 'smsServiceId'>> {
  await trx('managed_services').insert(managedServices);
  await trx('sms_templates').insert(
    templates.map(({ param_definitions = [], ...template }) => ({
      approval_status: 'APPROVED',
      ...template,
      team_id: 'demo',
      param_definitions: JSON.stringify(param_definitions),
    })),
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

/** The demo team's SMS service and its units. Returns the service's id. */
export async function seedSmsService(trx: Knex.Transaction, units: number): Promise<string> {
  const smsServiceId = 'demo-sms';
  await trx('services').insert({ id: smsServiceId, team_id: 'demo', name: 'SMS', sender: 'TARISHI' });
  await seedUnits(trx, { product: 'sms', variant: '' }, units);
  return smsServiceId;
}
