/** The words that a network wants at the end of promotional SMS. */
import { expect, test } from '@jest/globals';
import { planOf } from '../../accept/accept-testing.ts';
import { channels } from '../phone/testing.ts';
import { neverQuiet } from '../quiet-hours/testing.ts';
import type { SmsFacts } from './facts.ts';
import * as rules from './plan.ts';

const service = {
  id: 'service',
  sender: 'ACME',
  grant: { category: null, uses: [{ status: 'Approved' }] },
  status: 'Active',
  quietHours: true,
  validitySeconds: null,
} as const;

function planned(message: string, purpose: 'MARKETING' | 'UTILITY' = 'MARKETING') {
  const facts: SmsFacts = {
    channels: {
      ...channels,
      named: (name) => {
        const found = channels.named(name);
        return found && { ...found, promotionalSuffix: 'STOP*456*9*5#' };
      },
    },
    quiet: neverQuiet,
    findSenderRules: () => [],
    service: { ...service, purpose },
    template: undefined,
    managedService: undefined,
    accountId: '7',
  };
  const command = {
    caller: { teamId: 'team', clientId: 'client', scopes: [] },
    serviceId: 'service',
    templateId: undefined,
    audience: 'many',
    recipients: [{ written: '+254711000000', content: { text: message } }],
    receiptRequest: undefined,
    idempotency: undefined,
  } as const;
  return planOf(rules, command, facts).messages.map(({ content, units }) => [content, units]);
}

test('ends a MARKETING SMS, and its units count', () => {
  expect(planned('Ofa')).toEqual([['Ofa STOP*456*9*5#', 1]]);
  expect(planned('x'.repeat(150))).toEqual([[`${'x'.repeat(150)} STOP*456*9*5#`, 2]]);
});

test('is not there twice, and not in other categories', () => {
  expect(planned('Ofa STOP*456*9*5# ')).toEqual([['Ofa STOP*456*9*5# ', 1]]);
  expect(planned('Ofa', 'UTILITY')).toEqual([['Ofa', 1]]);
});
