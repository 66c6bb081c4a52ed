/** Shows what quiet hours do to a message: when it would leave, or that it would expire before. */
import type { PlannedMessage } from '../../model/plan.ts';
import type { Problem } from './judge.ts';

const tooLong: Problem = {
  code: 'quiet-hours',
  desc: 'The message would expire before quiet hours end, and its units would be refunded.',
};

/** Undefined: the recipient gets no message. */
export function leavingOf(message: PlannedMessage | undefined): {
  shown: { scheduledFor?: string };
  problems: Problem[];
} {
  const { sendAt, expiresQuietly = false } = message ?? {};
  if (expiresQuietly) return { shown: {}, problems: [tooLong] };
  return { shown: sendAt === undefined ? {} : { scheduledFor: sendAt }, problems: [] };
}
