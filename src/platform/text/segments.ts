/** Splits a text into the segments that a network will use (3GPP TS 23.038 and TS 23.040). */
import { septetsOf } from './gsm7.ts';

export type Encoding = 'GSM-7' | 'UCS-2';

export interface Segmentation {
  encoding: Encoding;
  /** Short messages on the network, at least one. */
  segments: number;
}

/** A user data header with an 8-bit reference (TS 23.040 section 9.2.3.24.1) takes this many octets. */
const shortHeaderOctets = 6;
/** User data of one short message (TS 23.040 section 9.2.3.24). */
const messageOctets = 140;

interface Measure {
  /** What fits: septets (GSM-7) or UTF-16 code units (UCS-2). */
  roomIn(octets: number): number;
  costOf(character: string): number;
}

const measures: Record<Encoding, Measure> = {
  'GSM-7': {
    roomIn: (octets) => Math.floor((octets * 8) / 7),
    costOf: (character) => septetsOf(character.charCodeAt(0)),
  },
  'UCS-2': { roomIn: (octets) => Math.floor(octets / 2), costOf: (character) => character.length },
};

/** GSM-7 if every character of the text has a place there, else UCS-2; with the number of segments. */
export function segmentsOf(text: string): Segmentation {
  const { encoding, size } = measure(text);
  return { encoding, segments: endsOf(text, encoding, size, shortHeaderOctets).length };
}

/** The characters for which a text needs UCS-2, each once. */
export function outsideGsm7(text: string): string[] {
  return [...new Set(text)].filter((character) => septetsOf(character.charCodeAt(0)) === 0);
}

/**
 * The texts of the parts, each with room for a header of `headerOctets` when there are several. `encoding` is what
 * the text needs, or UCS-2 where the caller cannot use GSM-7.
 */
export function splitText(
  text: string,
  encoding: Encoding = measure(text).encoding,
  headerOctets = shortHeaderOctets,
): { encoding: Encoding; parts: string[] } {
  const size = encoding === 'UCS-2' ? text.length : measure(text).size;
  let from = 0;
  const parts = endsOf(text, encoding, size, headerOctets).map((end) => {
    const part = text.slice(from, end);
    from = end;
    return part;
  });
  return { encoding, parts };
}

/** Size in septets or UTF-16 code units. */
function measure(text: string): { encoding: Encoding; size: number } {
  let septets = 0;
  for (let at = 0; at < text.length; at += 1) {
    const cost = septetsOf(text.charCodeAt(at));
    if (cost === 0) return { encoding: 'UCS-2', size: text.length };
    septets += cost;
  }
  return { encoding: 'GSM-7', size: septets };
}

/** Where parts end, filled from the front; neither an escape code and what it escapes nor a surrogate pair is split. */
function endsOf(text: string, encoding: Encoding, size: number, headerOctets: number): number[] {
  const { roomIn, costOf } = measures[encoding];
  if (size <= roomIn(messageOctets)) return [text.length];
  const room = roomIn(messageOctets - headerOctets);
  const ends: number[] = [];
  let at = 0;
  let used = 0;
  for (const character of text) {
    const cost = costOf(character);
    if (used + cost > room) {
      ends.push(at);
      used = 0;
    }
    used += cost;
    at += character.length;
  }
  return [...ends, at];
}
