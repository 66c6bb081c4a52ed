/** Verifies the signature that most networks put on their calls. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** * Whether `header` is `sha256=` and the HMAC-SHA256, in hex, of the concatenated pieces. Takes constant time. */
export function isSigned(header: string, secret: string, ...signed: readonly (string | Buffer)[]): boolean {
  const hmac = createHmac('sha256', secret);
  for (const piece of signed) hmac.update(piece);
  const expected = hmac.digest();
  const given = Buffer.from(/^sha256=([0-9a-f]{64})$/i.exec(header)?.[1] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
