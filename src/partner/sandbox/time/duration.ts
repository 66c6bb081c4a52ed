/** Reads ISO 8601 durations in weeks, days, hours, minutes and seconds. */

const form = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const unitsSeconds = [7 * 86_400, 86_400, 3_600, 60, 1];

/** The schema has checked the form. */
export function secondsOf(duration: string): number {
  const [, ...amounts] = form.exec(duration) ?? [];
  return unitsSeconds.reduce((sum, unit, index) => sum + unit * Number(amounts[index] ?? 0), 0);
}
