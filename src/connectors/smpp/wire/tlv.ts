/** Optional parameters: tag, length, value (SMPP 3.4 section 3.2.4). */
import { type Cursor, readInteger, readOctets, writeInteger, writeOctets } from './octets.ts';

export interface Tlv {
  tag: number;
  value: Buffer;
}

const none: readonly Tlv[] = [];

/** All that is left of the PDU. */
export function readTlvs(cursor: Cursor): readonly Tlv[] {
  if (cursor.at === cursor.octets.length) return none;
  const tlvs: Tlv[] = [];
  while (cursor.at < cursor.octets.length) {
    const tag = readInteger(cursor, 2);
    tlvs.push({ tag, value: readOctets(cursor, readInteger(cursor, 2)) });
  }
  return tlvs;
}

export function writeTlvs(cursor: Cursor, tlvs: readonly Tlv[]): void {
  for (const { tag, value } of tlvs) {
    writeInteger(cursor, 2, tag);
    writeInteger(cursor, 2, value.length);
    writeOctets(cursor, value);
  }
}

/** The first value of that tag. */
export function tlvOf(tlvs: readonly Tlv[], tag: number): Buffer | undefined {
  return tlvs.find((tlv) => tlv.tag === tag)?.value;
}

/** A value of one or two octets, as the tag prescribes. */
export function tlvInteger(tag: number, size: 1 | 2, value: number): Tlv {
  return { tag, value: size === 1 ? Buffer.from([value]) : Buffer.from([value >> 8, value & 0xff]) };
}
