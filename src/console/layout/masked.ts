/** Hides phone numbers in what readers of every role see. */

/** Of E.164 numbers, also encoded in a query: all but the country and the last two digits. */
export function masked(text: string): string {
  return text.replace(
    /(\+|%2B)(\d{3})\d{2,10}(\d{2})(?!\d)/g,
    (_all, plus: string, country: string, end: string) => `${plus}${country}…${end}`,
  );
}
