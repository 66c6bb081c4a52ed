/** Makes text from outside fit to be stored and shown. */

/** Well-formed, without NUL, other control characters as spaces. */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/\p{Cc}/gu, ' ');
}
