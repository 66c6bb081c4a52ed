/** The length and price of a text, as clients are told: code points and units. */
import { codePoints } from './code-points.ts';

/** A text has at most this many code points, also after its placeholders are filled. */
export const textLimitCodePoints = 960;
const unitCodePoints = 160;

/** Units that one text costs per recipient: one for every 160 code points begun, at least one. */
export function unitsOf(text: string): number {
  return Math.max(1, Math.ceil(codePoints(text) / unitCodePoints));
}
