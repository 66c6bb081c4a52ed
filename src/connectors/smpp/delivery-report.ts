/** Reads what a deliver_sm or data_sm says about a message that was sent before (SMPP 3.4 section 2.11, appendix B). */
import type { DataMessage, ShortMessage } from './bodies.ts';
import { esm, tags } from './commands.ts';
import { tlvOf } from './tlv.ts';

/** Values of message_state (section 5.2.28), by the words that the text of a report uses. */
export const stateCodes = {
  ENROUTE: 1,
  DELIVRD: 2,
  EXPIRED: 3,
  DELETED: 4,
  UNDELIV: 5,
  ACCEPTD: 6,
  UNKNOWN: 7,
  REJECTD: 8,
} as const;
export type SmscState = keyof typeof stateCodes;

export interface DeliveryReport {
  /** As the SMSC wrote it. */
  id: string;
  state: SmscState;
  /** The operator's own error code; absent or zero where there is none. */
  error: string | undefined;
}

const byCode = new Map<number, SmscState>(
  (Object.keys(stateCodes) as SmscState[]).map((state) => [stateCodes[state], state]),
);

/**
 * The report; undefined for a message from a phone, and for a report without an id or a state. The optional
 * parameters win over the text. esm_class says what is a report, or else the text does.
 */
export function readDeliveryReport(message: DataMessage | ShortMessage): DeliveryReport | undefined {
  const type = message.esmClass & esm.typeMask;
  const text = textOf(message);
  const isReport = type === esm.receipt || type === esm.intermediate || /\bid:\S+.*\bstat:/is.test(text);
  if (!isReport) return undefined;
  const id = receiptedId(message) ?? field(text, 'id');
  const code = tlvOf(message.tlvs, tags.messageState)?.[0];
  const state = (code === undefined ? undefined : byCode.get(code)) ?? stateIn(text);
  if (id === undefined || state === undefined) return undefined;
  return { id, state, error: field(text, 'err') ?? networkError(message) };
}

/** Latin-1 whatever data_coding says; without a header, and without the zeros of a text in UCS-2. */
function textOf(message: DataMessage | ShortMessage): string {
  const payload = tlvOf(message.tlvs, tags.messagePayload);
  const octets = payload ?? ('text' in message ? message.text : Buffer.alloc(0));
  const header = message.esmClass & esm.userDataHeader ? (octets[0] ?? 0) + 1 : 0;
  return octets.toString('latin1', header).replaceAll('\0', '');
}

function receiptedId({ tlvs }: DataMessage | ShortMessage): string | undefined {
  const id = tlvOf(tlvs, tags.receiptedMessageId)?.toString('latin1').replace(/\0.*$/s, '').trim();
  return id === '' ? undefined : id;
}

/** The names of appendix B are followed by a colon and the value without a space. */
function field(text: string, name: string): string | undefined {
  return new RegExp(`(?:^|\\s)${name}:(\\S+)`, 'i').exec(text)?.[1];
}

function stateIn(text: string): SmscState | undefined {
  const word = field(text, 'stat')?.toUpperCase();
  return (Object.keys(stateCodes) as SmscState[]).find((state) => state === word);
}

/** network_error_code (section 5.3.2.31): the network's type and a number. */
function networkError({ tlvs }: DataMessage | ShortMessage): string | undefined {
  const value = tlvOf(tlvs, tags.networkErrorCode);
  return value?.length === 3 ? String(value.readUInt16BE(1)) : undefined;
}
