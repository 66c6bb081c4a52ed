/** What cancellations of a request have come to. */
import type { AccountName } from './account.ts';

export interface Cancelled {
  requestId: string;
  /** Messages that are never sent. */
  cancelled: number;
  /** Messages that had left or may have, whatever became of them. */
  late: number;
  /** What came back, by account. */
  refunded: (AccountName & { units: number })[];
}
