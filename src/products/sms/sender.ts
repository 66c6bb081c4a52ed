/** Whether a team may send as a sender to a phone, and what people see there. */
import type { Category } from '../../model/plan.ts';
import { errors } from '../../platform/errors.ts';
import { countriesOf } from '../quiet-hours/zones.ts';
import { brokenByCategory, brokenRule, type FindSenderRules } from './sender-rules.ts';

/** Where a sender may be used: on a channel, in a country (ISO 3166-1 alpha-2), or, without either, everywhere else. */
export interface SenderUse {
  channel?: string;
  country?: string;
  /** What people see there; absent: the sender. */
  as?: string;
  status: 'Pending' | 'Approved' | 'Rejected';
  /** What it is registered as there. */
  registrations?: Readonly<Record<string, string>>;
  /** RFC 3339. */
  validUntil?: string;
}

/** What a team was given of a sender. */
export interface Grant {
  /** The only category that it is for; null: any. */
  category: Category | null;
  uses: readonly SenderUse[];
}

export interface Sent {
  phone: string;
  channel: string;
}

/** The use that counts for a message. */
export function useFor<Use extends Pick<SenderUse, 'channel' | 'country'>>(
  uses: readonly Use[],
  { phone, channel }: Sent,
): Use | undefined {
  const countries = uses.some((use) => use.country !== undefined) ? countriesOf(phone) : [];
  return (
    uses.find((use) => use.channel === channel) ??
    uses.find((use) => use.country !== undefined && countries.includes(use.country)) ??
    uses.find((use) => use.channel === undefined && use.country === undefined)
  );
}

/**
 * Throws 400 for the first message that must not leave as the sender. Returns what people see instead of the sender, if they
 * do. `grant`: undefined if the team has none.
 */
export function requireGranted(
  sender: string,
  grant: Grant | undefined,
  { category, nowMs, findRules }: { category: Category; nowMs: number; findRules: FindSenderRules },
): (message: Sent) => { sender?: string } {
  if (grant !== undefined && grant.category !== null && grant.category !== category)
    throw errors.senderOfCategory(sender, grant.category, category);
  return (message) => {
    const use = grant && useFor(grant.uses, message);
    const ended = use?.validUntil !== undefined && Date.parse(use.validUntil) <= nowMs;
    if (use?.status !== 'Approved' || ended)
      throw errors.senderNotApproved(sender, message.channel, ended ? 'Expired' : (use?.status ?? 'Missing'));
    const seen = use.as ?? sender;
    for (const rules of findRules(message.phone)) {
      const broken =
        brokenRule(rules, { seen, use }) ??
        brokenByCategory(rules, { own: grant?.category ?? null, category });
      if (broken !== undefined) throw errors.senderRuleBroken(seen, rules.country, broken, rules.source);
    }
    return use.as === undefined ? {} : { sender: use.as };
  };
}
