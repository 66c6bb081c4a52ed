/** An account at a network, which is one for all processes, and what one process may use of it. */

/** What the network allows. */
export interface Account {
  /** How many processes can use it at once: each of its parts belongs to one. Of a network that keeps connections, a part is one. */
  parts: number;
  /** Over all parts. */
  ratePerSecond: number;
}

export interface Share {
  /** Which parts, from 0. */
  parts: readonly number[];
  ratePerSecond: number;
  /** Some of it was just taken from a process that died: the network may not have noticed yet. */
  inherited: boolean;
  /** For how long from now, unless another share replaces it. */
  forMs: number;
}

export const noShare: Share = { parts: [], ratePerSecond: 0, inherited: false, forMs: 0 };

/** For a process that is alone. */
export const wholeAccount = ({ parts, ratePerSecond }: Account): Share => ({
  parts: Array.from({ length: parts }, (_, part) => part),
  ratePerSecond,
  inherited: false,
  forMs: Number.POSITIVE_INFINITY,
});
