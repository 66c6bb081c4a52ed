/** Makes external text safe to store and show. */

/** Well-formed and without NUL: what a database takes. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** The same, with other control characters as spaces. */
export function printable(text: string): string {
  return storable(text).replace(/\p{Cc}/gu, ' ');
}
