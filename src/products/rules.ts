/** What the rules of every product look like: the facts and the command in, a plan or a rejection out. */
import type { Caller } from '../access/client.ts';
import type { Accepted, IdempotencyKey, Plan, ReceiptRequest } from '../model/plan.ts';
import type { PhoneParser } from './phone/parse.ts';

/** What the commands of all products have in common. */
export interface Command {
  caller: Caller;
  /** As sent: this many count towards the rate limit. */
  recipients: readonly unknown[];
  idempotency: IdempotencyKey | undefined;
  /** The id that the request gets if it is accepted, a UUID v4; undefined: a new one. */
  requestId?: string | undefined;
  /** The trace of its call; undefined: it has none. */
  trace?: string | undefined;
}

/** One request as the rules of its product see it. */
export interface RuleInput<C extends Command, Facts> {
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
  /** Rejects a receipt request whose URL callbacks may not reach. */
  checkReceiptRequest: (asked: ReceiptRequest | undefined) => ReceiptRequest;
}

/** The rules of a product: pure, and in the order of checks (spec/decisions.md). They throw what the catalogue has. */
export interface Rules<C extends Command, Facts, Admitted, A extends Accepted> {
  operation: string;
  /** The scopes that a command needs beside that of its operation. */
  scopesOf?: (command: C) => readonly string[];
  /** Every check before the rate limit. */
  admit: (input: RuleInput<C, Facts>, checks: Checks) => Admitted;
  /** Every check after it; the balance is checked when the plan is committed. */
  plan: (input: RuleInput<C, Facts>, admitted: Admitted) => Plan<A>;
}
