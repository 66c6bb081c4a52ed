/** The way of every request that sends something, whatever its product: load → admit → limit → plan → commit. */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../clients/client.ts';
import type { Clock } from '../clock.ts';
import { errors } from '../errors.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { PhoneParser } from '../phone/parse.ts';
import type { CheckReceiptRequest } from '../receipts/request.ts';
import type { Intake, Taken, Turn } from './intake.ts';
import type { Accepted, IdempotencyKey, Plan } from './plan.ts';

/** What the commands of all products have in common. */
export interface Command {
  caller: Caller;
  /** As sent: this many count towards the rate limit. */
  recipients: readonly unknown[];
  idempotency: IdempotencyKey | undefined;
  /** The id that the request gets if it is accepted, a UUID v4; undefined: a new one. */
  requestId?: string | undefined;
}

/** One request as the rules of its product see it. */
export interface Asked<C extends Command, Facts> {
  command: C;
  /** What the rules need to know of the world; at most two seconds old. */
  facts: Facts;
  /** Milliseconds since 1970. */
  nowMs: number;
  /** UUID v4. */
  requestId: string;
}

/** Checks that depend on how the service is configured. */
export interface Checks {
  parsePhone: PhoneParser;
  checkReceiptRequest: CheckReceiptRequest;
}

/** The rules of a product: pure, and in the order of checks (spec/decisions.md). They throw what the catalogue has. */
export interface Rules<C extends Command, Facts, Admitted, A extends Accepted> {
  operation: string;
  /** The scopes that a command needs beside that of its operation. */
  scopesOf?: (command: C) => readonly string[];
  /** Every check before the rate limit. */
  admit: (asked: Asked<C, Facts>, checks: Checks) => Admitted;
  /** Every check after it; the balance is checked when the plan is committed. */
  plan: (asked: Asked<C, Facts>, admitted: Admitted) => Plan<A>;
}

/** Rejects with what the contract publishes; nothing is debited, stored or queued then. */
export type Accept<C extends Command, A extends Accepted> = (command: C) => Promise<Taken<A>>;

export interface AcceptDependencies {
  intake: Intake;
  limiter: Pick<Limiter, 'take'>;
  checks: Checks;
  clock: Clock;
}

export function createAccept<C extends Command, Facts, Admitted, A extends Accepted>(
  { intake, limiter, checks, clock }: AcceptDependencies,
  { operation, scopesOf, admit, plan }: Rules<C, Facts, Admitted, A>,
  load: (command: C) => Promise<Facts>,
): Accept<C, A> {
  const take = async (command: C, commit: Turn<A>['commit']): Promise<Taken<A>> => {
    const facts = await load(command);
    const asked = { command, facts, nowMs: clock.now(), requestId: command.requestId ?? randomUUID() };
    const admitted = admit(asked, checks);
    const giveBack = await limiter.take(command.caller, operation, command.recipients.length);
    try {
      return await commit(plan(asked, admitted));
    } catch (error) {
      await giveBack();
      throw error;
    }
  };

  return async (command) => {
    const { caller, idempotency } = command;
    requireScopes(caller, scopesOf?.(command) ?? []);
    const turn = await intake.begin<A>({ clientId: caller.clientId, operation, idempotency });
    try {
      return turn.replay ?? (await take(command, turn.commit));
    } finally {
      turn.end();
    }
  };
}

/** Throws 403 for the first of these scopes that the caller lacks. */
export function requireScopes({ scopes }: Caller, needed: readonly string[]): void {
  const missing = needed.find((scope) => !scopes.includes(scope));
  if (missing !== undefined) throw errors.missingScope(missing);
}
