/** The bodies of the commands: their fields in order, each with the size that SMPP 3.4 section 4 gives it. */
import type { Command } from './commands.ts';
import { PduFault } from './fault.ts';
import {
  type Cursor,
  readInteger,
  readOctets,
  readString,
  writeInteger,
  writeOctets,
  writeString,
} from './octets.ts';
import { readTlvs, type Tlv, writeTlvs } from './tlv.ts';

/** Type of number and numbering plan (sections 5.2.5 and 5.2.6) with the number itself. */
export interface Address {
  ton: number;
  npi: number;
  number: string;
}

/** Section 4.1.1, 4.1.3 and 4.1.5. */
export interface Bind {
  systemId: string;
  password: string;
  systemType: string;
  interfaceVersion: number;
  addressRange: Address;
}

/** Sections 4.1.2, 4.1.4 and 4.1.6. */
export interface BindResponse {
  systemId: string;
  tlvs: readonly Tlv[];
}

/** submit_sm and deliver_sm (sections 4.4.1 and 4.6.1). */
export interface ShortMessage {
  serviceType: string;
  source: Address;
  destination: Address;
  esmClass: number;
  protocolId: number;
  priority: number;
  scheduledAt: string;
  validityPeriod: string;
  registeredDelivery: number;
  replaceIfPresent: number;
  dataCoding: number;
  defaultMessageId: number;
  /** As it goes over the wire, header included; empty where message_payload has it. */
  text: Buffer;
  tlvs: readonly Tlv[];
}

/** data_sm (section 4.7.1). */
export interface DataMessage {
  serviceType: string;
  source: Address;
  destination: Address;
  esmClass: number;
  registeredDelivery: number;
  dataCoding: number;
  tlvs: readonly Tlv[];
}

/** Sections 4.4.2, 4.6.2 and 4.7.2; a response that reports an error may lack its body. */
export interface MessageResponse {
  messageId: string;
  tlvs: readonly Tlv[];
}

type Empty = Record<never, never>;

export interface Bodies {
  generic_nack: Empty;
  bind_receiver: Bind;
  bind_receiver_resp: BindResponse;
  bind_transmitter: Bind;
  bind_transmitter_resp: BindResponse;
  submit_sm: ShortMessage;
  submit_sm_resp: MessageResponse;
  deliver_sm: ShortMessage;
  deliver_sm_resp: MessageResponse;
  unbind: Empty;
  unbind_resp: Empty;
  bind_transceiver: Bind;
  bind_transceiver_resp: BindResponse;
  enquire_link: Empty;
  enquire_link_resp: Empty;
  data_sm: DataMessage;
  data_sm_resp: MessageResponse;
}

export interface Body<Fields> {
  read(cursor: Cursor): Fields;
  write(cursor: Cursor, fields: Fields): void;
}

const readAddress = (cursor: Cursor, max: number): Address => ({
  ton: readInteger(cursor, 1),
  npi: readInteger(cursor, 1),
  number: readString(cursor, max),
});

function writeAddress(cursor: Cursor, { ton, npi, number }: Address, max: number, field: string): void {
  writeInteger(cursor, 1, ton);
  writeInteger(cursor, 1, npi);
  writeString(cursor, number, max, field);
}

const empty: Body<Empty> = {
  // Whatever a peer puts there means nothing.
  read: () => ({}),
  write: () => {},
};

const bind: Body<Bind> = {
  read: (cursor) => ({
    systemId: readString(cursor, 16),
    password: readString(cursor, 9),
    systemType: readString(cursor, 13),
    interfaceVersion: readInteger(cursor, 1),
    addressRange: readAddress(cursor, 41),
  }),
  write: (cursor, { systemId, password, systemType, interfaceVersion, addressRange }) => {
    writeString(cursor, systemId, 16, 'system_id');
    writeString(cursor, password, 9, 'password');
    writeString(cursor, systemType, 13, 'system_type');
    writeInteger(cursor, 1, interfaceVersion);
    writeAddress(cursor, addressRange, 41, 'address_range');
  },
};

const atEnd = ({ octets, at }: Cursor) => at === octets.length;

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PduFault)) throw error;
    return undefined;
  }
}

