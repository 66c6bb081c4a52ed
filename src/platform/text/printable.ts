/** Makes external text safe to store and show. */

/** Well-formed and without NUL: what a database takes. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Whether a database takes the text as it is. */
export function isStorable(text: string): boolean {
  return text === storable(text);
}

/** As `storable`, with other control characters as spaces. */
export function printable(text: string): string {
  return storable(text).replace(/\p{Cc}/gu, ' ');
}
