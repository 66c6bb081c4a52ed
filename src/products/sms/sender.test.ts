/** Which messages may leave as a sender, and what people see where. */
import { expect, test } from '@jest/globals';
import type { Category } from '../../model/plan.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Grant, requireGranted, type SenderUse } from './sender.ts';

const nowMs = Date.UTC(2027, 0, 1);
const kenyan = { phone: '+254711000000', channel: 'Safaricom' };
const approved: SenderUse = { status: 'Approved' };
const rejected: SenderUse = { status: 'Rejected' };

/** What people see, or the sentence of the error. */
function seen(grant: Grant | undefined, message = kenyan, category: Category = 'UTILITY'): string {
  try {
    return requireGranted('ACME', grant, { category, nowMs, findRules: () => [] })(message).sender ?? 'ACME';
  } catch (error) {
    return (error as Error).message;
  }
}
const not = (status: string) => `Sender ACME is not approved for Safaricom. Current status: ${status}`;

testEvery<[string, SenderUse[] | undefined, string]>([
  ['nothing was given', undefined, not('Missing')],
  ['everywhere', [approved], 'ACME'],
  ['it waits', [{ status: 'Pending' }], not('Pending')],
  ['it was refused', [rejected], not('Rejected')],
  ['another channel', [{ ...approved, channel: 'Airtel' }], not('Missing')],
  ['the channel goes before the rest', [approved, { ...rejected, channel: 'Safaricom' }], not('Rejected')],
  [
    'the channel goes before its country',
    [
      { ...rejected, country: 'KE' },
      { ...approved, channel: 'Safaricom' },
    ],
    'ACME',
  ],
  ['the country goes before the rest', [{ ...approved, as: '22141', country: 'KE' }, rejected], '22141'],
  ['another country', [{ ...approved, as: '22141', country: 'US' }, approved], 'ACME'],
  ['until it ends', [{ ...approved, validUntil: '2027-01-01T00:00:01Z' }], 'ACME'],
  ['it has ended', [{ ...approved, validUntil: '2027-01-01T00:00:00Z' }], not('Expired')],
])('%s', (_what, uses, expected) => {
  expect(seen(uses && { category: null, uses })).toBe(expected);
});

test('a sender for one category sends nothing else', () => {
  const grant: Grant = { category: 'AUTHENTICATION', uses: [approved] };
  expect(seen(grant, kenyan, 'AUTHENTICATION')).toBe('ACME');
  expect(seen(grant, kenyan, 'MARKETING')).toBe(
    'Sender ACME is for AUTHENTICATION messages, not for MARKETING.',
  );
});
