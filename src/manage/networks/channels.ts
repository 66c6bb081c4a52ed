/** Manages channels: the mobile networks, their prefixes and their connectors. */
import type { Knex } from 'knex';
import { type Fault, faults, requireNone } from '../../errors/management.ts';
import {
  findChannel,
  insertChannel,
  listChannels as listStored,
  type StoredChannel,
  updateChannel,
} from '../../phone/repository.ts';
import type { Management } from '../management.ts';
import { changeResource, createResource, getResource, type ResourceKind } from '../resource.ts';
import { rules } from '../rules.ts';
import { connectorFaults } from './routes.ts';

const kind: ResourceKind<StoredChannel> = {
  noun: 'channel',
  table: 'channels',
  key: 'name',
  find: findChannel,
  teamOf: () => null,
  view: (channel) => channel,
};

export interface NewChannel {
  name: string;
  /** The first digits of its phone numbers; the longest match over all channels wins. */
  prefixes: readonly string[];
  /** For SMS. */
  connector: string;
  /** For data bundles. */
  bundleConnector?: string | undefined;
}

export async function createChannel(
  management: Management,
  { name, prefixes, connector, bundleConnector }: NewChannel,
): Promise<StoredChannel> {
  const channel = { name, prefixes: digits(prefixes), connector, bundleConnector, active: true };
  return createResource(management, kind, {
    id: name,
    team: null,
    faults: prefixFaults(prefixes),
    check: (trx) => storedFaults(trx, channel),
    insert: (trx) => insertChannel(trx, channel),
  });
}

/** Channels belong to the platform; every caller may read them. */
export async function getChannel({ knex }: Management, name: string): Promise<StoredChannel> {
  return getResource({ knex, team: undefined }, kind, name);
}

export interface ChannelEdit {
  prefixes?: readonly string[] | undefined;
  connector?: string | undefined;
  /** Null: none. */
  bundleConnector?: string | null | undefined;
  /** Whether it accepts messages. */
  active?: boolean | undefined;
}

export async function changeChannel(
  management: Management,
  name: string,
  { prefixes, connector, bundleConnector, active }: ChannelEdit,
  version?: string,
): Promise<StoredChannel> {
  if (prefixes !== undefined) requireNone(prefixFaults(prefixes));
  return changeResource(management, kind, name, { action: 'change', version }, async (before, trx) => {
    const after: StoredChannel = {
      name,
      prefixes: prefixes === undefined ? before.prefixes : digits(prefixes),
      connector: connector ?? before.connector,
      bundleConnector: bundleConnector === null ? undefined : (bundleConnector ?? before.bundleConnector),
      active: active ?? before.active,
    };
    requireNone(await storedFaults(trx, after));
    await updateChannel(trx, after);
  });
}

/** In the order in which responses list them. */
export async function listChannels({ knex }: Management): Promise<StoredChannel[]> {
  return listStored(knex);
}

function digits(prefixes: readonly string[]): string[] {
  return [...new Set(prefixes.map((prefix) => prefix.replace('+', '')))];
}

function prefixFaults(prefixes: readonly string[]): Fault[] {
  const wrong = prefixes.length === 0 || prefixes.some((prefix) => !rules.prefix.rule.test(prefix));
  return wrong ? [faults.fieldRule('prefixes', rules.prefix.words)] : [];
}

/** Connectors that are unknown or for another product, and prefixes that another channel has. */
async function storedFaults(knex: Knex, channel: StoredChannel): Promise<Fault[]> {
  const { name, prefixes, connector, bundleConnector } = channel;
  const others = (await listStored(knex)).filter((other) => other.name !== name);
  return [
    ...(await connectorFaults(knex, connector, 'sms')),
    ...(bundleConnector === undefined ? [] : await connectorFaults(knex, bundleConnector, 'data')),
    ...others.flatMap((other) =>
      prefixes
        .filter((prefix) => other.prefixes.includes(prefix))
        .map((prefix) => faults.prefixTaken(prefix, other.name)),
    ),
  ];
}
