/** Every instant that a request of either document may name: those that no database holds are refused by their format. */
import { expect, test } from '@jest/globals';
import { loadDocument } from '../../contract/document.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createAjv } from './schemas.ts';

const judge = createAjv().compile({ type: 'string', format: 'date-time' });

testEvery([
  '2026-11-24T00:00:00Z',
  '2026-11-24T00:00:00.123+03:00',
  '2026-11-24T00:00:00-15:59',
  '1900-01-01T00:00:00Z',
  '2999-12-31T23:59:59+00:00',
  '2026-06-30T23:59:60Z',
])('%s is one', (text) => {
  expect(judge(text)).toBe(true);
});

testEvery([
  ['an offset of sixteen hours', '2026-11-24T00:00:00+16:00'],
  ['and more, west', '2026-11-24T00:00:00-23:59'],
  ['the year before in UTC', '1900-01-01T00:00:00+00:01'],
  ['the year after in UTC', '2999-12-31T23:59:59-00:01'],
  ['a year that no database writes like that', '0000-01-01T00:00:00Z'],
  ['no zone', '2026-11-24T00:00:00'],
])('%s: %s is none', (_why, text) => {
  expect(judge(text)).toBe(false);
});

test('no request names an instant in another format', () => {
  const found: string[] = [];
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { format, type } = value as { format?: unknown; type?: unknown };
    if (typeof format === 'string' && type !== undefined && /date|time/.test(format)) found.push(format);
    for (const [name, inner] of Object.entries(value)) walk(inner, `${place}/${name}`);
  };
  for (const document of [loadDocument(), loadDocument('management')]) walk(document, '');
  expect([...new Set(found)].sort()).toEqual(['date', 'date-time']);
});
