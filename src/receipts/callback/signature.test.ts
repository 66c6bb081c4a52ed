/** Others can verify our signatures: with the scheme's own library, and by a vector computed elsewhere. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { signingKeyOf, signReceipt } from './signature.ts';

const seed = Number(process.env.SEED);
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const newSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const foreignSecret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const timestampSeconds = Math.floor(Date.now() / 1000);
const receipt = {
  id: '6f9a',
  timestampSeconds,
  body: '{"correlator":"Ürün 😀"}',
  keys: [signingKeyOf(secret)],
};

describe('the headers', () => {
  test('are those of the scheme, and ours', () => {
    // printf 'msg_1.1700000000.{"a":1}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:<32 × 01> -binary | base64
    expect(
      signReceipt({
        id: 'msg_1',
        timestampSeconds: 1_700_000_000,
        body: '{"a":1}',
        keys: [signingKeyOf(secret)],
      }),
    ).toStrictEqual({
      'content-type': 'application/json',
      'user-agent': 'tarishi',
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': 'v1,3tN+SMwreJINGaFSPFdhMpE4XGSVaCkC9ee+KquMGGQ=',
    });
  });

  test('an empty secret signs nothing', () => {
    expect(() => signingKeyOf('whsec_')).toThrow('A signing secret is empty.');
  });
});

describe('a receiver', () => {
  const verify = (key: string, headers: Record<string, string>, body: string) =>
    new Webhook(key).verify(body, headers);

  test('verifies with either secret while they rotate', () => {
    const headers = signReceipt({ ...receipt, keys: [newSecret, secret].map(signingKeyOf) });
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    expect(verify(secret, headers, receipt.body)).toStrictEqual({ correlator: 'Ürün 😀' });
    expect(verify(newSecret, headers, receipt.body)).toStrictEqual({ correlator: 'Ürün 😀' });
  });

  test('verifies any id, body and key', () => {
    const key = fc.uint8Array({ minLength: 24, maxLength: 64 });
    fc.assert(
      fc.property(key, fc.uuid(), fc.json(), (bytes, id, body) => {
        const any = `whsec_${Buffer.from(bytes).toString('base64')}`;
        const headers = signReceipt({
          id,
          timestampSeconds,
          body,
          keys: [foreignSecret, any].map(signingKeyOf),
        });
        expect(verify(any, headers, body)).toStrictEqual(JSON.parse(body));
      }),
      { seed },
    );
  });
});
