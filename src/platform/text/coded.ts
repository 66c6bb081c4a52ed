/** Decodes the text of short messages whose parts may each be coded differently. */
import { decodeGsm7 } from './gsm7.ts';
import type { NationalTables } from './gsm7-national.ts';
import { storable } from './printable.ts';

/** The names that TextDecoder has for further alphabets. */
const otherAlphabets = ['shift_jis', 'iso-8859-5', 'iso-8859-8', 'iso-2022-jp', 'euc-kr'] as const;
const textCodings = ['gsm7', 'latin1', 'utf16', 'binary', ...otherAlphabets] as const;
/** GSM-7 with the identifiers of its national locking and single shift tables. */
type NationalGsm7 = `gsm7:${number}:${number}`;
export type TextCoding = (typeof textCodings)[number] | NationalGsm7;

/** A text, or one part of it. */
export interface CodedText {
  coding: TextCoding;
  /** GSM-7 with a septet in each octet; UTF-16 with the high octet first. */
  octets: Buffer;
}

/**
 * The text of parts in their order; what is not text is left out. Neighbours in the same coding are joined before they are decoded:
 * a character may begin in one part and end in the next.
 */
export function decodeCoded(parts: readonly CodedText[]): string {
  const joined: CodedText[] = [];
  for (const { coding, octets } of parts) {
    const last = joined.at(-1);
    if (last?.coding === coding) last.octets = Buffer.concat([last.octets, octets]);
    else joined.push({ coding, octets });
  }
  return storable(joined.map(decode).join(''));
}

function decode({ coding, octets }: CodedText): string {
  switch (coding) {
    case 'gsm7':
      return decodeGsm7(octets);
    case 'latin1':
      return octets.toString('latin1');
    case 'utf16':
      return new TextDecoder('utf-16be').decode(octets);
    case 'binary':
      return '';
    default:
      if (!isNational(coding)) return new TextDecoder(coding).decode(octets);
      return decodeGsm7(octets, tablesOf(coding));
  }
}

const isNational = (coding: TextCoding): coding is NationalGsm7 => coding.startsWith('gsm7:');

function tablesOf(coding: NationalGsm7): NationalTables {
  const [, locking, single] = coding.split(':').map(Number);
  return { locking: locking ?? 0, single: single ?? 0 };
}
