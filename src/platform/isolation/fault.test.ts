/** Which errors blame one item, and what operators see of them. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../for-every-testing.ts';
import { ItemFault, isConflict, isItemFault, orItemFault, reasonOf } from './fault.ts';

const coded = (code: string) => Object.assign(new Error('quotes +254711000000'), { code });

describe('an error that blames the item', () => {
  testEvery(['21000', '22P02', '23505', '54000', 'P0001'])('SQLSTATE %s', (code) =>
    expect([isItemFault(coded(code)), reasonOf(coded(code))]).toEqual([true, `database error ${code}`]),
  );

  testEvery<[string, () => unknown]>([
    ['new URL of an invalid URL', () => new URL('https://')],
    ['invalid JSON', () => JSON.parse('{')],
    ['a missing property', () => (undefined as unknown as { a: number }).a],
    ['an extreme date', () => new Date(Number.NaN).toISOString()],
    ['a broken escape', () => decodeURIComponent('%')],
  ])('%s', (_name, make) => {
    let thrown: unknown;
    try {
      make();
    } catch (error) {
      thrown = error;
    }
    expect(isItemFault(thrown)).toBe(true);
    expect(reasonOf(thrown)).toMatch(/^[A-Za-z]+Error$/);
  });

  test('anything that a renderer throws, in words of our own', () => {
    const render = () =>
      orItemFault('the receipt cannot be written', () => {
        throw new Error('quotes +254711000000');
      });
    expect(render).toThrow(ItemFault);
    expect(reasonOf(new ItemFault('the receipt cannot be written'))).toBe('the receipt cannot be written');
  });
});

describe('an error that says nothing about the item', () => {
  testEvery(['08006', '25P02', '40P01', '42P01', '53100', '55P03', '57014', '58030', 'XX000', 'EPIPE'])(
    '%s',
    (code) => expect(isItemFault(coded(code))).toBe(false),
  );

  test('a connection that ended without a code', () => {
    expect(isItemFault(new Error('Connection terminated unexpectedly'))).toBe(false);
  });

  test('only conflicts of transactions are worth the same attempt again', () => {
    expect(['40P01', '40001', '22P02', '08006'].map((code) => isConflict(coded(code)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
