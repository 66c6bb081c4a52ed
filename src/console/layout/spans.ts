/** Writes lengths of time and phone numbers as people say them. */

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** Such as `11 min 40 s`: the two largest units. */
export function span(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const first = units.findIndex(([length]) => ms >= length);
  let left = ms;
  return units
    .slice(first, first + 2)
    .map(([length, unit]) => {
      const count = Math.floor(left / length);
      left -= count * length;
      return count > 0 ? `${count} ${unit}` : '';
    })
    .join(' ')
    .trim();
}

/** E.164 in groups of three digits; anything else as it is. */
export function phoneWords(phone: string): string {
  const digits = /^\+(\d{7,15})$/.exec(phone)?.[1];
  return digits === undefined ? phone : `+${(digits.match(/\d{1,3}/g) ?? []).join(' ')}`;
}
