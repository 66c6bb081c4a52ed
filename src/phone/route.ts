/** Finds the channel of every recipient, or refuses the request and names each number that has none. */
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

/**
 * Rule 7: every number is understood and has a channel. Numbers that are not understood are reported first and
 * alone: a client that removes invalid numbers from its address book must not lose those without a channel.
 */
export function routeRecipients<Content>(
  { audience, recipients }: Audience<Content>,
  parsePhone: PhoneParser,
  channels: ChannelTable,
): RoutedRecipient<Content>[] {
  const routed: RoutedRecipient<Content>[] = [];
  const invalid: string[] = [];
  const unrouted: string[] = [];
  for (const { phone: written, content } of recipients) {
    const phone = parsePhone(written);
    const channel = phone === undefined ? undefined : channels.find(phone);
    if (phone === undefined) invalid.push(written);
    else if (channel === undefined) unrouted.push(written);
    else routed.push({ written, phone, channel: channel.name, content });
  }
  if (invalid.length > 0) throw errors.invalidPhones(invalid);
  if (unrouted.length > 0) throw errors.noChannel(unrouted);
  return audience === 'each' ? routed : distinctByPhone(routed);
}

function distinctByPhone<Content>(
  recipients: readonly RoutedRecipient<Content>[],
): RoutedRecipient<Content>[] {
  const byPhone = new Map<string, RoutedRecipient<Content>>();
  for (const recipient of recipients)
    if (!byPhone.has(recipient.phone)) byPhone.set(recipient.phone, recipient);
  return [...byPhone.values()];
}
