/** Wireshark's decoder on what we send: a capture of the parts of long texts, in each concatenation. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { type Concatenation, partsOf } from '../sending/parts.ts';
import { shortMessage } from '../testing.ts';
import { encodePdu } from '../wire/pdu.ts';
import { withPeer } from './installed-testing.ts';

const test = withPeer('tshark', 'tshark', ['--version']);

test.each<[Concatenation, string]>([
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

/** The values of the fields in each packet, as tshark prints them. */
function dissect(pdus: readonly Buffer[], fields: readonly string[]): string[][] {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-capture-'));
  try {
    const file = join(directory, 'parts.pcap');
    writeFileSync(file, capture(pdus));
    const args = ['-r', file, '-d', 'tcp.port==2775,smpp', '-T', 'fields', '-E', 'separator=;'];
    const { stdout, status, stderr } = spawnSync(
      'tshark',
      [...args, ...fields.flatMap((field) => ['-e', field])],
      {
        encoding: 'utf8',
      },
    );
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(';'));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A pcap file of raw IPv4 packets (link type 101), one TCP segment for each PDU. */
function capture(pdus: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65_535, 16);
  header.writeUInt32LE(101, 20);
  let sequence = 1;
  const packets = pdus.map((pdu) => {
    const packet = Buffer.concat([Buffer.alloc(56), pdu]);
    packet.writeUInt32LE(packet.length - 16, 8);
    packet.writeUInt32LE(packet.length - 16, 12);
    packet.set([0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 6, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1], 16);
    packet.writeUInt16BE(packet.length - 16, 18);
    packet.writeUInt16BE(40_000, 36);
    packet.writeUInt16BE(2_775, 38);
    packet.writeUInt32BE(sequence, 40);
    packet.set([0x50, 0x18, 0xff, 0xff], 48);
    sequence += pdu.length;
    return packet;
  });
  return Buffer.concat([header, ...packets]);
}
