/** Values that each format accepts and rejects. */
import { expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { formats } from './parameters.ts';
import type { ParamFormat } from './template.ts';

const samples: Record<ParamFormat, { accepted: string[]; refused: string[] }> = {
  PlainText: { accepted: ['KES 1,500.00 <b>', 'a’b', '😀', '\u00a0', "'; --"], refused: [] },
  Alphanumeric: {
    accepted: ['A1', 'Ñandú7', 'n\u0303andu\u0301', 'Ωμέγα', '中文', '٣', '०'],
    refused: ['', 'a b', 'a_b', 'a-b', '½', '😀', '.', 'a\n'],
  },
  Numeric: {
    accepted: ['0', '0042'],
    refused: ['', '-1', '1.0', '1e3', '٣', '\uff11', ' 1', '1 000', '1\n'],
  },
  Name: {
    accepted: ["Ng'ang'a O’Brien-Smith Jr.", 'José', 'Jose\u0301', 'आशा', 'Ayşe'],
    refused: ['', 'R2', 'a_b', 'a,b', 'a\u00a0b', '<b>', 'a\tb'],
  },
};

testEvery(Object.keys(samples) as ParamFormat[])('%s', (format) => {
  const { accepted, refused } = samples[format];
  const accepts = (value: string) => formats[format]?.accepts.test(value.normalize('NFC')) ?? true;
  expect(accepted.filter(accepts)).toEqual(accepted);
  expect(refused.filter(accepts)).toEqual([]);
});
