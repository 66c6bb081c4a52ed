/** How large randomised tests and fault tests are: small by default, large with TEST_SIZE=large as in .ci/run. */
export const isLarge = process.env.TEST_SIZE === 'large';

export function sized(small: number, large: number): number {
  return isLarge ? large : small;
}
