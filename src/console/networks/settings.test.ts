/** Forms for the settings of connectors, and the guides, have what the document says of them. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { managementOperations } from '../../contract/management.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { Refused } from '../api/refused.ts';
import { faultsOf, fieldsOf, filledForm, valuesIn } from '../forms/form.ts';
import { createTimes } from '../layout/times.ts';
import { begunConnector, fieldsOfKind } from './settings.ts';

const create = managementOperations().find(({ id }) => id === 'createConnector');
const page = { reader: { id: 'amina', role: 'owner' }, times: createTimes('UTC') } as never;
const written = (create?.inputs.find(({ name }) => name === 'settings')?.schema.anyOf ?? []).filter(
  (one) => one['x-kind'] !== undefined,
);
const schemas = written.map((schema): [string | undefined, typeof schema] => [schema['x-kind'], schema]);

const guideOf = (kind = '') => new URL(`../../../docs/networks/${kind}.md`, import.meta.url);

testEvery(schemas.filter(([kind]) => existsSync(guideOf(kind))))(
  '%s: the guide has a row for each setting, with its default and its sentence',
  async (kind, schema) => {
    const guide = await readFile(guideOf(kind), 'utf8');
    const missing = Object.entries(schema.properties ?? {})
      .map(([name, { default: fallback, description = '' }]) => {
        const otherwise = schema.required?.includes(name)
          ? 'required'
          : fallback === undefined || fallback === '' || typeof fallback === 'object'
            ? 'none'
            : `\`${String(fallback)}\``;
        return `| \`${name}\` | ${otherwise} | ${description.replaceAll('|', '\\|')} |`;
      })
      .filter((row) => !guide.includes(row));
    expect(missing).toEqual([]);
  },
);

const stored = {
  bundles: {
    baseUrl: 'https://provider.example',
    products: { '500MB': { code: 'D500' }, '1GB': { value: 1, unit: 'GB', validity: 'P30D' } },
    names: { request: { msisdn: 'subscriber.number' }, response: { status: 'state' } },
    constants: { 'source.system': 'tarishi' },
    statuses: { COMPLETED: 'SUCCESSFUL' },
  },
  'http-sms': {
    preset: 'twilio',
    username: 'AC1',
    callbackUrl: 'https://tarishi.example/inbound/tw',
    codes: { '30001': 'again' },
  },
  smpp: {
    host: 'smsc.example',
    port: 2776,
    systemId: 'tarishi',
    tls: true,
    errorStates: { '003': 'Failed' },
  },
  whatsapp: { tries: 3 },
};

testEvery(Object.entries(stored))('%s: a form gives back what is stored, and no secret', (kind, settings) => {
  const item = { kind, settings, secretNames: ['token', 'password'] };
  const all = fieldsOf(create as never, page);
  const fields = fieldsOfKind(all, kind, page, item);
  const form = filledForm(fields, { ...item, secrets: { token: 'canary', password: 'canary' } });
  expect(form.toString()).not.toContain('canary');
  expect(valuesIn(fields, form)).toEqual({ kind, settings });
});

testEvery([
  ['africastalking', ['kind', 'settings.preset', 'settings.username', 'secrets.apiKey']],
  ['twilio', ['kind', 'settings.preset', 'settings.username', 'secrets.apiKey']],
  ['infobip', ['kind', 'settings.preset', 'settings.baseUrl', 'secrets.apiKey']],
])('%s: only what the preset leaves open is asked for', (preset, required) => {
  const begun = begunConnector(new URLSearchParams({ 'settings.preset': preset }));
  const fields = fieldsOfKind(fieldsOf(create as never, page), 'http-sms', page, begun);
  const asked = fields.filter(({ isMore, input }) => !isMore && input.name !== 'name');
  expect(asked.find(({ input }) => input.name === 'settings.callbackUrl')?.input.required).toBe(
    preset === 'twilio',
  );
  expect(asked.map(({ input }) => input.name).sort()).toEqual(
    [...required, 'secrets.callbackSecret', 'settings.callbackUrl'].sort(),
  );
});

test('what a connector says of its settings is at their fields, and whole where any of it has no field', () => {
  const fields = fieldsOfKind(fieldsOf(create as never, page), 'smpp', page);
  const port = 'setting "port" must be at most 65535';
  const shown = (desc: string) =>
    faultsOf(new Refused(409, { slug: 'management-conflict', desc, retryAfter: undefined }), fields);
  expect(shown(`${port}; setting "host" is required`)).toEqual([
    { name: 'settings.port', sentence: 'Port: at most 65535.' },
    { name: 'settings.host', sentence: 'Host: required.' },
  ]);
  const unknown = 'unknown setting "prot"; did you mean "port"?';
  expect(shown(`${port}; ${unknown}`)).toEqual([
    { name: undefined, sentence: `Setting "port" must be at most 65535; ${unknown}` },
  ]);
});
