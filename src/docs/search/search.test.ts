/** What developers type, misspelt too, finds the page that answers it first. */
import { beforeAll, expect, test } from '@jest/globals';
import MiniSearch from 'minisearch';
import { indexOptions, type Section, search } from '../../../docs/assets/search-terms.js';
import { readDocument } from '../../contract/document.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createDocumentation } from '../site/documentation.ts';

let index: MiniSearch<Section>;

beforeAll(() => {
  const docs = createDocumentation({
    document: readDocument('openapi'),
    basePath: '',
    publicUrl: 'https://sms.example.com',
  });
  index = MiniSearch.loadJSON<Section>(docs.searchIndex(), indexOptions);
});

const found = (query: string) => search(index, query).map(({ path }) => path);

testEvery([
  ['rate limit', '/docs/guides/limits'],
  ['standardwebhooks', '/docs/guides/receipts'],
  ['invlaid phone numbers', '/docs/errors/invalid-phones'],
  ['insufficient funds', '/docs/errors/insufficient-units'],
  ['idempotancy', '/docs/guides/idempotency'],
  ['retries', '/docs/guides/idempotency'],
  ['verify webhook', '/docs/guides/receipts'],
  ['delivery report', '/docs/guides/receipts'],
  ['token expired', '/docs/errors/invalid-token'],
  ['DisbursedMobileData', '/docs/reference/disburseMobileData'],
  ['sendSms', '/docs/reference/sendSms'],
  ['SmsSendToMany', '/docs/reference/sendSms'],
  ['createTeam', '/docs/management/createTeam'],
  ['cloud api', '/docs/networks/whatsapp'],
  ['gdpr', '/docs/privacy'],
  ['postman', '/docs/sdks'],
  ['deprecation', '/docs/guides/compatibility'],
  ['test numbers', '/docs/guides/first-message'],
  ['template not sendable', '/docs/errors/template-not-sendable'],
  ['quickstart', '/docs'],
])('the first page is what people look for: %s: %s', (query, path) => {
  expect(found(query)[0]?.split('#')[0]).toBe(path);
});

test('a setting and a metric have a place of their own', () => {
  expect(found('DATABASE_URL')[0]).toBe('/docs/settings#database_url');
  expect(found('tarishi_oldest_queued_seconds')[0]).toBe(
    '/docs/operate/monitoring#tarishi_oldest_queued_seconds',
  );
});

testEvery([
  ['price', '/docs/guides/preview'],
  ['billing', '/docs/operate/teams#units'],
  ['bulk', '/docs/guides/first-message#a-different-text-for-each-recipient'],
  ['rotate', '/docs/operate/secrets#changing-secrets'],
  ['webhook secret rotate', '/docs/operate/secrets#changing-secrets'],
  ['sender id', '/docs/guides/message-status#see-what-you-can-use'],
  ['unsubscribe', '/docs/guides/opt-outs'],
  ['opt out', '/docs/guides/opt-outs'],
  ['retry', '/docs/guides/idempotency'],
  ['webhook secret', '/docs/guides/receipts#verify'],
  ['schedule', '/docs/guides/send-later'],
  ['reply', '/docs/guides/receive-replies'],
])('words that the pages do not use lead to what people look for: %s: %s', (query, path) => {
  expect(found(query)[0]).toBe(path);
});

testEvery(['retry', 'retries', 'retry after'])('%s: guides come before clients and errors', (query) => {
  expect(found(query).slice(0, 5)).toEqual(Array(5).fill(expect.stringMatching(/^\/docs\/guides\//)));
});

test('nonsense finds nothing', () => {
  expect(found('qqqqqqqqqqqq')).toEqual([]);
});
