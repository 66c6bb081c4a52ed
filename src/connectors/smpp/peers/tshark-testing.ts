/** Wireshark's decoder on PDUs, for tests; they are skipped where it is not installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { withPeer } from './installed-testing.ts';

export const withTshark = withPeer('tshark', 'tshark', ['--version']);

/** The values of the fields in each packet, as tshark prints them. */
export function dissect(pdus: readonly Buffer[], fields: readonly string[]): string[][] {
  return printed(pdus, ['-T', 'fields', '-E', 'separator=;', ...fields.flatMap((field) => ['-e', field])])
    .trimEnd()
    .split('\n')
    .map((line) => line.split(';'));
}

/** What tshark prints of them. */
export function printed(pdus: readonly Buffer[], how: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-capture-'));
  try {
    const file = join(directory, 'parts.pcap');
    writeFileSync(file, capture(pdus));
    const args = ['-r', file, '-d', 'tcp.port==2775,smpp', ...how];
    const { stdout, status, stderr } = spawnSync('tshark', args, { encoding: 'utf8' });
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    return stdout;
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
