/** The path of every request that sends something, whatever its product: load → admit → limit → plan → commit. */
import type { Caller } from '../access/client.ts';
import type { Accepted } from '../model/plan.ts';
import type { Clock } from '../platform/clock.ts';
import { errors } from '../platform/errors.ts';
import { newTimedId } from '../platform/timed-id.ts';
import { inSpan } from '../platform/tracing.ts';
import type { FindOptedOut } from '../products/consent/opt-out.ts';
import { endUnwanted } from '../products/consent/planned.ts';
import type { Checks, Command, Rules } from '../products/rules.ts';
import type { CodeGuard } from './codes/guard.ts';
import type { Intake, Taken, Turn } from './intake.ts';
import type { Limiter } from './limits/limiter.ts';
import { type OwnLimit, within } from './limits/own-limits.ts';

/** Rejects with what the contract publishes; nothing is debited, stored or queued then. */
export type Accept<C extends Command, A extends Accepted> = (command: C) => Promise<Taken<A>>;

export interface AcceptDependencies {
  intake: Intake;
  limiter: Pick<Limiter, 'take'>;
  checks: Checks;
  clock: Clock;
  /** Of the caller's team and client, at most two seconds old. */
  limitsOf: (caller: Caller) => Promise<readonly OwnLimit[]>;
  codes: CodeGuard;
  /** Asked about requests of which something waits for a time. */
  findOptedOut: FindOptedOut;
}

export function createAccept<C extends Command, Facts, Admitted, A extends Accepted>(
  { intake, limiter, limitsOf, codes, checks, clock, findOptedOut }: AcceptDependencies,
  rules: Rules<C, Facts, Admitted, A>,
  load: (command: C) => Promise<Facts>,
): Accept<C, A> {
  const { operation, scopesOf, admit } = rules;
  const take = async (command: C, commit: Turn<A>['commit']): Promise<Taken<A>> => {
    const [facts, limits] = await Promise.all([load(command), limitsOf(command.caller)]);
    const asked = { command, facts, nowMs: clock.now(), requestId: command.requestId ?? newTimedId() };
    const admitted = admit(asked, checks);
    const giveBack = await limiter.take(command.caller, operation, command.recipients.length);
    try {
      const planned = await endUnwanted(within(rules, limits).plan(asked, admitted), findOptedOut);
      const plan = command.trace === undefined ? planned : { ...planned, trace: command.trace };
      return await codes.counted(plan, limits, commit);
    } catch (error) {
      await giveBack();
      throw error;
    }
  };

  const accept: Accept<C, A> = async (command) => {
    const { caller, idempotency } = command;
    requireScopes(caller, scopesOf?.(command) ?? []);
    const turn = await intake.begin<A>({ clientId: caller.clientId, operation, idempotency });
    try {
      return turn.replay ?? (await take(command, turn.commit));
    } finally {
      turn.end();
    }
  };

  return (command) =>
    inSpan('accept', command.trace, async (span) => {
      const taken = await accept(command);
      span?.setAttributes({
        'tarishi.request.id': taken.accepted.requestId,
        'tarishi.recipients': command.recipients.length,
        'tarishi.replayed': taken.replayed,
      });
      return taken;
    });
}

/** Throws 403 for the first of these scopes that the caller lacks. */
export function requireScopes({ scopes }: Caller, needed: readonly string[]): void {
  const missing = needed.find((scope) => !scopes.includes(scope));
  if (missing !== undefined) throw errors.missingScope(missing);
}
