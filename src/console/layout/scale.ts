/** The highest number of a scale: little above the largest value, with a half that is a whole number. */

const steps = [1, 1.2, 1.4, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

export function scaleTo(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1)));
  const fitting = steps.map((step) => Math.round(step * power)).filter((one) => one % 2 === 0);
  return fitting.find((one) => one >= Math.max(largest, 2)) ?? 10 * power;
}

/** Where a scale of per cent up to 100 begins, so that what is drawn fills it. */
export const percentFrom = (smallest: number): number =>
  [98, 95, 90, 80, 50].find((one) => one <= smallest) ?? 0;
