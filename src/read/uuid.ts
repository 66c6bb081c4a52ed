/** Tells ids that the database can have from those that it cannot. */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (id: string): boolean => uuid.test(id);

/** The first and the last id that begin with these hexadecimal digits; dashes do not matter. */
export function uuidsFrom(start: string): { first: string; last: string } {
  const digits = start.replaceAll('-', '').slice(0, 32);
  return { first: digits.padEnd(32, '0'), last: digits.padEnd(32, 'f') };
}
