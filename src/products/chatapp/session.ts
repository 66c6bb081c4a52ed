/** How long a person may be written to without a template after a message of theirs. */

const sessionMs = 24 * 3_600_000;

export function replyableUntil(receivedAt: Date): Date {
  return new Date(receivedAt.getTime() + sessionMs);
}
