/** The catalogue of what can be wrong with a change by an operator: one line each, thrown as a ManagementError. */
import { errors } from '../errors.ts';
import { withSlugs } from './slugs.ts';

/** What sentences call the things that operators manage. */
export type Noun =
  | 'team'
  | 'user'
  | 'client'
  | 'token key'
  | 'secret key'
  | 'service'
  | 'chat-app sender'
  | 'quiet hours'
  | 'sender rules'
  | 'template'
  | 'chat-app service'
  | 'sender'
  | 'chat-app template'
  | 'campaign'
  | 'channel'
  | 'connector'
  | 'route'
  | 'account'
  | 'quarantined item'
  | 'receipt'
  | 'request'
  | 'message'
  | 'callback endpoint'
  | 'opt-out'
  | 'opt-out import'
  | 'ported numbers'
  | 'subject'
  | 'archive';

/** `invalid`: the input is wrong by itself. `conflict`: it does not fit what is stored. `stale`: read it again. */
export type FaultKind = 'invalid' | 'not-found' | 'archived' | 'conflict' | 'stale';

export interface Fault {
  /** Its name, such as `not-found`. */
  slug: string;
  kind: FaultKind;
  /** The input that is wrong; the sentence then goes on behind its name. */
  field: string | undefined;
  sentence: string;
}

/** All faults of one change. Nothing was changed. */
export class ManagementError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(textOf).join('\n'));
    this.faults = faults;
  }
}

/** The sentence with the field's name in front. */
export function textOf({ field, sentence }: Fault): string {
  return field === undefined ? sentence : `${field} ${sentence}`;
}

type Unnamed = Omit<Fault, 'slug'>;

const invalid = (sentence: string, field?: string): Unnamed => ({ kind: 'invalid', field, sentence });
const conflict = (sentence: string): Unnamed => ({ kind: 'conflict', field: undefined, sentence });
const notFound = (sentence: string): Unnamed => ({ kind: 'not-found', field: undefined, sentence });

const catalogue = {
  notFound: (noun: Noun, id: string) => notFound(`${noun} ${id} does not exist`),
  archived: (noun: Noun, id: string, segment: number): Unnamed => ({
    kind: 'archived',
    field: undefined,
    sentence: `${noun} ${id} is not in the database: requests of its time have left for the archive (segment ${segment})`,
  }),
  alreadyExists: (noun: Noun, id: string) => conflict(`${noun} ${id} already exists`),
  changedMeanwhile: (noun: Noun, id: string): Unnamed => ({
    kind: 'stale',
    field: undefined,
    sentence: `${noun} ${id} was changed in the meantime: read it again`,
  }),

  // Fields
  fieldRule: (field: string, rule: string) => invalid(`must be ${rule}`, field),
  notAllowedHere: (field: string, where: string) => invalid(`is not allowed for ${where}`, field),
  notAnAddress: (field: string, value: string) =>
    invalid(`${value} is not an IP address or CIDR block`, field),
  notAWebOrigin: (field: string, value: string) =>
    invalid(
      `${value} is not a web origin: scheme, host and port only, as in https://shop.example.com`,
      field,
    ),
  templateDefinition: (sentence: string) => invalid(sentence),
  templateParameters: (sentence: string) => invalid(sentence),

  // Users and token keys
  lastOwner: () => conflict('the last enabled owner of the platform cannot be changed or revoked'),
  ssoNameTaken: (ssoName: string, user: string) => conflict(`ssoName ${ssoName} belongs to user ${user}`),
  keyPublished: (kid: string, signsFrom: string) =>
    conflict(`key ${kid} is already published and starts to sign at ${signsFrom}`),

  // Templates and campaigns
  senderCategory: (id: string, category: string) => conflict(`sender ${id} is for ${category} templates`),
  notPending: (noun: Noun, id: string) => conflict(`${noun} ${id} is not pending approval`),
  approvalAlready: (noun: Noun, id: string, approvalStatus: string) =>
    conflict(`${noun} ${id} is already ${approvalStatus}`),
  serviceOfTeam: (team: string, service: string) => notFound(`team ${team} has no service ${service}`),

  // Senders
  senderTaken: (sender: string) =>
    conflict(`another team has the sender ${sender}: only a user of the platform can add it for another`),
  senderNotShared: (sender: string, team: string) =>
    conflict(`another team has the sender ${sender}: add it for team ${team} first`),
  senderTwice: (sender: string, id: string) => conflict(`sender ${id} is ${sender} already`),
  keywordTaken: (keyword: string, id: string) => conflict(`sender ${id} has the keyword ${keyword}`),
  senderManaged: (sender: string, key: string) =>
    conflict(`${sender} is a sender of the platform (${key}): only its templates are sent with it`),
  senderOfTeam: (sender: string) =>
    conflict(`a team has the sender ${sender}: it cannot be one of the platform`),
  senderOfService: (sender: string, service: string) =>
    conflict(`service ${service} has the sender ${sender}: give it another one first`),
  senderRuleBroken: (sender: string, country: string, rule: string, source: string) =>
    conflict(errors.senderRuleBroken(sender, country, rule, source).desc),

  // Networks
  prefixTaken: (prefix: string, channel: string) =>
    conflict(`prefix ${prefix} already belongs to channel ${channel}`),
  channelOfNumber: (phone: string) => notFound(`no channel has the prefix of ${phone}`),
  connectorUnknown: (name: string, known: readonly string[]) =>
    notFound(`connector ${name} does not exist; connectors are ${known.join(', ')}`),
  connectorProduct: (name: string, cannot: string, kind: string) =>
    conflict(`connector ${name} ${cannot}: its kind is ${kind}`),
  connectorSettings: (sentence: string) => conflict(sentence),
  secretsOfAddress: (names: readonly string[]) =>
    invalid(
      `must have ${names.join(' and ')} again, because these settings change who can get them`,
      'secrets',
    ),
  connectorKind: (name: string, kind: string) => conflict(`${name} has an unknown kind: ${kind}`),
  templatesUnreadable: (name: string, problem: string) =>
    conflict(`the templates of connector ${name} cannot be read: ${problem}`),
  connectorInUse: (name: string, uses: readonly string[]) =>
    conflict(`connector ${name} is in use by ${uses.join(', ')}: route them through another connector first`),
  connectorHasMessages: (name: string, messages: number) =>
    conflict(`connector ${name} still waits for reports on ${messages} message(s)`),

  // Opt-outs
  partTaken: (id: string, part: number) =>
    conflict(`import ${id} has another part ${part}, or was begun with other settings`),
  partBeyond: (part: number, parts: number) =>
    invalid(`must be at most ${parts}, as parts says, not ${part}`, 'part'),
  columnMissing: (sentence: string) => invalid(`cannot be read: ${sentence}`, 'lines'),

  // Messages and receipts
  nothingToCancel: (id: string) => conflict(`request ${id} has no message left to cancel`),
  replayCount: (expected: number, found: number) =>
    conflict(`${found} receipt(s) match now, not ${expected}: none is posted again`),

  // Units
  belowZero: (balance: number) => conflict(`the account has ${balance} unit(s): it cannot go below zero`),
  referenceUsed: (reference: string) =>
    conflict(`reference ${reference} was used for another entry of this account`),
} as const;

/** Makes the faults. */
export const faults = withSlugs(catalogue);

/** Throws a ManagementError unless the list is empty. */
export function requireNone(found: readonly Fault[]): void {
  if (found.length > 0) throw new ManagementError(found);
}
