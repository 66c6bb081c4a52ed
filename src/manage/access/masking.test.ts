/** Which roles see phone numbers, and what of a response is a phone number. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { maskedBody, withMaskedPhones } from './masking.ts';

testEvery([
  ['+254711790002', '+254 7•• ••• •02'],
  ['a refund for 0711790002, please', 'a refund for 0711••••02, please'],
  ['+254 711-790 002 twice', '+254 7•• ••• •02 twice'],
  ['https://client.example:8443/for?n=%2B254711790002', 'https://client.example:8443/for?n=+254 7•• ••• •02'],
  ['{"phone":"+254711790002","sequence":1}', '{"phone":"+254 7•• ••• •02","sequence":1}'],
  [
    '0711 790 002, (0711) 790002, 0711-790-002 and 0711.790.002',
    '0711••••02, (0711••••02, 0711••••02 and 0711••••02',
  ],
  ['tel:%280711%29%20790%20002', 'tel:%2807••••••02'],
  ['+254 (711) 790.002', '+254 7•• ••• •02'],
  ['at 2026-11-23 04:58:03 in order 4712', undefined],
  ['2026-11-23T04:58:03.104Z, 20261123, order-4712', undefined],
  ['e0e18cd4-4dff-4026-8e2a-954711790002', undefined],
])('%s', (text, masked = text) => {
  expect(withMaskedPhones(text)).toBe(masked);
});

const message = {
  phone: '+254711790002',
  phoneNumberId: '106540352242922',
  correlator: 'for 0711790002',
  timeline: [{ event: 'Reported', reason: 'no +254711790002', reasonCode: '254711790002' }],
  consent: 'called 0711-790-002',
  problems: ['0711 790 002'],
};

test.each(['owner', 'admin'] as const)('%s sees numbers whole', (role) => {
  expect(maskedBody({ role }, message)).toBe(message);
});

test.each([
  ['KE.13491208655302741918', 'KE.••••18'],
  ['to US.ENT.11815799212886844830.', 'to US.ENT.••••30.'],
])('a user id is hidden too: %s', (phone, masked) => {
  expect(maskedBody({ role: 'viewer' }, { phone })).toEqual({ phone: masked });
});

test.each(['reviewer', 'viewer'] as const)('%s sees no number, wherever it stands', (role) => {
  expect(maskedBody({ role }, { items: [message] })).toEqual({
    items: [
      {
        phone: '+254 7•• ••• •02',
        phoneNumberId: '106540352242922',
        correlator: 'for 0711••••02',
        timeline: [{ event: 'Reported', reason: 'no +254 7•• ••• •02', reasonCode: '2547••••••02' }],
        consent: 'called 0711••••02',
        problems: ['0711••••02'],
      },
    ],
  });
});

testEvery([
  [
    'https://svc-123456789012.example:8443/for/254711790002?n=0711790002',
    'https://svc-123456789012.example:8443/for/2547••••••02?n=0711••••02',
  ],
  ['https://254711790002@client.example/', 'https://2547••••••02@client.example/'],
  ['https://client.example\\254711790002', 'https://client.example\\2547••••••02'],
])('the origin of a callback URL stays, for it names the endpoint: %s', (callbackUrl, masked) => {
  expect(maskedBody({ role: 'viewer' }, { callbackUrl, inboundCallbackUrl: callbackUrl })).toEqual({
    callbackUrl: masked,
    inboundCallbackUrl: masked,
  });
});

test('a long text takes linear time', () => {
  expect(withMaskedPhones('+1 '.repeat(50_000))).toHaveLength(150_000);
  expect(withMaskedPhones('1'.repeat(100_000))).toHaveLength(100_000);
  const callbackUrl = `https://${'a'.repeat(100_000)}@`;
  expect(maskedBody({ role: 'viewer' }, { callbackUrl })).toEqual({ callbackUrl });
});
