/** The GSM 7 bit default alphabet with its extension table (3GPP TS 23.038 sections 6.2.1 and 6.2.1.1). */

// In the order of its codes; the escape code itself (0x1B) is no character and has a placeholder here.
const DEFAULT_ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const ESCAPE = 0x1b;
const EXTENSION: Readonly<Record<string, number>> = {
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

const NONE = 0xff;
const EXTENDED = 0x80;
/** By UTF-16 code unit: the code, with the top bit set where an escape code goes before it. */
const CODES = new Uint8Array(0x20ad).fill(NONE);
const CHARACTERS = [...DEFAULT_ALPHABET];
const EXTENDED_CHARACTERS: string[] = [];
CHARACTERS.forEach((character, code) => {
  if (code !== ESCAPE) CODES[character.charCodeAt(0)] = code;
});
for (const [character, code] of Object.entries(EXTENSION)) {
  CODES[character.charCodeAt(0)] = code | EXTENDED;
  EXTENDED_CHARACTERS[code] = character;
}

/** What a UTF-16 code unit costs: 1, with an escape code 2, and 0 where the alphabet lacks it. */
export function septetsOf(codeUnit: number): 0 | 1 | 2 {
  const code = CODES[codeUnit] ?? NONE;
  if (code === NONE) return 0;
  return code & EXTENDED ? 2 : 1;
}

/** One septet per octet, as SMPP carries them; a character that the alphabet lacks becomes a question mark. */
export function encodeGsm7(text: string): Buffer {
  const octets = Buffer.allocUnsafe(text.length * 2);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = CODES[text.charCodeAt(at)] ?? NONE;
    if (code === NONE) octets[length++] = 0x3f;
    else if (code & EXTENDED) {
      octets[length++] = ESCAPE;
      octets[length++] = code & 0x7f;
    } else octets[length++] = code;
  }
  return octets.subarray(0, length);
}

/** The other way. An escaped code outside the extension table reads as the code alone would (section 6.2.1.1). */
export function decodeGsm7(octets: Uint8Array): string {
  let text = '';
  let escaped = false;
  for (const octet of octets) {
    const code = octet & 0x7f;
    if (code === ESCAPE && !escaped) {
      escaped = true;
      continue;
    }
    text += (escaped ? EXTENDED_CHARACTERS[code] : undefined) ?? (code === ESCAPE ? ' ' : CHARACTERS[code]);
    escaped = false;
  }
  return text;
}
