/** Splits a text into parts for submit_sm: octets, data coding and concatenation. */
import { encodeGsm7 } from '../../../platform/text/gsm7.ts';
import { type Encoding, splitText } from '../../../platform/text/segments.ts';
import type { Split } from '../../contract/kind.ts';
import type { SmppSettings } from '../settings.ts';
import { dataCodings, esm, tags } from '../wire/commands.ts';
import { type Tlv, tlvInteger } from '../wire/tlv.ts';

/**
 * How the parts of a long text name each other: a user data header with an 8-bit or 16-bit reference (3GPP TS
 * 23.040 sections 9.2.3.24.1 and 9.2.3.24.8), the sar_* parameters (SMPP 3.4 sections 5.3.2.22 to 24), or not at
 * all, because the SMSC gets the whole text in message_payload (section 5.3.2.32) and splits it by itself.
 */
type Concatenation = SmppSettings['concatenation'];

/** What an SMSC takes data_coding 0 for: the codes of GSM-7 as they are, or Latin-1 that it converts itself. */
export type Alphabet = SmppSettings['defaultAlphabet'];

export interface Part {
  esmClass: number;
  dataCoding: number;
  text: Buffer;
  tlvs: readonly Tlv[];
}

export interface PartForm {
  concatenation: Concatenation;
  defaultAlphabet: Alphabet;
  /** Shown at once and not kept: its data_coding names an alphabet, so that of the SMSC does not matter. */
  isFlash?: boolean;
}

const noTlvs: readonly Tlv[] = [];
const noText = Buffer.alloc(0);
/** With sar_* the SMSC makes the header; it is given room for the short one, so our reference has 8 bits. */
const headerOctets: Record<Exclude<Concatenation, 'messagePayload'>, number> = { udh8: 6, udh16: 7, sar: 6 };
/** What short_message takes (SMPP 3.4 section 5.2.22). */
const shortMessageOctets = 254;

/** `reference` tells texts to one recipient apart: a whole number; as many of its lowest bits go out as fit. */
export function partsOf(text: string, reference: number, asked: PartForm): Part[] {
  const form = asked.isFlash ? { ...asked, defaultAlphabet: 'gsm7' as const } : asked;
  const encoding = form.defaultAlphabet === 'latin1' && !isLatin1(text) ? 'UCS-2' : undefined;
  if (form.concatenation === 'messagePayload') return [wholeText(text, encoding, form)];
  const { encoding: used, parts } = splitText(text, encoding, headerOctets[form.concatenation]);
  const coded = parts.map((part) => encode(part, used, form.defaultAlphabet));
  const dataCoding = dataCodingOf(used, form);
  const [only] = coded;
  if (only !== undefined && coded.length === 1)
    return [{ esmClass: 0, dataCoding, text: only, tlvs: noTlvs }];
  const join = joins[form.concatenation];
  return coded.map((octets, index) => ({
    dataCoding,
    ...join(octets, reference, coded.length, index + 1),
  }));
}

/** The same parts as they are counted before a text is submitted. */
export function splitOf(text: string, form: PartForm): Split {
  const parts = partsOf(text, 0, form);
  const encoding = parts[0]?.dataCoding === dataCodings.ucs2 ? 'UCS-2' : 'GSM-7';
  return { encoding, parts: parts.length };
}

type Join = (octets: Buffer, reference: number, total: number, number: number) => Omit<Part, 'dataCoding'>;

const joins: Record<Exclude<Concatenation, 'messagePayload'>, Join> = {
  udh8: (octets, reference, total, number) => ({
    esmClass: esm.userDataHeader,
    text: Buffer.concat([Buffer.from([5, 0x00, 3, reference & 0xff, total, number]), octets]),
    tlvs: noTlvs,
  }),
  udh16: (octets, reference, total, number) => ({
    esmClass: esm.userDataHeader,
    text: Buffer.concat([
      Buffer.from([6, 0x08, 4, (reference >> 8) & 0xff, reference & 0xff, total, number]),
      octets,
    ]),
    tlvs: noTlvs,
  }),
  sar: (octets, reference, total, number) => ({
    esmClass: 0,
    text: octets,
    tlvs: [
      tlvInteger(tags.sarMessageReference, 2, reference & 0xff),
      tlvInteger(tags.sarTotalSegments, 1, total),
      tlvInteger(tags.sarSegmentNumber, 1, number),
    ],
  }),
};

function dataCodingOf(encoding: Encoding, { isFlash }: PartForm): number {
  if (isFlash) return encoding === 'UCS-2' ? dataCodings.flashUcs2 : dataCodings.flash;
  return encoding === 'UCS-2' ? dataCodings.ucs2 : dataCodings.default;
}

function wholeText(text: string, encoding: Encoding | undefined, form: PartForm): Part {
  const used = encoding ?? splitText(text).encoding;
  const octets = encode(text, used, form.defaultAlphabet);
  const dataCoding = dataCodingOf(used, form);
  if (octets.length <= shortMessageOctets && splitText(text, used).parts.length === 1)
    return { esmClass: 0, dataCoding, text: octets, tlvs: noTlvs };
  return { esmClass: 0, dataCoding, text: noText, tlvs: [{ tag: tags.messagePayload, value: octets }] };
}

function encode(text: string, encoding: Encoding, alphabet: Alphabet): Buffer {
  if (encoding === 'GSM-7') return alphabet === 'gsm7' ? encodeGsm7(text) : Buffer.from(text, 'latin1');
  return Buffer.from(text, 'utf16le').swap16();
}

function isLatin1(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}
