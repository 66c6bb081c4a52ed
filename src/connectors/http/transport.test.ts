/** Secrets leave this machine unencrypted only if an operator allowed it, and never silently. */
import { describe, expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { connectorKinds } from '../runtime/kinds.ts';
import { checkSettings } from '../runtime/settings.ts';

const warningOf = (kind: 'bundles' | 'http-sms' | 'whatsapp' | 'smpp', settings: object) =>
  connectorKinds[kind].warning?.(checkSettings(connectorKinds[kind], { ...settings }));

describe.each(['bundles', 'http-sms', 'whatsapp'] as const)('%s', (kind) => {
  testEvery([
    'https://provider.example',
    'http://127.0.0.1:4000/api',
    'http://[::1]:4000',
    'http://localhost',
  ])('%s is fine', (baseUrl) => {
    expect(warningOf(kind, { baseUrl })).toBeUndefined();
  });

  testEvery(['http://provider.example', 'http://10.0.0.5', 'http://localhost.example'])(
    '%s is rejected unless plain http is allowed, and then causes a warning',
    (baseUrl) => {
      expect(() => checkSettings(connectorKinds[kind], { baseUrl })).toThrow(
        'setting "baseUrl" must be an https URL',
      );
      expect(warningOf(kind, { baseUrl, allowPlainHttp: true })).toContain('unencrypted');
    },
  );
});

describe('smpp without TLS', () => {
  testEvery(['127.0.0.1', 'localhost', '10.1.2.3', '192.168.1.1', '100.64.0.1', '::1', 'fd00::1'])(
    'to %s is fine',
    (host) => {
      expect(warningOf('smpp', { host, systemId: 'tarishi' })).toBeUndefined();
    },
  );
  testEvery(['smsc.example', '8.8.8.8', '2a00::1'])('to %s causes a warning', (host) => {
    expect(warningOf('smpp', { host, systemId: 'tarishi' })).toContain('unencrypted');
    expect(warningOf('smpp', { host, systemId: 'tarishi', tls: true })).toBeUndefined();
  });
});
