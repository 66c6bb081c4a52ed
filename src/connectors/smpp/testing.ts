/** PDUs for tests of SMPP: one to vary, and any. */
import fc from 'fast-check';
import type { Bodies, ShortMessage } from './wire/bodies.ts';
import { type Command, commandIds } from './wire/commands.ts';
import type { Pdu, PduOf } from './wire/pdu.ts';

/** A submit_sm with these fields. */
export function shortMessage(fields: Partial<ShortMessage> = {}): PduOf<'submit_sm'> {
  return {
    command: 'submit_sm',
    status: 0,
    sequence: 1,
    serviceType: '',
    source: { ton: 5, npi: 0, number: 'TARISHI' },
    destination: { ton: 1, npi: 1, number: '254711000000' },
    esmClass: 0,
    protocolId: 0,
    priority: 0,
    scheduledAt: '',
    validityPeriod: '',
    registeredDelivery: 1,
    replaceIfPresent: 0,
    dataCoding: 0,
    defaultMessageId: 0,
    text: Buffer.from('Habari'),
    tlvs: [],
    ...fields,
  };
}

const octet = fc.nat(255);
const ascii = (maxLength: number) => fc.string({ unit: 'grapheme-ascii', maxLength });
const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((value) => Buffer.from(value));
const address = (maxLength: number) => fc.record({ ton: octet, npi: octet, number: ascii(maxLength) });
const tlvs = fc.array(fc.record({ tag: fc.nat(0xffff), value: octets(40) }), { maxLength: 4 });

const empty = fc.constant({});
const bind = fc.record({
  systemId: ascii(15),
  password: ascii(8),
  systemType: ascii(12),
  interfaceVersion: octet,
  addressRange: address(40),
});
const bindResponse = fc.record({ systemId: ascii(15), tlvs });
const messageResponse = fc.record({ messageId: ascii(64), tlvs });
const anyShortMessage = fc.record({
  serviceType: ascii(5),
  source: address(20),
  destination: address(20),
  esmClass: octet,
  protocolId: octet,
  priority: octet,
  scheduledAt: ascii(16),
  validityPeriod: ascii(16),
  registeredDelivery: octet,
  replaceIfPresent: octet,
  dataCoding: octet,
  defaultMessageId: octet,
  text: octets(254),
  tlvs,
});
const dataMessage = fc.record({
  serviceType: ascii(5),
  source: address(64),
  destination: address(64),
  esmClass: octet,
  registeredDelivery: octet,
  dataCoding: octet,
  tlvs,
});

const anyBody: { [C in Command]: fc.Arbitrary<Bodies[C]> } = {
  generic_nack: empty,
  bind_receiver: bind,
  bind_receiver_resp: bindResponse,
  bind_transmitter: bind,
  bind_transmitter_resp: bindResponse,
  submit_sm: anyShortMessage,
  submit_sm_resp: messageResponse,
  deliver_sm: anyShortMessage,
  deliver_sm_resp: messageResponse,
  unbind: empty,
  unbind_resp: empty,
  bind_transceiver: bind,
  bind_transceiver_resp: bindResponse,
  enquire_link: empty,
  enquire_link_resp: empty,
  data_sm: dataMessage,
  data_sm_resp: messageResponse,
};

export const anyPdu: fc.Arbitrary<Pdu> = fc
  .constantFrom(...(Object.keys(commandIds) as Command[]))
  .chain((command) =>
    fc
      .record({
        status: fc.nat(0xffff_ffff),
        sequence: fc.integer({ min: 1, max: 0x7fff_ffff }),
        body: anyBody[command],
      })
      .map(({ body, ...header }) => ({ command, ...header, ...body }) as Pdu),
  );
