/** Judges a request recipient by recipient with the rules of its product: what the send would do, and what it would refuse. */

import type { Accepted, Plan, PlannedMessage } from '../../model/plan.ts';
import { Rejection } from '../../platform/errors.ts';
import type { Audience, Recipient } from '../../products/phone/route.ts';
import type { Checks, Command, RuleInput, Rules } from '../../products/rules.ts';

/** Why a send would fail or have no effect; `code` is the slug of an error page. */
export interface Problem {
  code: string;
  desc: string;
}

export interface JudgedRecipient {
  /** The number as the client wrote it. */
  written: string;
  /** E.164; undefined if the number is invalid. */
  phone: string | undefined;
  /** Empty if the recipient has problems. */
  messages: readonly PlannedMessage[];
  problems: Problem[];
}

export interface Judged<A extends Accepted> {
  /** What would be carried out for the recipients without problems. */
  plan: Plan<A>;
  /** In the order of the request. */
  recipients: readonly JudgedRecipient[];
}

type Judging<C extends Command, Facts, Admitted, A extends Accepted> = Pick<
  Rules<C, Facts, Admitted, A>,
  'admit' | 'plan'
>;

/**
 * Throws what the send would throw, unless that belongs to recipients. If the rest of the request is wrong too, the
 * first error of the send counts, whichever recipient it belongs to.
 */
export function judge<C extends Command & Audience<unknown>, Facts, Admitted, A extends Accepted>(
  { admit, plan }: Judging<C, Facts, Admitted, A>,
  input: RuleInput<C, Facts>,
  checks: Checks,
): Judged<A> {
  const { audience, recipients }: Audience<unknown> = input.command;
  const planFor = (some: readonly Recipient<unknown>[]) => {
    const own = { ...input, command: { ...input.command, recipients: some } };
    return plan(own, admit(own, checks));
  };

  const problems = recipients.map((recipient) => problemsOf(audience, () => planFor([recipient])));
  const sound = recipients.filter((_, place) => problems[place]?.length === 0);
  const planned = planOrFirstError(planFor, sound, recipients);
  const messages = Map.groupBy(planned.messages, ({ position }) => position);

  let soundBefore = 0;
  const judged = recipients.flatMap(({ written }, place): JudgedRecipient[] => {
    const found = problems[place] ?? [];
    if (found.length > 0) {
      const isRepeat =
        audience === 'many' && recipients.findIndex((earlier) => earlier.written === written) !== place;
      return isRepeat ? [] : [{ written, phone: checks.parsePhone(written), messages: [], problems: found }];
    }
    const own = messages.get(soundBefore);
    soundBefore += 1;
    // Where a repeated number is one recipient, its first entry stands for it.
    return own === undefined ? [] : [{ written, phone: own[0]?.phone, messages: own, problems: [] }];
  });
  return { plan: planned, recipients: judged };
}

function planOrFirstError<Planned>(
  planFor: (some: readonly Recipient<unknown>[]) => Planned,
  sound: readonly Recipient<unknown>[],
  all: readonly Recipient<unknown>[],
): Planned {
  try {
    return planFor(sound);
  } catch (error) {
    if (error instanceof Rejection) planFor(all);
    throw error;
  }
}

/** Of one recipient: a body of 1 MiB has room for far more faults than anybody reads. */
const problemsListed = 100;
const ofNumber = new Set([
  'invalid-phones',
  'no-channel',
  'number-required',
  'registrations-missing',
  'sender-not-approved',
  'sender-rule-broken',
  'destination-not-allowed',
  'codes-unconfirmed',
]);
/** Belong to a recipient where each has its own content. */
const ofContent = new Set(['invalid-parameters', 'denominations-not-allowed']);

/** What is wrong with a request to one recipient, as far as that belongs to the recipient. */
function problemsOf(audience: Audience<unknown>['audience'], planOne: () => unknown): Problem[] {
  try {
    planOne();
    return [];
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { slug: code = '', desc, result } = error;
    if (!ofNumber.has(code) && !(audience === 'each' && ofContent.has(code))) return [];
    const faults = Object.values((result ?? {}) as Record<string, readonly unknown[]>).flat();
    return faults.length === 0
      ? [{ code, desc }]
      : faults.slice(0, problemsListed).map((fault) => ({ code, desc: sentenceOf(fault) }));
  }
}

/** A fault of a parameter: a sentence, or an object that holds one. */
function sentenceOf(fault: unknown): string {
  return typeof fault === 'string' ? fault : (fault as { error: string }).error;
}
