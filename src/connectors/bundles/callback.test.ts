/** Callbacks of a bundle provider: only the provider's own, and what each status reports. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { bundlesKind } from './bundles.ts';
import { bundlesInbound } from './callback.ts';

const settings = checkSettings(bundlesKind, { baseUrl: 'https://provider.example' });
const nowMs = Date.parse('2026-03-01T12:00:00Z');
const seconds = nowMs / 1000;
const callback = (status: string, more: object = {}) => ({
  transactionId: 'T1',
  externalReference: 'tarishi-17',
  status,
  occurredAt: '2026-03-01T11:59:30Z',
  ...more,
});
const body = Buffer.from(JSON.stringify(callback('SUCCESSFUL')));
const signed = (timestamp: string, over = body, secret = 'callback-secret') => ({
  'x-timestamp': timestamp,
  'x-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(over).digest('hex')}`,
});
const verify = (headers: object, secrets: Record<string, string> = { callbackSecret: 'callback-secret' }) =>
  bundlesInbound.verify({ headers: { ...headers }, body }, settings, secrets, nowMs);

describe('a signature', () => {
  testEvery([
    ['in seconds', String(seconds)],
    ['in milliseconds', String(nowMs)],
    ['in words', '2026-03-01T12:00:00Z'],
    ['almost too old', String(seconds - 300)],
    ['almost too new', String(seconds + 300)],
  ])('with a timestamp %s is the provider’s', (_name, timestamp) => {
    expect(verify(signed(timestamp))).toBe(true);
  });

  testEvery<[string, object]>([
    ['with a timestamp that is too old', signed(String(seconds - 301))],
    ['with a timestamp that is too new', signed(String(seconds + 301))],
    ['with an invalid timestamp', signed('yesterday')],
    [
      'with another timestamp than was signed',
      { ...signed(String(seconds)), 'x-timestamp': String(seconds + 1) },
    ],
    ['of another body', signed(String(seconds), Buffer.from(`${body} `))],
    ['of another secret', signed(String(seconds), body, 'other')],
    ['that is cut short', { ...signed(String(seconds)), 'x-signature': 'sha256=00' }],
    ['that is missing', { 'x-timestamp': String(seconds) }],
    ['without a timestamp', { 'x-signature': signed(String(seconds))['x-signature'] }],
  ])('%s is forged', (_name, headers) => {
    expect(verify(headers)).toBe(false);
  });

  test('nothing is the provider’s without a secret', () => {
    expect(verify(signed(String(seconds)), {})).toBe(false);
  });
});

describe('a status', () => {
  const read = (document: unknown) =>
    bundlesInbound.read(Buffer.from(JSON.stringify(document)), settings).reports;
  const ids = { messageId: '17', networkId: 'T1', occurredAt: new Date('2026-03-01T11:59:30Z') };

  test('SUCCESSFUL reports a delivery', () => {
    expect(read(callback('SUCCESSFUL'))).toEqual([{ ...ids, state: 'Delivered' }]);
  });
  testEvery(['FAILED', 'REJECTED', 'EXPIRED'])('%s reports a rejection that is refunded', (status) => {
    const reason = { code: 'INVALID_MSISDN', message: 'no such number' };
    expect(read(callback(status, { reason }))).toEqual([
      {
        ...ids,
        state: 'InvalidMsisdn',
        reason: 'no such number',
        reasonCode: 'INVALID_MSISDN',
        refund: 'refused',
      },
    ]);
  });
  testEvery([
    ['FAILED', 'INSUFFICIENT_FLOAT', 'The provider says INSUFFICIENT_FLOAT'],
    ['FAILED', 'INVALID_MSISDN', undefined],
    ['SUCCESSFUL', 'INSUFFICIENT_FLOAT', undefined],
  ])('%s with %s pauses the connector: %s', (status, code, pause) => {
    const body = Buffer.from(JSON.stringify(callback(status, { reason: { code } })));
    expect(bundlesInbound.read(body, settings).pause).toBe(pause);
  });
  test('REVERSED reports that the bundle was reversed', () => {
    expect(read(callback('REVERSED'))).toMatchObject([{ state: 'Failed', refund: 'reversed' }]);
  });
  testEvery<[string, unknown]>([
    ['PENDING', callback('PENDING')],
    ['SUBMITTED', callback('SUBMITTED')],
    ['an unknown word', callback('MAYBE')],
    ['a reference of somebody else', callback('SUCCESSFUL', { externalReference: 'other-17' })],
    ['no reference', callback('SUCCESSFUL', { externalReference: undefined })],
    ['not an object', 'SUCCESSFUL'],
  ])('%s: nothing', (_name, document) => {
    expect(read(document)).toEqual([]);
  });
});
