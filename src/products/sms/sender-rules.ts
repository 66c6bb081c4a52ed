/** What regulators and networks of a country ask of senders: which names and numbers, registered or not, and for what. */
import type { Category } from '../../model/plan.ts';

export type SenderKind = 'Alphanumeric' | 'ShortCode' | 'LongCode';

/** What a country asks of senders. */
export interface SenderRules {
  /** ISO 3166-1 alpha-2. */
  country: string;
  kinds: readonly SenderKind[];
  /** Characters of a name; null: any number. */
  minLength: number | null;
  maxLength: number | null;
  genericNames: readonly string[];
  registeredKinds: readonly SenderKind[];
  /** Promotional messages have a sender of the category MARKETING. */
  separatePromotional: boolean;
  /** Whether several teams may have the same one. */
  shared: boolean;
  /** Whose rules they are. */
  source: string;
}

/** What is seen in a country, and what was given for it. */
export interface Shown {
  seen: string;
  use: { channel?: string; country?: string; registrations?: Readonly<Record<string, string>> };
}

/** What senders are compared by, as `sender_key` in the database. */
export const senderKey = (sender: string) => sender.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

/** As `kind` in the database. */
function kindOf(sender: string): SenderKind {
  if (/[A-Za-z]/.test(sender)) return 'Alphanumeric';
  return /^[0-9]{1,6}$/.test(sender) ? 'ShortCode' : 'LongCode';
}

/** The first rule that a sender breaks, as a sentence; undefined: none. */
export function brokenRule(rules: SenderRules, { seen, use }: Shown): string | undefined {
  const kind = kindOf(seen);
  const { minLength, maxLength } = rules;
  if (!rules.kinds.includes(kind)) return `senders are of the kind ${rules.kinds.join(' or ')} there`;
  if (kind === 'Alphanumeric' && (seen.length < (minLength ?? 0) || seen.length > (maxLength ?? seen.length)))
    return `names have ${lengths(minLength, maxLength)} characters there`;
  if (rules.genericNames.some((name) => senderKey(name) === senderKey(seen))) return 'the name is generic';
  const isOwn = use.channel !== undefined || use.country !== undefined;
  if (rules.registeredKinds.includes(kind) && !(isOwn && use.registrations !== undefined))
    return 'it needs a use of that country or channel with its registrations';
  return undefined;
}

function lengths(min: number | null, max: number | null): string {
  if (min === null) return `at most ${max}`;
  return max === null ? `at least ${min}` : `${min} to ${max}`;
}

/** The rule on promotional messages, if one breaks it. `own`: the only category of the sender; null: any. */
export function brokenByCategory(
  rules: SenderRules,
  { own, category }: { own: Category | null; category: Category },
): string | undefined {
  return rules.separatePromotional && category === 'MARKETING' && own !== 'MARKETING'
    ? 'promotional messages need a sender of the category MARKETING'
    : undefined;
}

/** The rules that count for a phone (E.164): of every country that it may belong to. */
export type FindSenderRules = (phone: string) => readonly SenderRules[];

export function createFindSenderRules(
  all: readonly SenderRules[],
  countriesOf: (phone: string) => readonly string[],
): FindSenderRules {
  if (all.length === 0) return () => [];
  const byCountry = new Map(all.map((rules) => [rules.country, rules]));
  return (phone) => countriesOf(phone).flatMap((country) => byCountry.get(country) ?? []);
}
