/** Makes external text safe to store and show. */

/** Well-formed, without NUL, other control characters as spaces. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/\p{Cc}/gu, ' ');
}
