/** Previews a request: load, admit and plan as for a send, then show the plan. Nothing is debited, stored or queued. */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/client.ts';
import type { Accepted, Cap, Plan } from '../../model/plan.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Rejection } from '../../platform/errors.ts';
import type { Audience } from '../../products/phone/route.ts';
import type { Checks, Command, Rules } from '../../products/rules.ts';
import { requireScopes } from '../accept.ts';
import { type CapReached, capReached, unitsOfAll } from '../caps.ts';
import { overTogether, withRooms } from '../codes/guard.ts';
import type { Rooms } from '../codes/rule.ts';
import type { Limiter } from '../limits/limiter.ts';
import { type OwnLimit, within } from '../limits/own-limits.ts';
import { type AccountCost, type Balances, costOf, shortages, type VariantOf } from './cost.ts';
import { type Judged, judge, type Problem } from './judge.ts';

/** Resolves to what a send of the command would do. Rejects as the send would, unless a fault belongs to recipients. */
export type Preview<C extends Command, Shown> = (command: C) => Promise<Shown>;

export interface PreviewDependencies {
  limiter: Pick<Limiter, 'take'>;
  checks: Checks;
  clock: Clock;
  limitsOf: (caller: Caller) => Promise<readonly OwnLimit[]>;
  loadBalances: (teamId: string) => Promise<Balances>;
  loadCapped: (caps: readonly Cap[], units: number) => Promise<readonly CapReached[]>;
  /** How many codes to the places of the numbers the guard of the team lets through now; undefined: all. */
  loadRooms: (
    teamId: string,
    limits: readonly OwnLimit[],
    phones: readonly string[],
  ) => Promise<Rooms | undefined>;
}

/** What the previews of all products have in common. */
export interface Shown<Recipient, A extends Accepted> {
  /** Whether the send would be accepted now. */
  sendable: boolean;
  /** Of the whole request. */
  problems: Problem[];
  units: A['units'];
  addresses: A['addresses'];
  /** When it would be sent, if its client asks for that. */
  scheduledFor?: string;
  accounts: AccountCost[];
  recipients: (Recipient & { problems: Problem[] })[];
}

/** How a product shows its plan. */
export interface View<C extends Command, Facts, A extends Accepted, Recipient> {
  /** The operation of the preview: it has a limit of its own. */
  operation: string;
  variantOf: (facts: Facts) => VariantOf;
  /** In the order of `judged.recipients`. */
  show: (judged: Judged<A>, facts: Facts, command: C) => Promise<(Recipient & { problems: Problem[] })[]>;
}

export function createPreview<
  C extends Command & Audience<unknown>,
  Facts,
  Admitted,
  A extends Accepted,
  Recipient,
>(
  { limiter, limitsOf, checks, clock, loadBalances, loadCapped, loadRooms }: PreviewDependencies,
  rules: Rules<C, Facts, Admitted, A>,
  load: (command: C) => Promise<Facts>,
  { operation, variantOf, show }: View<C, Facts, A, Recipient>,
): Preview<C, Shown<Recipient, A>> {
  return async (command) => {
    const { caller } = command;
    requireScopes(caller, rules.scopesOf?.(command) ?? []);
    await limiter.take(caller, operation, command.recipients.length);
    const [facts, balances, limits] = await Promise.all([
      load(command),
      loadBalances(caller.teamId),
      limitsOf(caller),
    ]);
    const asked = { command, facts, nowMs: clock.now(), requestId: randomUUID() };
    const { recipients }: Audience<unknown> = command;
    const phones = recipients.flatMap(({ written }) => checks.parsePhone(written) ?? []);
    const rooms = await loadRooms(caller.teamId, limits, phones);
    const judged = judge(withRooms(within(rules, limits), rooms), asked, checks);
    const { units, addresses, scheduledFor } = judged.plan.accepted as A;
    const accounts = costOf(judged.plan.messages, variantOf(facts), balances);
    const over = overTogether(judged.plan, rooms);
    const problems = [
      ...shortages(accounts),
      ...(await overCaps(judged.plan, loadCapped)),
      ...(over === undefined ? [] : [problemOf(over)]),
    ];
    return {
      sendable:
        problems.length === 0 && judged.recipients.every((recipient) => recipient.problems.length === 0),
      problems,
      units,
      addresses,
      ...(scheduledFor === undefined ? {} : { scheduledFor }),
      accounts,
      recipients: await show(judged, facts, command),
    };
  };
}

/** A problem for each cap that the request would exceed now. */
async function overCaps(
  { caps = [], messages }: Plan,
  load: PreviewDependencies['loadCapped'],
): Promise<Problem[]> {
  if (caps.length === 0) return [];
  return (await load(caps, unitsOfAll(messages))).map((cap) => problemOf(capReached(cap)));
}

const problemOf = ({ desc, slug: code = '' }: Rejection): Problem => ({ code, desc });
