/** Cleans text, ids and times from networks, so that they can be stored, shown and signed. */
import { printable, storable } from '../../platform/text/printable.ts';
import type { Connector, HandOver, NetworkReport, QueryResult } from './connector.ts';
import type { InboundNews, NetworkNotice, TemplateNews } from './inbound.ts';
import type {
  PhoneContent,
  PhoneIdentity,
  PhoneMessage,
  PhonePart,
  PhonePreference,
} from './phone-message.ts';

/** All limits are in code points. */
const longestReason = 500;
const longestCode = 64;
const longestDetail = 64;
const longestId = 255;
const longestTemplateName = 512;
/** Longer than any number. */
const longestNumber = 100;
/** In UTF-16 code units, which have at least an octet each; no SMS and no chat-app message is longer. */
const longestText = 65_536;
/** Of what cannot be read. */
const longestUnreadable = 8_192;
const firstInstant = Date.UTC(2000, 0, 1);
const endOfInstants = Date.UTC(2100, 0, 1);
const longestDelaySeconds = 86_400;

/** Called for a value that is left out, or a text that is cut. */
export type OnIgnored = (value: 'id' | 'time' | 'text') => void;

/** Well-formed, without NUL, other control characters as spaces, cut by code points. */
export function cleanText(text: string, longest: number): string {
  // A code point has at most two units: no need to look at the rest of a megabyte.
  return [...printable(text.slice(0, longest * 2 + 2))].slice(0, longest).join('');
}

/** An id is never cut: half of it could be another message's. Undefined: too long, or nothing is left of it. */
export function cleanId(id: string): string | undefined {
  if (id.length > longestId * 2) return undefined;
  const clean = cleanText(id, longestId + 1);
  return clean === '' || [...clean].length > longestId ? undefined : clean;
}

/** A report that has been made fit to be stored. */
export type CleanReport = NetworkReport & { readonly [cleaned]: true };
declare const cleaned: unique symbol;

export function cleanReports(reports: readonly NetworkReport[], onIgnored: OnIgnored): CleanReport[] {
  return reports.map((report) => {
    const { networkId, reason, reasonCode, occurredAt, details, ...rest } = report;
    const id = usable(networkId, cleanId, () => onIgnored('id'));
    const at = usable(occurredAt, cleanInstant, () => onIgnored('time'));
    return {
      ...rest,
      ...(id === undefined ? {} : { networkId: id }),
      ...(at === undefined ? {} : { occurredAt: at }),
      ...(reason === undefined ? {} : { reason: cleanText(reason, longestReason) }),
      ...(reasonCode === undefined ? {} : { reasonCode: cleanText(reasonCode, longestCode) }),
      ...(details === undefined ? {} : { details: cleanDetails(details) }),
    } as CleanReport;
  });
}

function cleanDetails(details: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, cleanText(value, longestDetail)]),
  );
}

/** News of templates whose name or language no template of ours can have is left out. */
export function cleanTemplateNews(news: readonly TemplateNews[], onIgnored: OnIgnored): TemplateNews[] {
  return news.flatMap((one) => {
    const name = cleanText(one.name, longestTemplateName);
    const language = cleanText(one.language, longestTemplateName);
    if (name !== one.name || language !== one.language) {
      onIgnored('id');
      return [];
    }
    const { occurredAt, ...rest } = one;
    const at = usable(occurredAt, cleanInstant, () => onIgnored('time'));
    const comment = 'comment' in rest ? { comment: cleanText(rest.comment, longestReason) } : {};
    return [{ ...rest, ...(at === undefined ? {} : { occurredAt: at }), ...comment }];
  });
}

function cleanBody(body: PhoneMessage['body'], onIgnored: OnIgnored): PhoneMessage['body'] {
  if ('part' in body) return { part: cleanPart(body.part, onIgnored) };
  if ('content' in body) return { content: cleanContent(body.content, onIgnored) };
  const { text, ...unreadable } = body.unreadable;
  return { unreadable: { ...unreadable, text: storable(text.slice(0, longestUnreadable)) } };
}

/** Texts keep their lines. A file without a usable id is none. */
export function cleanMessages(messages: readonly PhoneMessage[], onIgnored: OnIgnored): PhoneMessage[] {
  return messages.map(({ body, ...message }) => ({
    ...message,
    ...cleanEnds(message, onIgnored),
    body: cleanBody(body, onIgnored),
  }));
}

function cleanPreferences(preferences: readonly PhonePreference[], onIgnored: OnIgnored): PhonePreference[] {
  return preferences.map((preference) => ({
    ...preference,
    ...cleanEnds(preference, onIgnored),
    occurredAt: usable(preference.occurredAt, cleanInstant, () => onIgnored('time')),
  }));
}

type Ends = Pick<PhoneMessage, 'from' | 'userId' | 'to' | 'toId'>;

function cleanEnds({ from, userId, to, toId }: Ends, onIgnored: OnIgnored): Ends {
  return {
    from: from === undefined ? undefined : cleanText(from, longestNumber),
    userId: usable(userId, cleanId, () => onIgnored('id')),
    to: cleanText(to, longestNumber),
    toId: usable(toId, cleanId, () => onIgnored('id')),
  };
}

