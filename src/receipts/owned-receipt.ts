/** A receipt in the hands of the process that posts it. */

/** Where receipts of a team go. Two teams with receipts for one server have an origin each. */
export interface Origin {
  teamId: string;
  originKey: string;
}

/** A receipt whose row names this process as its owner. */
export interface OwnedReceipt extends Origin {
  /** The webhook-id, the same over all attempts. */
  id: string;
  clientId: string;
  url: string;
  body: string;
  attemptsMade: number;
}

/** Names an origin in maps. */
export function nameOf({ teamId, originKey }: Origin): string {
  return `${originKey} ${teamId}`;
}
