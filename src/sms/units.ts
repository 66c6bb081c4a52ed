/** The length and price of a text, as clients are told: code points and units. */

/** A text has at most this many code points, also after its placeholders are filled. */
export const TEXT_LIMIT_CODE_POINTS = 960;
const UNIT_CODE_POINTS = 160;

/** Units that one text costs per recipient: one for every 160 code points begun, at least one. */
export function unitsOf(text: string): number {
  return Math.max(1, Math.ceil(codePoints(text) / UNIT_CODE_POINTS));
}

/** Length in Unicode code points; an unpaired surrogate counts as one. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (isSurrogatePair(text.charCodeAt(at - 1), text.charCodeAt(at))) pairs += 1;
  }
  return text.length - pairs;
}

function isSurrogatePair(first: number, second: number): boolean {
  return (first & 0xfc00) === 0xd800 && (second & 0xfc00) === 0xdc00;
}