/** A part has its share of the longest text, so that all of them together are none that is longer. */
function cleanPart(part: PhonePart, onIgnored: OnIgnored): PhonePart {
  const most = Math.floor(longestText / part.total);
  if (part.octets.length <= most) return part;
  onIgnored('text');
  return { ...part, octets: part.octets.subarray(0, most) };
}

/** A text that was joined from parts is cleaned again. */
export function cleanContent(
  { kind, text, media }: PhoneContent,
  onIgnored: OnIgnored = () => {},
): PhoneContent {
  if (text.length > longestText) onIgnored('text');
  const id = usable(media?.id, cleanId, () => onIgnored('id'));
  return {
    kind: kind === 'media' && id === undefined ? 'other' : kind,
    text: storable(text.slice(0, longestText)),
    ...(id === undefined ? {} : { media: { id, mimeType: cleanText(media?.mimeType ?? '', longestId) } }),
  };
}

export function cleanReason(reason: string): string {
  return cleanText(reason, longestReason);
}

function cleanIdentities(identities: readonly PhoneIdentity[], onIgnored: OnIgnored): PhoneIdentity[] {
  return identities.map(({ names, ...rest }) => ({
    ...rest,
    names: names.flatMap((name) => usable(name, cleanId, () => onIgnored('id')) ?? []),
  }));
}

function cleanNotice({ about, says, until }: NetworkNotice, onIgnored: OnIgnored): NetworkNotice {
  return {
    about: cleanText(about, longestId),
    says: says === undefined ? undefined : cleanReason(says),
    until: usable(until, cleanInstant, () => onIgnored('time')),
  };
}

export type CleanNews = Omit<Required<InboundNews>, 'reports' | 'pause'> & {
  reports: CleanReport[];
  pause: string | undefined;
};

/** All that a call of a network says. */
export function cleanNews(
  {
    reports,
    templates = [],
    messages = [],
    preferences = [],
    identities = [],
    notices = [],
    pause,
  }: InboundNews,
  onIgnored: OnIgnored,
): CleanNews {
  return {
    reports: cleanReports(reports, onIgnored),
    templates: cleanTemplateNews(templates, onIgnored),
    messages: cleanMessages(messages, onIgnored),
    preferences: cleanPreferences(preferences, onIgnored),
    identities: cleanIdentities(identities, onIgnored),
    notices: notices.map((notice) => cleanNotice(notice, onIgnored)),
    pause: pause === undefined ? undefined : cleanReason(pause),
  };
}

/** The same connector, whose answers are fit to be stored. */
export function withCleanAnswers(connector: Connector, onIgnored: OnIgnored): Connector {
  const { send, ask } = connector;
  return {
    ...connector,
    send: async (messages, leftMs, lookAgain) =>
      (await send(messages, leftMs, lookAgain)).map((outcome) => cleanOutcome(outcome, onIgnored)),
    ...(ask === undefined
      ? {}
      : {
          ask: async (messages) =>
            (await ask(messages)).map(
              (asked): QueryResult => (asked.kind === 'unknown' ? asked : cleanOutcome(asked, onIgnored)),
            ),
        }),
  };
}

/** A message whose id cannot be used was taken by its network all the same. */
function cleanOutcome(outcome: HandOver, onIgnored: OnIgnored): HandOver {
  switch (outcome.kind) {
    case 'accepted': {
      const { networkId, partIds, ...rest } = outcome;
      const clean = (id: string) => usable(id, cleanId, () => onIgnored('id'));
      const id = networkId === undefined ? undefined : clean(networkId);
      return {
        ...rest,
        ...(id === undefined ? {} : { networkId: id }),
        ...(partIds === undefined ? {} : { partIds: partIds.flatMap((part) => clean(part) ?? []) }),
      };
    }
    case 'rejected': {
      const { reason, reasonCode, ...rest } = outcome;
      return {
        ...rest,
        reason: cleanText(reason, longestReason),
        ...(reasonCode === undefined ? {} : { reasonCode: cleanText(reasonCode, longestCode) }),
      };
    }
    case 'later':
    case 'unclear':
      return { ...outcome, delaySeconds: cleanDelay(outcome.delaySeconds) };
    case 'faulty':
      return outcome;
  }
}

function cleanInstant(instant: Date): Date | undefined {
  const ms = instant.getTime();
  return ms >= firstInstant && ms < endOfInstants ? instant : undefined;
}

function cleanDelay(seconds: number): number {
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longestDelaySeconds) : longestDelaySeconds;
}

/** The clean value; `onUnusable` is called when there was one and nothing of it can be used. */
function usable<Value>(
  value: Value | undefined,
  clean: (value: Value) => Value | undefined,
  onUnusable: () => void,
): Value | undefined {
  const result = value === undefined ? undefined : clean(value);
  if (value !== undefined && result === undefined) onUnusable();
  return result;
}
