/** Units in the console: topped up once for each reference, corrected with a reason, and stated with hashes that fit. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConsoleService, startAcme } from '../../support/console/service.ts';
import type { Visitor } from '../../support/console/visitor.ts';

let service: ConsoleService;
let owner: Visitor;
beforeAll(async () => {
  ({ service, owner } = await startAcme());
});
afterAll(() => service.close());

test('a top-up is counted once for each reference', async () => {
  const invoice = { product: 'Sms', units: '500', reference: 'invoice-1' };
  const first = await owner.send('/teams/acme/top-up', invoice);
  expect(first.text).toContain('500 units added to SMS. 500 are left.');
  // Another field, so that it does not count as a double click.
  const again = await owner.send('/teams/acme/top-up', { ...invoice, later: 'true' });
  expect(again.text).toContain(
    'Counted once: invoice-1 was booked before, and nothing changed. 500 are left.',
  );
});

test('a correction needs its reason', async () => {
  const correction = { product: 'Sms', units: '-20', reference: 'correction-1' };
  const refused = await owner.send('/teams/acme/correct', correction);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('<a href="#field-note">Note: required.</a>'),
  ]);
  const corrected = await owner.send('/teams/acme/correct', { ...correction, note: 'Charged twice' });
  expect(corrected.text).toContain('20 units taken from SMS. 480 are left.');
  expect((await owner.open('/teams/acme/ledger')).text).toContain('Charged twice');
});

test('a statement verifies, and is downloaded whole', async () => {
  const { text } = await owner.open('/teams/acme/statement?product=Sms&verify=hashes');
  expect(text).toContain('All hashes fit.');
  const [, hash = ''] = /closes with <code class="id">([0-9a-f]{64})/.exec(text) ?? [];
  const file = await owner.open('/teams/acme/statement.csv?product=Sms');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="statement-acme.csv"');
  expect(file.text.trim().split('\r\n')).toHaveLength(3);
  expect(file.text).toContain(hash);
});

test('a person is erased only by a number that is typed twice, and the number is in no address', async () => {
  const differing = await owner.send('/erasure', { phone: '+254711000001', again: '+254711000002' });
  expect([differing.status, differing.location]).toEqual([400, undefined]);
  const erased = await owner.send('/erasure', { phone: '+254711000001', again: '+254711000001' });
  expect(erased.text).toContain('Everything about the number is erased.');
  expect(erased.text).not.toContain('254711000001');
});
