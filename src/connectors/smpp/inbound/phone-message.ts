/** Reads a deliver_sm or data_sm that a phone sent: its text, or which part of a text it is. */
import { createHash } from 'node:crypto';
import { type CodedText, decodeCoded, type TextCoding } from '../../../platform/text/coded.ts';
import { knowsLocking, knowsSingle } from '../../../platform/text/gsm7-national.ts';
import type { PhoneMessage, PhonePart } from '../../contract/phone-message.ts';
import type { SmppSettings } from '../settings.ts';
import type { DataMessage, ShortMessage } from '../wire/bodies.ts';
import { esm, tags } from '../wire/commands.ts';
import { type Tlv, tlvOf } from '../wire/tlv.ts';

type Settings = Pick<SmppSettings, 'defaultAlphabet' | 'repeatedWithinSeconds'>;

/** `onUnknownTable` gets the identifier of each national table that the text needs and that is not known. */
export function readPhoneMessage(
  message: DataMessage | ShortMessage,
  settings: Settings,
  onUnknownTable: (identifier: number) => void = () => {},
): PhoneMessage {
  const { source, destination, dataCoding, esmClass, tlvs } = message;
  const octets = tlvOf(tlvs, tags.messagePayload) ?? ('text' in message ? message.text : Buffer.alloc(0));
  const { elements, rest } = esmClass & esm.userDataHeader ? cut(octets) : { elements: [], rest: octets };
  const coding = codingOf(dataCoding, settings);
  const coded = {
    coding: coding === 'gsm7' ? nationalCoding(elements, onUnknownTable) : coding,
    octets: rest,
  };
  const place = placeInHeader(elements) ?? placeInTlvs(tlvs);
  return {
    from: source.number,
    to: destination.number,
    identity: identityOf(message, octets),
    repeatedWithinSeconds: settings.repeatedWithinSeconds,
    body: place === undefined ? { content: contentOf(coded) } : { part: { ...place, ...coded } },
  };
}

/** What cannot be read of what an SMSC delivers, in hex; `octets` without the number of the PDU, which a repetition has anew. */
export function unreadableOf(
  kind: 'Message' | 'Status',
  octets: Buffer,
  { source, destination }: Partial<Pick<DataMessage, 'source' | 'destination'>> = {},
): PhoneMessage {
  const text = octets.toString('hex');
  return {
    from: source?.number,
    to: destination?.number ?? '',
    identity: createHash('sha256').update(text).digest('base64'),
    repeatedWithinSeconds: null,
    body: { unreadable: { kind, reason: 'Malformed', text } },
  };
}

function contentOf(coded: CodedText) {
  return { kind: coded.coding === 'binary' ? 'other' : 'text', text: decodeCoded([coded]) } as const;
}

/** Everything that the network repeats: without the number of the PDU, which a repetition has anew. */
function identityOf(
  { source, destination, esmClass, dataCoding, tlvs }: DataMessage,
  octets: Buffer,
): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([source, destination, esmClass, dataCoding]));
  for (const { tag, value } of tlvs) hash.update(`/${tag}/${value.length}/`).update(value);
  return hash.update('/').update(octets).digest('base64');
}

interface HeaderElement {
  id: number;
  value: Buffer;
}

/** The elements of the user data header, and what follows it (3GPP TS 23.040 section 9.2.3.24). */
function cut(octets: Buffer): { elements: HeaderElement[]; rest: Buffer } {
  const end = (octets[0] ?? 0) + 1;
  const header = octets.subarray(1, end);
  const elements: HeaderElement[] = [];
  for (let at = 0; at + 1 < header.length; ) {
    const [id, length] = [header[at] ?? 0, header[at + 1] ?? 0];
    elements.push({ id, value: header.subarray(at + 2, at + 2 + length) });
    at += 2 + length;
  }
  return { elements, rest: octets.subarray(end) };
}

const singleShift = 0x24;
const lockingShift = 0x25;

/** Without its alphabet a text is not read; of an extension only the extended characters are missing. */
function nationalCoding(
  elements: readonly HeaderElement[],
  onUnknownTable: (identifier: number) => void,
): TextCoding {
  const [locking = 0, single = 0] = [lockingShift, singleShift].map(
    (shift) => elements.find(({ id, value }) => id === shift && value.length === 1)?.value[0],
  );
  if (!knowsLocking(locking)) onUnknownTable(locking);
  else if (!knowsSingle(single)) onUnknownTable(single);
  if (!knowsLocking(locking)) return 'binary';
  return locking === 0 && single === 0 ? 'gsm7' : `gsm7:${locking}:${single}`;
}

type Place = Pick<PhonePart, 'reference' | 'number' | 'total'>;

const concatenation8 = 0x00;
const concatenation16 = 0x08;

/** Of the first element that says one. */
function placeInHeader(elements: readonly HeaderElement[]): Place | undefined {
  for (const { id, value } of elements) {
    if (id === concatenation8 && value.length === 3)
      return placeOf(`udh8:${value[0]}`, value[2] ?? 0, value[1] ?? 0);
    if (id === concatenation16 && value.length === 4)
      return placeOf(`udh16:${value.readUInt16BE(0)}`, value[3] ?? 0, value[2] ?? 0);
  }
  return undefined;
}

function placeInTlvs(tlvs: readonly Tlv[]): Place | undefined {
  const [reference, total, number] = [
    tags.sarMessageReference,
    tags.sarTotalSegments,
    tags.sarSegmentNumber,
  ].map((tag) => integerOf(tlvOf(tlvs, tag)));
  if (reference === undefined || total === undefined || number === undefined) return undefined;
  return placeOf(`sar:${reference}`, number, total);
}

function integerOf(value: Buffer | undefined): number | undefined {
  return value === undefined || value.length === 0 || value.length > 2
    ? undefined
    : value.readUIntBE(0, value.length);
}

/** A text of one part is whole, and so is one whose numbers make no sense. */
function placeOf(reference: string, number: number, total: number): Place | undefined {
  return total > 1 && total <= 255 && number >= 1 && number <= total
    ? { reference, number, total }
    : undefined;
}

/** Values of data_coding that SMPP 3.4 names (section 5.2.19). */
const named: ReadonlyMap<number, TextCoding> = new Map([
  [1, 'latin1'],
  [3, 'latin1'],
  [5, 'shift_jis'],
  [6, 'iso-8859-5'],
  [7, 'iso-8859-8'],
  [8, 'utf16'],
  [10, 'iso-2022-jp'],
  [14, 'euc-kr'],
]);

/** The values from 16 on are those of GSM (3GPP TS 23.038 section 4). */
function codingOf(dataCoding: number, { defaultAlphabet }: Settings): TextCoding {
  if (dataCoding === 0) return defaultAlphabet;
  if (dataCoding < 0x10) return named.get(dataCoding) ?? 'binary';
  if (dataCoding >= 0xf0) return dataCoding & 0x04 ? 'binary' : 'gsm7';
  if (dataCoding >= 0xe0) return 'utf16';
  if (dataCoding >= 0xc0) return 'gsm7';
  const compressed = dataCoding & 0x20;
  if (dataCoding >= 0x80 || compressed) return 'binary';
  return (['gsm7', 'binary', 'utf16', 'binary'] as const)[(dataCoding >> 2) & 3] ?? 'binary';
}
