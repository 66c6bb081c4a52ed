/** Wireshark's decoder on what we send: a capture of the parts of long texts, in each concatenation. */
import { expect } from '@jest/globals';
import { type PartForm, partsOf } from '../sending/parts.ts';
import { shortMessage } from '../testing.ts';
import { encodePdu } from '../wire/pdu.ts';
import { dissect, withTshark } from './tshark-testing.ts';

const test = withTshark;

test.each<[PartForm['concatenation'], string]>([
  ['udh8', 'a'.repeat(320)],
  ['udh16', `${'я'.repeat(66)}😀${'я'.repeat(66)}`],
  ['sar', '€'.repeat(160)],
])('%s: every part is well formed and says which one it is', (concatenation, text) => {
  const parts = partsOf(text, 0x1234, { concatenation, defaultAlphabet: 'gsm7' });
  const pdus = parts.map((part, index) => encodePdu({ ...shortMessage(part), sequence: index + 1 }));
  const fields = [
    'smpp.sequence_number',
    'smpp.data_coding',
    'smpp.esm.submit.features',
    'gsm_sms.udh.mm.msg_parts',
    'gsm_sms.udh.mm.msg_part',
    'smpp.sar_total_segments',
    'smpp.sar_segment_seqnum',
    '_ws.malformed',
  ];
  const decoded = dissect(pdus, fields);
  const header = concatenation === 'sar' ? ['', ''] : ['3'];
  expect(parts).toHaveLength(3);
  expect(decoded).toHaveLength(3);
  decoded.forEach((row, index) => {
    expect(row[0]).toBe(String(index + 1));
    expect(Number(row[1])).toBe(parts[index]?.dataCoding);
    expect(row.slice(3, 5)).toEqual(concatenation === 'sar' ? header : ['3', String(index + 1)]);
    expect(row.slice(5, 7)).toEqual(concatenation === 'sar' ? ['3', String(index + 1)] : ['', '']);
    expect(row[7]).toBe('');
  });
});
