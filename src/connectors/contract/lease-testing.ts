/** A lease for tests that are not about its end. */

/** What is left of it: more than any hand-over takes. */
export const longLease = () => 60_000;
