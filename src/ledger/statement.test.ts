/** A statement verifies as long as nothing in it was altered, and the first entry that was is named. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { testEvery } from '../platform/for-every-testing.ts';
import { emptyHead, type Head } from './chain.ts';
import { faultOf, isStatement, type Statement, type StatementEntry, statementEntry } from './statement.ts';

const account = {
  teamId: 'acme',
  product: 'MobileData',
  channel: 'Safaricom',
  denomination: '50MB',
} as const;

function statementOf(count: number, skipped = 0): Statement {
  let head = emptyHead(account);
  const heads = [head];
  const entries: StatementEntry[] = [];
  for (let position = 1; position <= count; position += 1) {
    const next = statementEntry(head, {
      id: String(10 * position),
      at: `2027-01-31T09:30:00.${String(position).padStart(6, '0')}Z`,
      units: position === 1 ? 100 : -1,
      reason: position === 1 ? 'TopUp' : 'Debit',
      requestId: position === 1 ? null : '5f0c6e0e-6f0b-4d53-9c1a-0d2f6a3b7c11',
      messageNumber: null,
      reference: position === 1 ? 'invoice-1' : null,
      note: position === 1 ? 'Jänner "quoted" \u2028' : null,
    });
    head = next.head;
    heads.push(head);
    if (position > skipped) entries.push(next.entry);
  }
  return {
    format: 'tarishi-statement-1',
    ...account,
    opening: heads[skipped] as Head,
    entries,
    closing: head,
  };
}

/** As a file: altering it leaves the statement as it was. */
const altered = (statement: Statement, alter: (copy: Statement) => void): Statement => {
  const copy = structuredClone(statement);
  alter(copy);
  return copy;
};

test('one from the beginning verifies, one from later on, and one without entries', () => {
  for (const statement of [statementOf(5), statementOf(5, 3), statementOf(0), statementOf(3, 3)])
    expect([isStatement(statement), faultOf(statement)]).toEqual([true, undefined]);
});

test('the example of the document verifies: its hashes are those that others compute', () => {
  const document = parse(readFileSync(new URL('../../generated/management.yaml', import.meta.url), 'utf8'));
  const { responses } = document.paths['/teams/{teamId}/statement'].get;
  const { value } = responses['200'].content['application/json'].examples.statement;
  expect([isStatement(value), faultOf(value)]).toEqual([true, undefined]);
});

describe('the first altered entry is named', () => {
  const fields: Partial<StatementEntry> = {
    id: '31',
    at: '2027-01-31T09:30:00.000004Z',
    units: -2,
    reason: 'Refund',
    requestId: null,
    messageNumber: '7',
    reference: 'x',
    note: '',
    hash: '0'.repeat(64),
  };
  testEvery(Object.entries(fields))('%s', (name, value) => {
    const statement = altered(statementOf(5), ({ entries }) => {
      Object.assign(entries[2] as StatementEntry, { [name]: value });
      Object.assign(entries[3] as StatementEntry, { units: 9 });
    });
    expect(faultOf(statement)).toBe(`entry 3 (id ${name === 'id' ? '31' : '30'}) was altered`);
  });

  test('the balance of an entry', () => {
    const statement = altered(statementOf(5), ({ entries }) => {
      (entries[1] as StatementEntry).balance += 1;
    });
    expect(faultOf(statement)).toBe('entry 2 (id 20) was altered: the balance does not match the units');
  });

  test('one that was removed, at the end too', () => {
    const without = (index: number) => altered(statementOf(5), ({ entries }) => entries.splice(index, 1));
    expect([0, 2, 4].map((index) => faultOf(without(index)))).toEqual([
      'entry 1 is missing',
      'entry 3 is missing',
      'entry 5 is missing',
    ]);
  });

  test('one that was inserted', () => {
    const statement = altered(statementOf(5), ({ entries }) =>
      entries.splice(2, 0, entries[1] as StatementEntry),
    );
    expect(faultOf(statement)).toBe('entry 2 (id 20) is out of place: entry 3 belongs there');
  });
});

test('the fields around the entries cannot be altered either', () => {
  const opening = altered(statementOf(2), (copy) => {
    copy.teamId = 'other';
  });
  expect(faultOf(opening)).toBe('opening is not that of an account without entries');
  const later = altered(statementOf(5, 3), (copy) => {
    copy.opening.hash = 'f'.repeat(64);
  });
  expect(faultOf(later)).toBe('entry 4 (id 40) was altered');
  const closing = altered(statementOf(2), (copy) => {
    copy.closing.balance += 1;
  });
  expect(faultOf(closing)).toBe('closing does not match the last entry');
});

testEvery([
  null,
  [],
  'x',
  {},
  { ...statementOf(1), entries: [null] },
  { ...statementOf(1), format: 'other' },
])('rejects what is not a statement: %j', (document) => {
  expect(isStatement(document)).toBe(false);
});
