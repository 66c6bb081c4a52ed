/** That settings and secrets are judged by what their kind declares, in words an operator understands. */
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { testEvery } from '../../platform/for-every-testing.ts';
import { connectorKinds } from './kinds.ts';
import { checkSecretNames, checkSettings } from './settings.ts';

const kind = {
  documented: {
    properties: {
      host: { type: 'string', minLength: 1 },
      port: { type: 'integer', minimum: 1, maximum: 65_535, default: 2775 },
      bindMode: { enum: ['transceiver', 'pair'], default: 'transceiver' },
      tls: { type: 'boolean', default: false },
      names: { type: 'object', additionalProperties: false, properties: { reference: { type: 'string' } } },
    },
    required: ['host'],
    secrets: [{ name: 'password', required: false }],
  },
  open: () => ({ send: async () => [] }),
};

describe('settings', () => {
  test('are completed by defaults, and numbers written as text are numbers', () => {
    expect(checkSettings(kind, { host: 'smsc', port: '9000', tls: 'true' })).toEqual({
      host: 'smsc',
      port: 9000,
      bindMode: 'transceiver',
      tls: true,
    });
  });

  testEvery([
    [{}, 'setting "host" is required'],
    [{ host: '' }, 'setting "host" must NOT have fewer than 1 characters'],
    [{ host: 'a', port: 70_000 }, 'setting "port" must be at most 65535'],
    [{ host: 'a', port: 'x' }, 'setting "port" must be integer'],
    [{ host: 'a', bindMode: 'x' }, 'setting "bindMode" must be one of transceiver, pair'],
    [{ host: 'a', hots: 1 }, 'unknown setting "hots"; there are host, port, bindMode, tls, names'],
    [{ host: 'a', names: { x: 1 } }, 'unknown setting "names.x"; there are reference'],
    [{ port: 0 }, 'setting "host" is required; setting "port" must be at least 1'],
  ])('%j: %s', (settings, sentence) => {
    expect(() => checkSettings(kind, settings)).toThrow(new Error(sentence));
  });
});

test('a secret that the kind does not know is refused', () => {
  expect(() => checkSecretNames(kind, ['password'])).not.toThrow();
  expect(() => checkSecretNames(kind, ['pasword'])).toThrow('unknown secret "pasword"; there are password');
});

testEvery(Object.entries(connectorKinds))('the schema of %s is valid', (_name, { documented }) => {
  const ajv = new Ajv2020();
  expect([ajv.validateSchema({ properties: documented.properties }), ajv.errors]).toEqual([true, null]);
});
