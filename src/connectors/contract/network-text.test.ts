/** No text of a network reaches the database in a form that cannot be stored. */

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../../platform/for-every-testing.ts';
import type { Connector, HandOver, NetworkReport, OutboundMessage } from './connector.ts';
import { longLease } from './lease-testing.ts';
import {
  cleanId,
  cleanNews,
  cleanReports,
  cleanTemplateNews,
  cleanText,
  withCleanAnswers,
} from './network-text.ts';

const seed = Number(process.env.SEED);
const message = { id: '1', product: 'data' } as OutboundMessage;

async function answered(outcome: HandOver) {
  const ignored: string[] = [];
  const raw: Connector = { send: async () => [outcome], ask: async () => [outcome] };
  const connector = withCleanAnswers(raw, (value) => ignored.push(value));
  const [sent] = await connector.send([message], longLease);
  const [asked] = (await connector.ask?.([message])) ?? [];
  expect(asked).toEqual(sent);
  return { outcome: sent, ignored };
}

describe('text', () => {
  testEvery<[rule: string, text: string, clean: string]>([
    ['NUL is left out', 'a\0b', 'ab'],
    ['other controls become spaces', 'a\nb\u009bc\u007f', 'a b c '],
    ['half a pair becomes the replacement character', 'a\ud83d', 'a\ufffd'],
    ['is cut between code points', `${'x'.repeat(9)}😀😀`, `${'x'.repeat(9)}😀`],
    ['other scripts stay', 'Бир 日本 😀', 'Бир 日本 😀'],
  ])('%s', (_rule, text, clean) => expect(cleanText(text, 10)).toBe(clean));

  test('any text comes out storable, and clean text stays as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)) }),
        fc.integer({ min: 1, max: 20 }),
        (text, longest) => {
          const clean = cleanText(text, longest);
          expect(clean.isWellFormed()).toBe(true);
          expect(clean).not.toMatch(/\p{Cc}/u);
          expect([...clean].length).toBeLessThanOrEqual(longest);
          expect(cleanText(clean, longest)).toBe(clean);
        },
      ),
      { seed, numRuns: 1_000 },
    );
  });
});

testEvery<[rule: string, id: string, clean: string | undefined]>([
  ['of 255 characters is kept', 'x'.repeat(255), 'x'.repeat(255)],
  ['of 256 characters is rejected', 'x'.repeat(256), undefined],
  ['of 255 emoji is kept', '😀'.repeat(255), '😀'.repeat(255)],
  ['of 64 KB is rejected', 'x'.repeat(65_536), undefined],
  ['of nothing but NUL is rejected', '\0\0', undefined],
  ['loses NUL', 'tx\0-1', 'tx-1'],
])('an id %s', (_rule, id, clean) => expect(cleanId(id)).toBe(clean));

describe('a report', () => {
  const report = (extra: Partial<NetworkReport>): NetworkReport => ({
    state: 'Failed',
    messageId: '7',
    ...extra,
  });

  testEvery([
    ['1999-12-31T23:59:59.999Z', false],
    ['2026-11-21T09:30:00Z', true],
    ['2100-01-01T00:00:00Z', false],
    ['-271821-04-20T00:00:00Z', false],
  ])('at %s keeps its time: %s', (at, keeps) => {
    const timed = report({ occurredAt: new Date(at) });
    const ignored: string[] = [];
    const clean = cleanReports([timed], (value) => ignored.push(value));
    expect([clean, ignored]).toEqual(keeps ? [[timed], []] : [[report({})], ['time']]);
  });

  test('with an id that is too long still counts for our reference', () => {
    const ignored: string[] = [];
    const clean = cleanReports([report({ networkId: 'x'.repeat(300) })], (value) => ignored.push(value));
    expect([clean, ignored]).toEqual([[report({})], ['id']]);
  });

  test('in a call is cleaned alone: the others stay as they are', () => {
    const [first, second] = cleanNews(
      { reports: [report({ reason: 'a\ud83d' }), report({ reason: 'fine' })], pause: 'no\0float' },
      () => {},
    ).reports;
    expect([first?.reason, second?.reason]).toEqual(['a\ufffd', 'fine']);
  });
});

describe('the response to a hand-over', () => {
  test('with an unusable id: the network has the message, under no id', async () => {
    expect(await answered({ kind: 'accepted', networkId: 'x'.repeat(65_536) })).toEqual({
      outcome: { kind: 'accepted' },
      ignored: ['id', 'id'],
    });
  });

  test('with an unusable id of one part keeps the others', async () => {
    const { outcome } = await answered({ kind: 'accepted', partIds: ['a', '\0', 'b'] });
    expect(outcome).toEqual({ kind: 'accepted', partIds: ['a', 'b'] });
  });

  test('with a rejection has its reason and code cut between code points', async () => {
    const reason = `${'x'.repeat(499)}😀😀`;
    const { outcome } = await answered({
      kind: 'rejected',
      state: 'Failed',
      reason,
      reasonCode: 'c\0'.repeat(99),
    });
    expect(outcome).toEqual({
      kind: 'rejected',
      state: 'Failed',
      reason: `${'x'.repeat(499)}😀`,
      reasonCode: 'c'.repeat(64),
    });
  });

  testEvery([Number.NaN, Number.POSITIVE_INFINITY, 1e300, -5])(
    'limits a delay of %s to a day',
    async (delay) => {
      const { outcome } = await answered({ kind: 'later', delaySeconds: delay });
      const { delaySeconds } = outcome as { delaySeconds: number };
      expect(delaySeconds >= 0 && delaySeconds <= 86_400).toBe(true);
    },
  );
});

test('news of a template at an impossible time counts as of its arrival', () => {
  const news = { name: 'greeting', language: 'en', approvalStatus: 'PAUSED' as const };
  const ignored: string[] = [];
  const at = (time: string) => ({ ...news, occurredAt: new Date(time) });
  expect(
    cleanTemplateNews([at('1999-12-31'), at('2026-01-01'), at('2100-01-01')], (what) => ignored.push(what)),
  ).toEqual([news, at('2026-01-01'), news]);
  expect(ignored).toEqual(['time', 'time']);
});

test('news of a template with an impossible name is left out, the rest stays', () => {
  const ok = { name: 'order', language: 'en', approvalStatus: 'PAUSED' as const, comment: 'a\0b' };
  expect(cleanTemplateNews([{ ...ok, name: 'or\0der' }, ok], () => {})).toEqual([{ ...ok, comment: 'ab' }]);
});
