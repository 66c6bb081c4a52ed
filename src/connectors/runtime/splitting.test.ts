/** A text is counted as the connector of its channel submits it. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { connectorSettings } from '../../../generated/connector-settings.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { partsOf } from '../smpp/sending/parts.ts';
import { createSplitting } from './splitting.ts';

const seed = Number(process.env.SEED);

const smpp = (settings: object) =>
  createSplitting([
    { name: 'smsc', kind: 'smpp', settings: { host: 'localhost', systemId: 'x', ...settings } },
  ]);

testEvery([
  ['a header of 8 bits', {}, 'a'.repeat(306), 'GSM-7', 2],
  ['a header of 16 bits', { concatenation: 'udh16' }, 'a'.repeat(306), 'GSM-7', 3],
  ['the network splits', { concatenation: 'messagePayload' }, 'a'.repeat(306), 'GSM-7', 1],
  ['an alphabet without Greek', { defaultAlphabet: 'latin1' }, 'Δ'.repeat(71), 'UCS-2', 2],
])('%s', (_rule, settings, text, encoding, parts) => {
  expect(smpp(settings)('smsc', text)).toEqual({ encoding, parts });
});

testEvery([
  ['a simulator', [{ name: 'smsc', kind: 'simulator', settings: {} }]],
  ['faulty settings', [{ name: 'smsc', kind: 'smpp', settings: { concatenation: 'udh16' } }]],
  ['an unknown kind', [{ name: 'smsc', kind: 'none', settings: {} }]],
  ['no connector', []],
])('as most networks do: %s', (_rule, stored) => {
  expect(createSplitting(stored)('smsc', 'a'.repeat(306))).toEqual({ encoding: 'GSM-7', parts: 2 });
});

test(`as many parts as are planned for submission (SEED=${seed})`, () => {
  const text = fc
    .array(fc.tuple(fc.constantFrom('a', '€', 'Δ', 'ç', 'я', '😀'), fc.integer({ min: 1, max: 200 })), {
      minLength: 1,
      maxLength: 4,
    })
    .map((runs) => runs.map(([character, times]) => character.repeat(times)).join(''));
  const { properties } = connectorSettings.smpp;
  const agrees = fc.property(
    text,
    fc.constantFrom(...properties.concatenation.enum),
    fc.constantFrom(...properties.defaultAlphabet.enum),
    (content, concatenation, defaultAlphabet) => {
      const form = { concatenation, defaultAlphabet };
      expect(smpp(form)('smsc', content).parts).toBe(partsOf(content, 7, form).length);
    },
  );
  fc.assert(agrees, { numRuns: 300, seed });
});
