/** Encodes and decodes PDUs (SMPP 3.4 section 3.2). */
import { type Bodies, type Body, bodies } from './bodies.ts';
import { type Command, commandIds, commandNames } from './commands.ts';
import { PduFault } from './fault.ts';
import { maxPduOctets, readInteger, writeInteger, written } from './octets.ts';

export interface Header<C> {
  command: C;
  status: number;
  /** 1 to 0x7FFFFFFF; 0 only in a generic_nack to what could not be read. */
  sequence: number;
}

export type PduOf<C extends Command> = Header<C> & Bodies[C];
export type Pdu = { [C in Command]: PduOf<C> }[Command];
/** A whole PDU with an unknown command: it gets a response, and the connection stays open. */
export type UnknownPdu = Header<'unknown'> & { commandId: number };

/** What every PDU begins with, after its length. */
export interface PduHeader {
  commandId: number;
  status: number;
  sequence: number;
}

const headerOctets = 16;

/** Throws a PduFault when a value does not fit its field. */
export function encodePdu(pdu: Pdu): Buffer {
  return encodeCommand(pdu.command, pdu.status, pdu.sequence, pdu);
}

/** The same from the header's values and the fields of the body. */
export function encodeCommand<C extends Command>(
  command: C,
  status: number,
  sequence: number,
  fields: Bodies[C],
): Buffer {
  const body: Body<Bodies[C]> = bodies[command];
  const octets = written((cursor) => {
    writeInteger(cursor, 4, 0);
    writeInteger(cursor, 4, commandIds[command]);
    writeInteger(cursor, 4, status);
    writeInteger(cursor, 4, sequence);
    body.write(cursor, fields);
  });
  octets.writeUInt32BE(octets.length, 0);
  return octets;
}

/** Of a whole PDU, as the framer cuts it. */
export function readHeader(octets: Buffer): PduHeader {
  return {
    commandId: octets.readUInt32BE(4),
    status: octets.readUInt32BE(8),
    sequence: octets.readUInt32BE(12),
  };
}

/** Reads one whole PDU, as the framer cuts it. Throws a PduFault for anything that is not as the tables say. */
export function decodePdu(octets: Buffer): Pdu | UnknownPdu {
  const cursor = { octets, at: 0 };
  const length = readInteger(cursor, 4);
  if (length !== octets.length) throw new PduFault(`a PDU of ${octets.length} octets that says ${length}`);
  const { commandId, status, sequence } = readHeader(octets);
  cursor.at = headerOctets;
  const command = commandNames.get(commandId);
  if (command === undefined) return { command: 'unknown', commandId, status, sequence };
  const pdu: Bodies[Command] & Partial<Header<Command>> = bodies[command].read(cursor);
  pdu.command = command;
  pdu.status = status;
  pdu.sequence = sequence;
  return pdu as Pdu;
}

/**
 * Cuts a stream into PDUs. The returned function takes chunks as they arrive, calls `onPdu` with the octets of each
 * whole PDU, and throws a PduFault at an impossible length: the rest of the stream cannot be read.
 */
export function createFramer(onPdu: (octets: Buffer) => void): (chunk: Buffer) => void {
  let waiting: Buffer[] = [];
  let waitingOctets = 0;
  let neededOctets = 4;
  return (chunk) => {
    waiting.push(chunk);
    waitingOctets += chunk.length;
    // Joined only when a whole PDU may be there: a peer that sends octet by octet must not cost us copies.
    if (waitingOctets < neededOctets) return;
    const stream = waiting.length === 1 ? chunk : Buffer.concat(waiting, waitingOctets);
    let at = 0;
    neededOctets = 4;
    while (stream.length - at >= 4) {
      const length = stream.readUInt32BE(at);
      if (length < headerOctets || length > maxPduOctets)
        throw new PduFault(`a PDU cannot have ${length} octets`);
      if (stream.length - at < length) {
        neededOctets = length;
        break;
      }
      onPdu(stream.subarray(at, at + length));
      at += length;
    }
    waiting = at === stream.length ? [] : [stream.subarray(at)];
    waitingOctets = stream.length - at;
  };
}
