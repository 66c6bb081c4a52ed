/** A service with its number and accounts for the tests of chat-app rules. */
import { neverQuiet } from '../quiet-hours/testing.ts';
import type { ChatAppFacts } from './facts.ts';
import { template } from './templates/testing.ts';

/** Of a request that sends the template. */
export const facts: ChatAppFacts = {
  service: { id: 'chat', status: 'Active', quietHours: true },
  quiet: neverQuiet,
  number: { id: '1065', phone: '+254709000001' },
  template: template({ body: { text: 'Hello {{name}}' } }),
  accounts: { UTILITY: '7', MARKETING: '8', SERVICE: '9' },
};
