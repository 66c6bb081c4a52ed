/** The GSM 7 bit default alphabet with its extension table (3GPP TS 23.038 sections 6.2.1 and 6.2.1.1). */

import { lockingTables, type NationalTables, singleTables } from './gsm7-national.ts';

// In the order of its codes; the escape code itself (0x1B) is no character and has a placeholder here.
const defaultAlphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const escapeCode = 0x1b;
const extension: Readonly<Record<string, number>> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
};

const unknown = '\ufffd';

const none = 0xff;
const extended = 0x80;
/** By UTF-16 code unit: the code, with the top bit set where an escape code goes before it. */
const codes = new Uint8Array(0x20ad).fill(none);
const characters = [...defaultAlphabet];
const extendedCharacters: string[] = [];
characters.forEach((character, code) => {
  if (code !== escapeCode) codes[character.charCodeAt(0)] = code;
});
for (const [character, code] of Object.entries(extension)) {
  codes[character.charCodeAt(0)] = code | extended;
  extendedCharacters[code] = character;
}

/** What a UTF-16 code unit costs: 1, with an escape code 2, and 0 where the alphabet lacks it. */
export function septetsOf(codeUnit: number): 0 | 1 | 2 {
  const code = codes[codeUnit] ?? none;
  if (code === none) return 0;
  return code & extended ? 2 : 1;
}

/** One septet per octet, as SMPP carries them; a character that the alphabet lacks becomes a question mark. */
export function encodeGsm7(text: string): Buffer {
  const octets = Buffer.allocUnsafe(text.length * 2);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = codes[text.charCodeAt(at)] ?? none;
    if (code === none) octets[length++] = 0x3f;
    else if (code & extended) {
      octets[length++] = escapeCode;
      octets[length++] = code & 0x7f;
    } else octets[length++] = code;
  }
  return octets.subarray(0, length);
}

/**
 * The other way. An escaped code outside the extension table reads as the code alone would (section 6.2.1.1). What is in a national
 * table that is not known reads as U+FFFD.
 */
export function decodeGsm7(
  octets: Iterable<number>,
  { locking, single }: NationalTables = { locking: 0, single: 0 },
): string {
  const alphabet = locking === 0 ? characters : lockingTables.get(locking);
  const extension = single === 0 ? extendedCharacters : singleTables.get(single);
  let text = '';
  let escaped = false;
  for (const octet of octets) {
    const code = octet & 0x7f;
    if (code === escapeCode && !escaped) {
      escaped = true;
      continue;
    }
    if (escaped && extension === undefined) text += unknown;
    else
      text +=
        (escaped ? extension?.[code] : undefined) ??
        (code === escapeCode ? ' ' : (alphabet?.[code] ?? unknown));
    escaped = false;
  }
  return text;
}
