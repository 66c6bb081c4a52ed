/** Reads what a deliver_sm or data_sm says about a message that was sent before (SMPP 3.4 section 2.11, appendix B). */
import type { DataMessage, ShortMessage } from '../wire/bodies.ts';
import { esm, tags } from '../wire/commands.ts';
import { tlvOf } from '../wire/tlv.ts';

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

/** A report has under 200 octets. */
const reportLimitOctets = 1_000;
/** SMPP 3.4 allows 64; some SMSCs send more. */
const idLimitOctets = 255;

/** Whether esm_class says so. */
export function isReport({ esmClass }: DataMessage | ShortMessage): boolean {
  const type = esmClass & esm.typeMask;
  return type === esm.receipt || type === esm.intermediate;
}

/**
 * The report; undefined for what cannot be one, and for one without an id or a state. The optional parameters win over the text,
 * which counts only if esm_class says that this is a report: anybody with a phone can write a text.
 */
export function readDeliveryReport(message: DataMessage | ShortMessage): DeliveryReport | undefined {
  const words = isReport(message) ? wordsOf(message) : [];
  const id = receiptedId(message) ?? field(words, 'id');
  const code = tlvOf(message.tlvs, tags.messageState)?.[0];
  const state = (code === undefined ? undefined : byCode.get(code)) ?? stateOf(field(words, 'stat'));
  if (id === undefined || id.length > idLimitOctets || state === undefined) return undefined;
  return { id, state, error: field(words, 'err') ?? networkError(message) };
}

/** What the parameters with these tags say, by the names that the settings give them: as text, or else in hex. */
export function detailsIn(
  { tlvs }: DataMessage | ShortMessage,
  names: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const said = Object.entries(names).flatMap(([tag, name]) => {
    const octets = tlvOf(tlvs, Number(tag)) ?? Buffer.alloc(0);
    // Some end it as C does.
    const value = octets.toString('latin1', 0, octets.findLastIndex((octet) => octet !== 0) + 1);
    const isText = /^[ -~]*$/.test(value);
    return value === '' ? [] : [[name, isText ? value : Buffer.from(value, 'latin1').toString('hex')]];
  });
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

/** Latin-1 whatever data_coding says; without a header, and without the zeros of a text in UCS-2. */
function wordsOf(message: DataMessage | ShortMessage): string[] {
  const payload = tlvOf(message.tlvs, tags.messagePayload);
  const octets = payload ?? ('text' in message ? message.text : Buffer.alloc(0));
  const header = message.esmClass & esm.userDataHeader ? (octets[0] ?? 0) + 1 : 0;
  const text = octets.toString('latin1', header, header + reportLimitOctets);
  return text.replaceAll('\0', '').split(/\s+/);
}

function receiptedId({ tlvs }: DataMessage | ShortMessage): string | undefined {
  const value = tlvOf(tlvs, tags.receiptedMessageId)?.toString('latin1', 0, idLimitOctets + 1);
  const id = value?.split('\0', 1)[0]?.trim();
  return id === '' ? undefined : id;
}

/** The names of appendix B are followed by a colon and the value without a space. */
function field(words: readonly string[], name: string): string | undefined {
  const start = `${name}:`;
  const word = words.find((word) => word.length > start.length && isStart(word, start));
  return word?.slice(start.length);
}

function isStart(word: string, start: string): boolean {
  return word.slice(0, start.length).toLowerCase() === start;
}

function stateOf(word: string | undefined): SmscState | undefined {
  const upper = word?.toUpperCase();
  return (Object.keys(stateCodes) as SmscState[]).find((state) => state === upper);
}

/** network_error_code (section 5.3.2.31): the network's type and a number. */
function networkError({ tlvs }: DataMessage | ShortMessage): string | undefined {
  const value = tlvOf(tlvs, tags.networkErrorCode);
  return value?.length === 3 ? String(value.readUInt16BE(1)) : undefined;
}
