/** Compares signatures and secrets of calls in constant time. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether `header` is `sha256=` and the HMAC-SHA256, in hex, of the concatenated pieces. Takes constant time. */
export function isSigned(header: string, secret: string, ...signed: readonly (string | Buffer)[]): boolean {
  const hmac = createHmac('sha256', secret);
  for (const piece of signed) hmac.update(piece);
  const expected = hmac.digest();
  const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(header)?.[1] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Whether both texts are the same. Digests of equal length, so that the comparison takes constant time. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
