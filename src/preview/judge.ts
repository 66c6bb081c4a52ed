/** Judges a request recipient by recipient with the rules of its product: what the send would do, and what it would refuse. */
import { Rejection } from '../errors.ts';
import type { Asked, Checks, Command, Rules } from '../intake/accept.ts';
import type { Accepted, Plan, PlannedMessage } from '../intake/plan.ts';
import type { Audience, Recipient } from '../phone/route.ts';

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

/** The recipients of a plan: the places of its messages refer to them. */
interface Admitted {
  recipients: readonly { written: string }[];
}

type Judging<C extends Command, Facts, Own extends Admitted, A extends Accepted> = Pick<
  Rules<C, Facts, Own, A>,
  'admit' | 'plan'
>;

/** Throws what the send would throw, unless it belongs to recipients. */
export function judge<C extends Command & Audience<unknown>, Facts, Own extends Admitted, A extends Accepted>(
  { admit, plan }: Judging<C, Facts, Own, A>,
  asked: Asked<C, Facts>,
  checks: Checks,
): Judged<A> {
  const { audience, recipients }: Audience<unknown> = asked.command;
  const planFor = (some: readonly Recipient<unknown>[]) => {
    const own = { ...asked, command: { ...asked.command, recipients: some } };
    const admitted = admit(own, checks);
    return { admitted, plan: plan(own, admitted) };
  };

  const problems = recipients.map((recipient) => problemsOf(audience, () => planFor([recipient])));
  const places = recipients.flatMap((_, place) => (problems[place]?.length === 0 ? [place] : []));
  const planned = planFor(places.flatMap((place) => recipients[place] ?? []));
  const messages = Map.groupBy(planned.plan.messages, ({ position }) => position);

  const judged = recipients.flatMap(({ written }, place): [number, JudgedRecipient][] => {
    const found = problems[place] ?? [];
    const isRepeat =
      audience === 'many' && recipients.findIndex((earlier) => earlier.written === written) !== place;
    if (found.length === 0 || isRepeat) return [];
    return [[place, { written, phone: checks.parsePhone(written), messages: [], problems: found }]];
  });
  planned.admitted.recipients.forEach(({ written }, position) => {
    const own = messages.get(position) ?? [];
    // Where a repeated number is one recipient, its first entry stands for it.
    const place =
      audience === 'each'
        ? places[position]
        : recipients.findIndex((recipient) => recipient.written === written);
    judged.push([place ?? position, { written, phone: own[0]?.phone, messages: own, problems: [] }]);
  });
  judged.sort(([one], [other]) => one - other);
  return { plan: planned.plan, recipients: judged.map(([, recipient]) => recipient) };
}

/** Of one recipient: a body of 1 MiB has room for far more faults than anybody reads. */
const problemsListed = 100;
const ofNumber = new Set(['invalid-phones', 'no-channel']);
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
