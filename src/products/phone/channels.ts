/** Finds the channel of a phone number: the one that it moved to, or else that of its longest prefix. */

import type { Product } from '../../model/plan.ts';
import { type RoutedFacts, type RoutesByProduct, readWay, wayOf } from '../../model/route.ts';
import { channelOf, type PackedNumbers } from './ported.ts';

/** A mobile network as clients see it. */
export interface Channel {
  name: string;
  /** E.164 digits without the plus, such as `25470`. */
  prefixes: readonly string[];
  /** Name of the connector that hands SMS to this network. */
  connector: string;
  /** Name of the connector that provisions its data bundles. */
  bundleConnector?: string | undefined;
  /** What the network wants at the end of each MARKETING SMS. */
  promotionalSuffix?: string | undefined;
  /** Names of the registrations without which it takes no SMS. */
  requiredRegistrations?: readonly string[] | undefined;
  /** Those that decide before `connector` and `bundleConnector` do; absent: none. */
  routes?: RoutesByProduct | undefined;
}

/** The mobile networks in use, prepared for look-ups. */
export interface ChannelTable {
  /** In the order in which responses list them. */
  names: readonly string[];
  /** The channel of a number in E.164 form. */
  find: (e164: string) => Channel | undefined;
  /** The same of a number whose channel was found before: among millions of ported numbers, finding takes a while. */
  named: (name: string) => Channel | undefined;
}

export function channelTable(
  channels: readonly Channel[],
  find: ChannelTable['find'] = channelFinder(channels),
): ChannelTable {
  const byName = new Map(channels.map((channel) => [channel.name, channel]));
  return { names: [...byName.keys()], find, named: (name) => byName.get(name) };
}

/**
 * A look-up over the given channels, built once. Takes a number in E.164 form; undefined if no channel has it. The
 * first of two channels with the same prefix gets it.
 */
export function channelFinder(channels: readonly Channel[]): (e164: string) => Channel | undefined {
  const byPrefix = new Map<string, Channel>();
  for (const channel of channels) {
    for (const prefix of channel.prefixes) {
      if (!byPrefix.has(prefix)) byPrefix.set(prefix, channel);
    }
  }
  const lengths = [...new Set([...byPrefix.keys()].map((prefix) => prefix.length))].sort((a, b) => b - a);
  return (e164) => {
    for (const length of lengths) {
      const channel = byPrefix.get(e164.slice(1, 1 + length));
      if (channel !== undefined) return channel;
    }
    return undefined;
  };
}

/** What the messages of a request may go through, by the name of their channel; nothing where it has no routes. */
export function wayOfChannels(
  { named }: Pick<ChannelTable, 'named'>,
  product: Product,
  facts: RoutedFacts,
): (channel: string) => { way?: string } {
  const ways = new Map<string, { way?: string }>();
  return (channel) => {
    const known = ways.get(channel);
    if (known !== undefined) return known;
    const routes = named(channel)?.routes?.[product];
    const found = routes === undefined ? {} : { way: wayOf(routes, facts) };
    ways.set(channel, found);
    return found;
  };
}

/** The connector that an SMS goes through while it takes messages. */
export function firstConnector(channel: Channel | undefined, way: string | undefined): string | undefined {
  const name = way === undefined ? undefined : readWay(way).route;
  const route = channel?.routes?.sms?.routes.find((one) => one.name === name);
  return route?.via[0]?.connector ?? channel?.connector;
}

/** The same, but for numbers that moved to another channel. One that moved to a channel that is not in use has none. */
export function portedOrPrefixed(
  channels: readonly Channel[],
  ported: PackedNumbers & { names: readonly string[] },
): (e164: string) => Channel | undefined {
  const byPrefix = channelFinder(channels);
  if (ported.channels.length === 0) return byPrefix;
  const byName = new Map(channels.map((channel) => [channel.name, channel]));
  const byPlace = ported.names.map((name) => byName.get(name));
  return (e164) => {
    const place = channelOf(ported, e164);
    return place === undefined ? byPrefix(e164) : byPlace[place];
  };
}
