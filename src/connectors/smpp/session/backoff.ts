/** The back-off of connecting and binding. */

const longestSeconds = 60;
const refusedSeconds = 300;
const longestRefusedSeconds = 3_600;

/** After so many failures in a row, counted from 0: 1 to 2 s, then 2 to 4, up to 30 to 60. */
export function reconnectDelayMs(failures: number, random: number): number {
  const most = Math.min(longestSeconds, 2 ** (failures + 1));
  return (most / 2) * (1 + random) * 1_000;
}

/** After so many rejections of the account in a row, counted from 1: 5 minutes, doubling up to an hour. */
export function refusedDelayMs(refusals: number, random: number): number {
  const seconds = Math.min(longestRefusedSeconds, refusedSeconds * 2 ** (refusals - 1));
  return seconds * (1 + random * 0.1) * 1_000;
}
