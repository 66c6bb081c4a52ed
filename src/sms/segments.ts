/** Works out how many short messages a network will make of a text (3GPP TS 23.038 and TS 23.040). */

export interface Segmentation {
  encoding: 'GSM-7' | 'UCS-2';
  /** Short messages on the network, at least one. */
  segments: number;
}

// TS 23.038 section 6.2.1 in the order of its codes, without the escape code itself.
const DEFAULT_ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
// Section 6.2.1.1: each costs an escape code and its own.
const EXTENSION = '\f^{}\\[~]|€';

/** Septets by UTF-16 code unit; 0, or beyond the end, where GSM-7 has no such character. */
const SEPTETS = new Uint8Array(0x20ad);
for (const character of DEFAULT_ALPHABET) SEPTETS[character.charCodeAt(0)] = 1;
for (const character of EXTENSION) SEPTETS[character.charCodeAt(0)] = 2;

/** What fits, in septets (GSM-7) or UTF-16 code units (UCS-2); each of several parts loses six octets to its header. */
interface Room {
  single: number;
  part: number;
  costOf(character: string): number;
}

const GSM_7: Room = { single: 160, part: 153, costOf: (character) => SEPTETS[character.charCodeAt(0)] ?? 0 };
const UCS_2: Room = { single: 70, part: 67, costOf: (character) => character.length };

/** GSM-7 if every character of the text has a place there, else UCS-2; with the number of segments. */
export function segmentsOf(text: string): Segmentation {
  let septets = 0;
  for (let at = 0; at < text.length; at += 1) {
    const cost = SEPTETS[text.charCodeAt(at)];
    if (!cost) return { encoding: 'UCS-2', segments: partsOf(text, text.length, UCS_2) };
    septets += cost;
  }
  return { encoding: 'GSM-7', segments: partsOf(text, septets, GSM_7) };
}

/** Fills parts from the front; neither an escape code and what it escapes nor a surrogate pair is split. */
function partsOf(text: string, size: number, room: Room): number {
  if (size <= room.single) return 1;
  let parts = 1;
  let used = 0;
  for (const character of text) {
    const cost = room.costOf(character);
    if (used + cost > room.part) {
      parts += 1;
      used = 0;
    }
    used += cost;
  }
  return parts;
}
