/** Manages the accounts of teams: top-ups and corrections, each an entry of the ledger. */
import type { Knex } from 'knex';
import {
  type Account,
  addEntry,
  type EntryFilter,
  findAccount,
  findEntryByReference,
  type LedgerEntry,
  listEntries,
  listAccounts as listStored,
  lockAccount,
} from '../../balances/repository.ts';
import { type Fault, faults, ManagementError, requireNone } from '../../errors/management.ts';
import type { Product } from '../../intake/plan.ts';
import { findChannel } from '../../phone/repository.ts';
import { productNames } from '../../products.ts';
import { templateCategories } from '../../templates/template.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { teamFaults } from '../resource.ts';
import { choiceFaults, rangeFaults, ranges, rules, textFaults } from '../rules.ts';

export interface AccountOf {
  team: string;
  product: Product;
  /** Not for SMS; `<channel>/<denomination>` for mobile data, the template category for chat-app. */
  variant?: string | undefined;
}

export interface Posted {
  team: string;
  product: Product;
  /** Null for SMS. */
  variant: string | null;
  units: number;
  balance: number;
  /** The reference was used before for the same entry: nothing changed. */
  repeated: boolean;
}

export interface TopUp extends AccountOf {
  units: number;
  /** Repeating a top-up with the same reference changes nothing. */
  reference?: string | undefined;
  note?: string | undefined;
}

/** Adds units, and opens the account if need be. */
export async function topUp(management: Management, { units, ...rest }: TopUp): Promise<Posted> {
  return post(management, { ...rest, units, reason: 'TopUp' }, rangeFaults('units', units, ranges.units));
}

export interface Correction extends AccountOf {
  /** Negative to take units away; the balance cannot go below zero. */
  units: number;
  /** Why. */
  note: string;
  /** Repeating a correction with the same reference changes nothing. */
  reference: string;
}

/** Corrects the balance of an account by an entry with a reason. */
export async function correctBalance(
  management: Management,
  { units, ...rest }: Correction,
): Promise<Posted> {
  const { max } = ranges.units;
  const fits = Number.isInteger(units) && units !== 0 && Math.abs(units) <= max;
  return post(
    management,
    { ...rest, units, reason: 'Correction' },
    fits ? [] : [faults.fieldRule('units', `a whole number from -${max} to ${max}, and not 0`)],
  );
}

export async function listAccounts(management: Management, team: string): Promise<Account[]> {
  requireNone(await teamFaults(management.knex, management, team));
  return listStored(management.knex, team);
}

/** A page of 100, and one more that tells whether another follows. */
const mostEntries = 101;

/** The newest first; continue with `before`, the id of the last entry of the page. */
export async function listLedger(
  management: Management,
  { team, ...filter }: Omit<EntryFilter, 'teamId' | 'limit'> & { team: string; limit?: number | undefined },
): Promise<LedgerEntry[]> {
  requireNone(await teamFaults(management.knex, management, team));
  const limit = Math.min(filter.limit ?? mostEntries, mostEntries);
  return listEntries(management.knex, { ...filter, teamId: team, limit });
}

interface Posting extends AccountOf {
  units: number;
  reason: 'TopUp' | 'Correction';
  reference?: string | undefined;
  note?: string | undefined;
}

async function post(management: Management, posting: Posting, wrong: readonly Fault[]): Promise<Posted> {
  const { team, product, variant, units, reason, reference, note } = posting;
  const key = { teamId: team, product, variant: variant ?? '' };
  return management.knex.transaction(async (trx) => {
    requireNone([
      ...wrong,
      ...choiceFaults('product', product, productNames),
      ...textFaults('reference', reference, rules.reference),
      ...textFaults('note', note, rules.comment),
      ...(productNames.includes(product) ? await variantFaults[product](variant, trx) : []),
      ...(await teamFaults(trx, management, team)),
    ]);
    const isNew = (await findAccount(trx, key)) === undefined;
    if (isNew && units < 0) throw new ManagementError([faults.belowZero(0)]);
    const account = await lockAccount(trx, key);
    const shown = { team, product, variant: variant ?? null, units };
    const earlier =
      reference === undefined ? undefined : await findEntryByReference(trx, account.id, reference);
    if (earlier !== undefined) {
      if (earlier.units !== units || earlier.reason !== reason)
        throw new ManagementError([faults.referenceUsed(reference ?? '')]);
      return { ...shown, balance: account.balance, repeated: true };
    }
    if (account.balance + units < 0) throw new ManagementError([faults.belowZero(account.balance)]);
    const entry = { units, reason, reference: reference ?? null, note: note ?? null };
    const balance = await addEntry(trx, account, entry);
    await audit(trx, management, {
      action: reason === 'TopUp' ? 'top up' : 'correct',
      noun: 'account',
      id: [team, product, ...(variant === undefined ? [] : [variant])].join('/'),
      team,
      before: isNew ? null : { balance: account.balance },
      after: { balance, ...entry },
    });
    return { ...shown, balance, repeated: false };
  });
}

/** Faults where no message would ever be paid from such an account. */
const variantFaults: {
  readonly [P in Product]: (variant: string | undefined, knex: Knex) => Promise<Fault[]>;
} = {
  sms: async (variant) => (variant === undefined ? [] : [faults.notAllowedHere('variant', 'sms')]),
  data: async (variant, knex) => {
    const [, channel, denomination] = /^([^/]+)\/(\d+[MG]B)$/.exec(variant ?? '') ?? [];
    if (channel === undefined || denomination === undefined)
      return [faults.fieldRule('variant', 'a channel and a denomination, such as Safaricom/50MB')];
    return (await findChannel(knex, channel)) === undefined ? [faults.notFound('channel', channel)] : [];
  },
  chatapp: async (variant) =>
    templateCategories.some((category) => category === variant)
      ? []
      : [faults.fieldRule('variant', `a template category: ${templateCategories.join(', ')}`)],
};
