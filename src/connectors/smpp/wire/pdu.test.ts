/** PDUs as octets: the tables of SMPP 3.4, their limits, and streams cut at any place. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../../../platform/for-every-testing.ts';
import { anyPdu, shortMessage } from '../testing.ts';
import { type Command, commandIds } from './commands.ts';
import { createFramer, decodePdu, encodePdu, type Pdu } from './pdu.ts';

const seed = Number(process.env.SEED);
const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

describe('octets of SMPP 3.4', () => {
  test('a bind_transmitter is the example of section 3.2.5', () => {
    const pdu: Pdu = {
      command: 'bind_transmitter',
      status: 0,
      sequence: 1,
      systemId: 'SMPP3TEST',
      password: 'secret08',
      systemType: 'SUBMIT1',
      interfaceVersion: 0,
      addressRange: { ton: 1, npi: 1, number: '' },
    };
    const octets = hex(`0000002F 00000002 00000000 00000001 534D50503354455354 00 7365637265743038 00
      5355424D495431 00 00 01 01 00`);
    expect(encodePdu(pdu)).toEqual(octets);
    expect(decodePdu(octets)).toEqual(pdu);
  });

  test('every command is decoded as it was encoded', () => {
    const seen = new Set<Command>();
    const sameAgain = fc.property(anyPdu, (pdu) => {
      seen.add(pdu.command);
      expect(decodePdu(encodePdu(pdu))).toEqual(pdu);
    });
    fc.assert(sameAgain, { numRuns: 1_000, seed });
    expect([...seen].sort()).toEqual(Object.keys(commandIds).sort());
  });

  testEvery([
    ['a response with an error may lack its body', '00000010 80000004 00000058 00000007', { messageId: '' }],
    ['a bind response too', '00000010 80000009 0000000E 00000007', { systemId: '' }],
    ['an unknown command is kept', '00000010 00000777 00000000 00000007', { command: 'unknown' }],
  ])('%s', (_rule, octets, fields) => {
    expect(decodePdu(hex(octets))).toMatchObject({ sequence: 7, ...fields });
  });
});

describe('faults of received PDUs', () => {
  testEvery([
    ['a string without its end', '00000013 80000009 00000000 00000001 616263'],
    ['a system_id of 16 characters', `00000021 80000009 00000000 00000001 ${'61'.repeat(16)}00`],
    ['a parameter that ends inside its tag', '00000013 80000009 00000000 00000001 00 0427'],
    ['a parameter longer than the PDU', '00000016 80000009 00000000 00000001 00 0427 0005 02'],
    ['a text longer than the PDU', `00000024 00000005 00000000 00000001 ${'00'.repeat(16)} C8 616263`],
    ['a bind that ends inside a number', '00000013 00000009 00000000 00000001 000000'],
    ['a length that is not the PDU’s', '00000020 00000015 00000000 00000001'],
  ])('%s', (_rule, octets) => {
    expect(() => decodePdu(hex(octets))).toThrow(expect.objectContaining({ name: 'PduFault', status: 2 }));
  });

  testEvery([
    ['an id without its end', '616263', ''],
    ['an id of 256 characters', `${'61'.repeat(256)}00`, ''],
    ['an id of 255 characters', `${'61'.repeat(255)}00`, 'a'.repeat(255)],
    ['a parameter that ends inside its tag', '6100 0427', 'a'],
    ['a parameter longer than the PDU', '6100 0427 0005 02', 'a'],
  ])('a response with %s still says that the message was accepted', (_rule, body, messageId) => {
    const octets = hex(`00000000 80000004 00000000 00000001 ${body}`);
    octets.writeUInt32BE(octets.length, 0);
    expect(decodePdu(octets)).toEqual({
      command: 'submit_sm_resp',
      status: 0,
      sequence: 1,
      messageId,
      tlvs: [],
    });
  });

  test('random octets are either a PDU or a fault', () => {
    const commandId = fc.constantFrom(...Object.values(commandIds));
    const random = fc.property(commandId, fc.uint8Array({ maxLength: 200 }), (id, body) => {
      const octets = Buffer.alloc(16 + body.length);
      octets.writeUInt32BE(octets.length, 0);
      octets.writeUInt32BE(id, 4);
      octets.set(body, 16);
      try {
        expect(decodePdu(octets)).toHaveProperty('command');
      } catch (error) {
        expect(error).toMatchObject({ name: 'PduFault' });
      }
    });
    fc.assert(random, { numRuns: 2_000, seed });
  });
});

const long = (length: number) => 'a'.repeat(length);
testEvery([
  ['a source address', { source: { ton: 5, npi: 0, number: long(21) } }, 'source_addr is longer than 20'],
  ['a service type', { serviceType: long(6) }, 'service_type is longer than 5'],
  ['a text', { text: Buffer.alloc(255) }, 'short_message is longer than 254 octets'],
  ['a NUL in a string', { serviceType: 'a\0' }, 'a character that SMPP cannot carry'],
  ['a letter beyond Latin-1', { serviceType: 'я' }, 'a character that SMPP cannot carry'],
  ['a PDU', { tlvs: [{ tag: 0x424, value: Buffer.alloc(65_500) }] }, 'a PDU is longer than 65536 octets'],
])('a sent PDU has a limit: %s', (_rule, fields, fault) => {
  expect(() => encodePdu(shortMessage(fields))).toThrow(fault);
});

describe('a stream', () => {
  const framed = (chunks: readonly Buffer[]) => {
    const pdus: Buffer[] = [];
    const push = createFramer((octets) => pdus.push(octets));
    for (const chunk of chunks) push(chunk);
    return pdus;
  };

  test('gives the same PDUs wherever it is cut', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 50 });
    const whole = fc.property(fc.array(anyPdu, { minLength: 1, maxLength: 8 }), cuts, (pdus, sizes) => {
      const stream = Buffer.concat(pdus.map(encodePdu));
      const chunks: Buffer[] = [];
      for (let at = 0, turn = 0; at < stream.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        chunks.push(stream.subarray(at, at + size));
        at += size;
      }
      expect(framed(chunks).map(decodePdu)).toEqual(pdus);
    });
    fc.assert(whole, { numRuns: 300, seed });
  });

  testEvery([
    ['shorter than a header', '0000000F'],
    ['of zero', '00000000'],
    ['over 64 KiB', '00010001'],
    ['that is text', Buffer.from('HTTP/1.1 400').toString('hex')],
  ])('a length %s is a fault at once', (_rule, octets) => {
    expect(() => framed([hex(octets)])).toThrow('a PDU cannot have');
  });

  test('64 KiB are allowed', () => {
    const octets = Buffer.alloc(65_536);
    octets.writeUInt32BE(octets.length, 0);
    expect(framed([octets.subarray(0, 40_000), octets.subarray(40_000)])).toEqual([octets]);
  });
});