const bindResponse: Body<BindResponse> = {
  read: (cursor) => ({ systemId: atEnd(cursor) ? '' : readString(cursor, 16), tlvs: readTlvs(cursor) }),
  write: (cursor, { systemId, tlvs }) => {
    writeString(cursor, systemId, 16, 'system_id');
    writeTlvs(cursor, tlvs);
  },
};

/** The tables allow 65; some SMSCs send more. */
const longestIdRead = 256;

/**
 * A response says that the message was accepted, whatever is wrong with the rest of it: if it were a fault, the
 * message would be sent again and get the same response.
 */
const messageResponse: Body<MessageResponse> = {
  read: (cursor) => {
    const messageId = atEnd(cursor) ? '' : readable(() => readString(cursor, longestIdRead));
    const tlvs = messageId === undefined ? undefined : readable(() => readTlvs(cursor));
    return { messageId: messageId ?? '', tlvs: tlvs ?? [] };
  },
  write: (cursor, { messageId, tlvs }) => {
    writeString(cursor, messageId, 65, 'message_id');
    writeTlvs(cursor, tlvs);
  },
};

const shortMessage: Body<ShortMessage> = {
  read: (cursor) => ({
    serviceType: readString(cursor, 6),
    source: readAddress(cursor, 21),
    destination: readAddress(cursor, 21),
    esmClass: readInteger(cursor, 1),
    protocolId: readInteger(cursor, 1),
    priority: readInteger(cursor, 1),
    scheduledAt: readString(cursor, 17),
    validityPeriod: readString(cursor, 17),
    registeredDelivery: readInteger(cursor, 1),
    replaceIfPresent: readInteger(cursor, 1),
    dataCoding: readInteger(cursor, 1),
    defaultMessageId: readInteger(cursor, 1),
    text: readOctets(cursor, readInteger(cursor, 1)),
    tlvs: readTlvs(cursor),
  }),
  write: (cursor, message) => {
    writeString(cursor, message.serviceType, 6, 'service_type');
    writeAddress(cursor, message.source, 21, 'source_addr');
    writeAddress(cursor, message.destination, 21, 'destination_addr');
    writeInteger(cursor, 1, message.esmClass);
    writeInteger(cursor, 1, message.protocolId);
    writeInteger(cursor, 1, message.priority);
    writeString(cursor, message.scheduledAt, 17, 'schedule_delivery_time');
    writeString(cursor, message.validityPeriod, 17, 'validity_period');
    writeInteger(cursor, 1, message.registeredDelivery);
    writeInteger(cursor, 1, message.replaceIfPresent);
    writeInteger(cursor, 1, message.dataCoding);
    writeInteger(cursor, 1, message.defaultMessageId);
    if (message.text.length > 254) throw new PduFault('short_message is longer than 254 octets');
    writeInteger(cursor, 1, message.text.length);
    writeOctets(cursor, message.text);
    writeTlvs(cursor, message.tlvs);
  },
};

const dataMessage: Body<DataMessage> = {
  read: (cursor) => ({
    serviceType: readString(cursor, 6),
    source: readAddress(cursor, 65),
    destination: readAddress(cursor, 65),
    esmClass: readInteger(cursor, 1),
    registeredDelivery: readInteger(cursor, 1),
    dataCoding: readInteger(cursor, 1),
    tlvs: readTlvs(cursor),
  }),
  write: (cursor, message) => {
    writeString(cursor, message.serviceType, 6, 'service_type');
    writeAddress(cursor, message.source, 65, 'source_addr');
    writeAddress(cursor, message.destination, 65, 'destination_addr');
    writeInteger(cursor, 1, message.esmClass);
    writeInteger(cursor, 1, message.registeredDelivery);
    writeInteger(cursor, 1, message.dataCoding);
    writeTlvs(cursor, message.tlvs);
  },
};

export const bodies: { readonly [C in Command]: Body<Bodies[C]> } = {
  generic_nack: empty,
  bind_receiver: bind,
  bind_receiver_resp: bindResponse,
  bind_transmitter: bind,
  bind_transmitter_resp: bindResponse,
  submit_sm: shortMessage,
  submit_sm_resp: messageResponse,
  deliver_sm: shortMessage,
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
