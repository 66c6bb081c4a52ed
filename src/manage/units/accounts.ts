/** Manages the accounts of teams: top-ups and corrections, each an entry of the ledger. */

import type { Knex } from 'knex';
import {
  type AccountKey,
  addEntry,
  findAccount,
  findEntryByReference,
  type LedgerEntry,
  listEntries,
  listAccounts as listStored,
  lockAccount,
} from '../../ledger/repository.ts';
import { listNearEmpty } from '../../ledger/use-repository.ts';
import { type AccountName, accountName, type GivenAccount, wordsOf } from '../../model/account.ts';
import { categories } from '../../model/plan.ts';
import { type ProductName, productOfName } from '../../model/products.ts';
import { type Fault, faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { channels } from '../networks/channels.ts';
import { listedTeam, teamFaults } from '../resource.ts';
import { type CapUse, listNearCaps } from './caps-repository.ts';

export interface AccountOf extends GivenAccount {
  team: string;
}

export interface Posted extends AccountName {
  team: string;
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
  return post(management, { ...rest, units, reason: 'TopUp' });
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
  if (units === 0) throw new ManagementError([faults.fieldRule('units', 'another number than 0')]);
  return post(management, { ...rest, units, reason: 'Correction' });
}

/** An account as both contracts name it. */
export interface NamedAccount extends AccountName {
  id: string;
  teamId: string;
  balance: number;
}

export async function listAccounts(management: Management, team: string): Promise<NamedAccount[]> {
  requireNone(await teamFaults(management.knex, management, team));
  const accounts = await listStored(management.knex, team);
  return accounts.map(({ product, variant, ...account }) => ({
    ...account,
    ...accountName(product, variant),
  }));
}

export type UsedAccount = NamedAccount & { usedInDay: number };

/** Those with fewer units than they used in the last 24 hours; what lasts for the shortest time first. */
export async function listAccountsNearEmpty(
  management: Management,
  { team: wanted, limit }: { team: string | undefined; limit: number },
): Promise<UsedAccount[]> {
  const team = await listedTeam(management, wanted);
  const accounts = await listNearEmpty(management.knex, team, limit);
  return accounts.map(({ product, variant, ...account }) => ({
    ...account,
    ...accountName(product, variant),
  }));
}

/** The caps of teams and clients that are near or reached. */
export async function listCapsNear(
  management: Management,
  { team, limit }: { team: string | undefined; limit: number },
): Promise<CapUse[]> {
  return listNearCaps(management.knex, await listedTeam(management, team), limit);
}

/** A page of 100, and one more that tells whether another follows. */
const mostEntries = 101;

export interface LedgerFilter extends Omit<GivenAccount, 'product'> {
  team: string;
  product?: ProductName | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  before?: string | undefined;
  limit?: number | undefined;
}

export type NamedEntry = Omit<LedgerEntry, 'product' | 'variant'> & AccountName;

/** The newest first; continue with `before`, the id of the last entry of the page. */
export async function listLedger(
  management: Management,
  { team, product, limit = mostEntries, ...filter }: LedgerFilter,
): Promise<NamedEntry[]> {
  requireNone(await teamFaults(management.knex, management, team));
  const entries = await listEntries(management.knex, {
    ...filter,
    teamId: team,
    product: product && productOfName[product],
    limit: Math.min(limit, mostEntries),
  });
  return entries.map(({ product, variant, ...entry }) => ({ ...entry, ...accountName(product, variant) }));
}

interface Posting extends AccountOf {
  units: number;
  reason: 'TopUp' | 'Correction';
  reference?: string | undefined;
  note?: string | undefined;
}

async function post(management: Management, posting: Posting): Promise<Posted> {
  const { team, units, reason, reference, note } = posting;
  return management.knex.transaction(async (trx) => {
    requireNone([...(await nameFaults(posting, trx)), ...(await teamFaults(trx, management, team))]);
    const key = keyOf(posting);
    const isNew = (await findAccount(trx, key)) === undefined;
    if (isNew && units < 0) throw new ManagementError([faults.belowZero(0)]);
    const account = await lockAccount(trx, key);
    const name = accountName(key.product, key.variant);
    const shown = { team, ...name, units };
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
      id: [team, ...wordsOf(name)].join('/'),
      team,
      before: isNew ? null : { balance: account.balance },
      after: { balance, ...entry },
    });
    return { ...shown, balance, repeated: false };
  });
}

/** The account that a name means. */
export function keyOf({
  team,
  product,
  channel = '',
  denomination = '',
  category = '',
}: AccountOf): AccountKey {
  const variants = { Sms: '', MobileData: `${channel}/${denomination}`, ChatApp: category };
  return { teamId: team, product: productOfName[product], variant: variants[product] };
}

const parts = ['channel', 'denomination', 'category'] as const;
const partsOf: Readonly<Record<ProductName, readonly (typeof parts)[number][]>> = {
  Sms: [],
  MobileData: ['channel', 'denomination'],
  ChatApp: ['category'],
};

/** Faults where no message would ever be paid from such an account. */
async function nameFaults(account: AccountOf, knex: Knex): Promise<Fault[]> {
  const { product, channel, denomination, category } = account;
  const given = parts.filter((part) => account[part] !== undefined);
  const wrong = given.filter((part) => !partsOf[product].includes(part));
  const missing = partsOf[product].filter((part) => !given.includes(part));
  const faultsOf = {
    channel: channel !== undefined && (await channels.rows.find(knex, channel)) === undefined,
    denomination: denomination !== undefined && !/^\d+[MG]B$/.test(denomination),
    category: category !== undefined && !categories.some((one) => one === category),
  };
  const wanted = {
    denomination: faults.fieldRule('denomination', 'the size of a bundle, such as 50MB'),
    category: faults.fieldRule('category', `a template category: ${categories.join(', ')}`),
    channel: faults.fieldRule('channel', 'the name of a channel, such as Safaricom'),
  };
  return [
    ...wrong.map((part) => faults.notAllowedHere(part, product)),
    ...missing.map((part) => wanted[part]),
    ...partsOf[product]
      .filter((part) => faultsOf[part])
      .map((part) => (part === 'channel' ? faults.notFound('channel', channel ?? '') : wanted[part])),
  ];
}
