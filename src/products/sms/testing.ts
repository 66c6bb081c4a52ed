/** A service, a template and their facts for the tests of rules on SMS. */
import { channels } from '../phone/testing.ts';
import { neverQuiet } from '../quiet-hours/testing.ts';
import type { SmsTemplate } from '../templates/template.ts';
import type { SmsFacts } from './facts.ts';
import type { SmsService } from './service.ts';

export const service: SmsService = {
  id: 'service',
  sender: 'TARISHI',
  grant: { category: null, uses: [{ status: 'Approved' }] },
  status: 'Active',
  purpose: 'MARKETING',
  quietHours: true,
  validitySeconds: null,
};

export const template: SmsTemplate = {
  id: 'shipped',
  content: 'Habari {{name}}, order {{order}} is on its way.',
  category: 'UTILITY',
  status: 'Active',
  approvalStatus: 'APPROVED',
  paramDefinitions: [
    { name: 'name', format: 'Name', required: true, maxLength: 10 },
    { name: 'order', format: 'Numeric', required: true },
  ],
  registrations: {},
};

/** Of a request that sends the template. */
export const facts: SmsFacts = {
  channels,
  quiet: neverQuiet,
  findSenderRules: () => [],
  service,
  template,
  managedService: undefined,
  accountId: '7',
};
