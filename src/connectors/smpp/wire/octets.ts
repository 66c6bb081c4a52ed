/** Reads and writes the field types of SMPP 3.4 section 3.1; what does not fit is a fault. */
import { PduFault } from './fault.ts';

/** Header included: what no PDU may exceed, in octets. */
export const maxPduOctets = 64 * 1024;

export interface Cursor {
  octets: Buffer;
  at: number;
}

export function readInteger(cursor: Cursor, size: 1 | 2 | 4): number {
  const { octets, at } = cursor;
  if (at + size > octets.length) throw new PduFault('a PDU ends inside a number');
  cursor.at += size;
  if (size === 1) return octets[at] ?? 0;
  return size === 2 ? octets.readUInt16BE(at) : octets.readUInt32BE(at);
}

/** A C-octet string; `max` counts its NUL, as the tables of the specification do. */
export function readString(cursor: Cursor, max: number): string {
  const { octets, at } = cursor;
  // These are short: a call into native code would cost more than the loop.
  let end = at;
  while (octets[end] !== 0) {
    if (end >= octets.length) throw new PduFault('a PDU ends inside a string');
    end += 1;
  }
  if (end - at >= max) throw new PduFault(`a string of ${end - at} octets where ${max - 1} are allowed`);
  cursor.at = end + 1;
  return end === at ? '' : octets.toString('latin1', at, end);
}

export function readOctets(cursor: Cursor, length: number): Buffer {
  const { octets, at } = cursor;
  if (at + length > octets.length) throw new PduFault('a PDU ends inside its data');
  cursor.at += length;
  return octets.subarray(at, at + length);
}

// One buffer for all: encoding is synchronous, so nobody else writes meanwhile.
const scratch: Cursor = { octets: Buffer.allocUnsafeSlow(maxPduOctets), at: 0 };

/** Runs `write` on an empty cursor and returns a copy of what it wrote. */
export function written(write: (cursor: Cursor) => void): Buffer {
  scratch.at = 0;
  write(scratch);
  const octets = Buffer.allocUnsafe(scratch.at);
  scratch.octets.copy(octets, 0, 0, scratch.at);
  return octets;
}

export function writeInteger(cursor: Cursor, size: 1 | 2 | 4, value: number): void {
  const at = reserve(cursor, size);
  if (size === 1) cursor.octets[at] = value;
  else if (size === 2) cursor.octets.writeUInt16BE(value, at);
  else cursor.octets.writeUInt32BE(value, at);
}

/** Latin-1; `max` counts the NUL. */
export function writeString(cursor: Cursor, value: string, max: number, field: string): void {
  if (value.length >= max) throw new PduFault(`${field} is longer than ${max - 1} characters`);
  const at = reserve(cursor, value.length + 1);
  const { octets } = cursor;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    if (code === 0 || code > 0xff) throw new PduFault(`${field} has a character that SMPP cannot carry`);
    octets[at + index] = code;
  }
  octets[at + value.length] = 0;
}

export function writeOctets(cursor: Cursor, value: Uint8Array): void {
  cursor.octets.set(value, reserve(cursor, value.length));
}

function reserve(cursor: Cursor, size: number): number {
  const { at, octets } = cursor;
  if (at + size > octets.length) throw new PduFault(`a PDU is longer than ${maxPduOctets} octets`);
  cursor.at += size;
  return at;
}
