/** Manages what countries ask of senders, and finds the rules that a sender breaks where it is asked for or approved. */
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { changeable, fixed } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import { loadSenderRules } from '../../products/sms/repository.ts';
import {
  brokenRule,
  type SenderKind,
  type SenderRules,
  type Shown,
} from '../../products/sms/sender-rules.ts';
import { resource } from '../resource.ts';
import { holdersOf } from './sender-ownership.ts';

const kinds: readonly SenderKind[] = ['Alphanumeric', 'ShortCode', 'LongCode'];

export const senderRules = resource({
  noun: 'sender rules',
  table: 'sender_rules',
  key: 'country',
  properties: {
    country: fixed<string>(),
    enabled: changeable<boolean>({ initially: false }),
    kinds: changeable<readonly SenderKind[]>({ initially: kinds }),
    /** Characters of a name; null: any number. */
    minLength: changeable<number | null>({ initially: null }),
    maxLength: changeable<number | null>({ initially: null }),
    genericNames: changeable<readonly string[]>({ initially: [] }),
    registeredKinds: changeable<readonly SenderKind[]>({ initially: [] }),
    separatePromotional: changeable<boolean>({ initially: false }),
    shared: changeable<boolean>({ initially: true }),
    source: changeable<string>({ initially: '' }),
  },
  check: ({ minLength, maxLength }) =>
    minLength !== null && maxLength !== null && minLength > maxLength
      ? [faults.fieldRule('minLength', 'at most maxLength')]
      : [],
});

interface Claim {
  id: string;
  teamId: string | null;
  sender: string;
  uses: readonly (Shown['use'] & { as?: string; status?: string })[];
}

/** Of uses for a country that are new or change. Elsewhere, messages are checked when they are accepted. */
export async function senderRuleFaults(
  trx: Knex.Transaction,
  claim: Claim,
  before: Claim | undefined,
): Promise<Fault[]> {
  const former = before?.sender === claim.sender ? before.uses : [];
  const asked = claim.uses.filter(
    (use) => use.status !== 'Rejected' && !former.some((one) => isDeepStrictEqual(one, use)),
  );
  const countries = asked.flatMap(({ country }) => country ?? []);
  if (countries.length === 0) return [];
  const found: Fault[] = [];
  for (const rules of await loadSenderRules(trx, countries)) {
    const use = asked.find(({ country }) => country === rules.country) ?? {};
    const seen = use.as ?? claim.sender;
    const broken = brokenRule(rules, { seen, use }) ?? (await sharedWith(trx, claim, { seen, rules }));
    if (broken !== undefined) found.push(faults.senderRuleBroken(seen, rules.country, broken, rules.source));
  }
  return found;
}

async function sharedWith(
  trx: Knex.Transaction,
  { id }: Claim,
  { seen, rules }: { seen: string; rules: SenderRules },
): Promise<string | undefined> {
  const isShared = !rules.shared && (await holdersOf(trx, seen)).some((holder) => holder.id !== id);
  return isShared ? 'another team has it' : undefined;
}
