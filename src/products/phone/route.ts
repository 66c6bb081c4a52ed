/** Parses the phone numbers of a request and finds their channels, or rejects the request and lists every faulty number. */
import { errors } from '../../platform/errors.ts';
import type { ChannelTable } from './channels.ts';
import type { PhoneParser } from './parse.ts';

export interface Recipient<Content> {
  /** The number as the client wrote it. */
  written: string;
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

/** A recipient with a valid number. */
export interface ParsedRecipient<Content> extends Recipient<Content> {
  /** E.164. */
  phone: string;
  /** Its place in the request as it was sent, from 0. */
  position: number;
}

/** A recipient with a valid number and a channel. */
export interface RoutedRecipient<Content> extends ParsedRecipient<Content> {
  channel: string;
}

/** Every number is valid; channels do not matter. */
export function parseRecipients<Content>(
  { audience, recipients }: Audience<Content>,
  parsePhone: PhoneParser,
): ParsedRecipient<Content>[] {
  const parsed = parseAll(recipients, parsePhone);
  return audience === 'each' ? parsed : distinctByPhone(parsed);
}

/**
 * Every number is valid and has a channel. Invalid numbers are reported first and alone: a client that removes
 * invalid numbers from its address book must not lose those without a channel.
 */
export function routeRecipients<Content>(
  { audience, recipients }: Audience<Content>,
  parsePhone: PhoneParser,
  channels: ChannelTable,
): RoutedRecipient<Content>[] {
  const routed = withChannels(parseAll(recipients, parsePhone), channels);
  return audience === 'each' ? routed : distinctByPhone(routed);
}

/** Throws 400 for numbers without a channel. */
export function withChannels<Content>(
  recipients: readonly ParsedRecipient<Content>[],
  channels: ChannelTable,
): RoutedRecipient<Content>[] {
  const routed: RoutedRecipient<Content>[] = [];
  const unrouted: string[] = [];
  for (const parsed of recipients) {
    const channel = channels.find(parsed.phone);
    if (channel === undefined) unrouted.push(parsed.written);
    else routed.push({ ...parsed, channel: channel.name });
  }
  if (unrouted.length > 0) throw errors.noChannel(unrouted);
  return routed;
}

function parseAll<Content>(
  recipients: readonly Recipient<Content>[],
  parsePhone: PhoneParser,
): ParsedRecipient<Content>[] {
  const parsed: ParsedRecipient<Content>[] = [];
  const invalid: string[] = [];
  for (const [position, { written, content }] of recipients.entries()) {
    const phone = parsePhone(written);
    if (phone === undefined) invalid.push(written);
    else parsed.push({ written, phone, position, content });
  }
  if (invalid.length > 0) throw errors.invalidPhones(invalid);
  return parsed;
}

function distinctByPhone<Parsed extends { phone: string }>(recipients: readonly Parsed[]): Parsed[] {
  const byPhone = new Map<string, Parsed>();
  for (const recipient of recipients)
    if (!byPhone.has(recipient.phone)) byPhone.set(recipient.phone, recipient);
  return [...byPhone.values()];
}
