/** Finds the channel of every recipient, or names all that have none. */
import { errors } from '../errors.ts';
import type { ChannelTable } from './channels.ts';
import type { PhoneParser } from './parse.ts';

export interface Recipient<Content> {
  /** As the client wrote it. */
  phone: string;
  content: Content;
}

export interface Audience<Content> {
  /**
   * each: every recipient is a message of its own. many: all share the first one's content, and a number that
   * comes twice is one recipient.
   */
  audience: 'each' | 'many';
  /** At least one. */
  recipients: readonly Recipient<Content>[];
}

/** A recipient whose number is understood and has a channel. */
export interface RoutedRecipient<Content> {
  /** As the client wrote it. */
  written: string;
  /** E.164. */
  phone: string;
  channel: string;
  content: Content;
}

/** Rule 7: every number is understood and has a channel, or all that have not are named. */
export function routeRecipients<Content>(
  { audience, recipients }: Audience<Content>,
  parsePhone: PhoneParser,
  channels: ChannelTable,
): RoutedRecipient<Content>[] {
  const routed: RoutedRecipient<Content>[] = [];
  const invalid = new Set<string>();
  for (const recipient of recipients) {
    const one = route(recipient, parsePhone, channels);
    if (one === undefined) invalid.add(recipient.phone);
    else routed.push(one);
  }
  if (invalid.size > 0) throw errors.invalidPhones([...invalid]);
  return audience === 'each' ? routed : distinctByPhone(routed);
}

function route<Content>(
  { phone: written, content }: Recipient<Content>,
  parsePhone: PhoneParser,
  channels: ChannelTable,
): RoutedRecipient<Content> | undefined {
  const phone = parsePhone(written);
  const channel = phone === undefined ? undefined : channels.find(phone);
  if (phone === undefined || channel === undefined) return undefined;
  return { written, phone, channel: channel.name, content };
}

function distinctByPhone<Content>(
  recipients: readonly RoutedRecipient<Content>[],
): RoutedRecipient<Content>[] {
  const byPhone = new Map<string, RoutedRecipient<Content>>();
  for (const recipient of recipients)
    if (!byPhone.has(recipient.phone)) byPhone.set(recipient.phone, recipient);
  return [...byPhone.values()];
}
