/** Measures a text in code points, and shortens long ones for display. */

/** Length in Unicode code points; an unpaired surrogate counts as one. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (isSurrogatePair(text.charCodeAt(at - 1), text.charCodeAt(at))) pairs += 1;
  }
  return text.length - pairs;
}

const shownCharacters = 100;

/** A client's input as an error repeats it: the beginning, if it is long. */
export function shortened(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters).toWellFormed()}…` : text;
}

function isSurrogatePair(first: number, second: number): boolean {
  return (first & 0xfc00) === 0xd800 && (second & 0xfc00) === 0xdc00;
}
