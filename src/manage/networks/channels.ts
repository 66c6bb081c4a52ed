/** Manages channels: the mobile networks, their prefixes and their connectors. */
import type { Knex } from 'knex';
import { changeable, fixed, kept } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import { resource } from '../resource.ts';
import { connectorFaults } from './connector-faults.ts';

export const channels = resource({
  noun: 'channel',
  table: 'channels',
  key: 'name',
  order: ['position', 'name'],
  properties: {
    name: fixed<string>(),
    /** The first digits of its phone numbers; the longest match over all channels wins. */
    prefixes: changeable<readonly string[]>(),
    /** For SMS. */
    connector: changeable<string>(),
    /** For data bundles; null: none. */
    bundleConnector: changeable<string | null>({ initially: null }),
    /** What ends each MARKETING SMS; null: nothing. */
    promotionalSuffix: changeable<string | null>({ initially: null }),
    /** Names of registrations without which it takes no SMS. */
    requiredRegistrations: changeable<readonly string[]>({ initially: [] }),
    /** Whether it accepts messages. */
    enabled: changeable<boolean>({ initially: true }),
    /** Where responses list it: behind those that were there before. */
    position: kept<number>({ onInsert: '(select coalesce(max(position), -1) + 1 from channels)' }),
  },
  settle: ({ prefixes }) => ({ prefixes: [...new Set(prefixes.map((prefix) => prefix.replace('+', '')))] }),
  check: (channel, { trx }) => storedFaults(trx, channel),
  view: ({ position: _position, ...channel }) => channel,
});

interface Routed {
  name: string;
  prefixes: readonly string[];
  connector: string;
  bundleConnector: string | null;
}

/** Connectors that are unknown or for another product, and prefixes that another channel has. */
async function storedFaults(
  knex: Knex,
  { name, prefixes, connector, bundleConnector }: Routed,
): Promise<Fault[]> {
  const others = (await channels.rows.list(knex)).filter((other) => other.name !== name);
  return [
    ...(await connectorFaults(knex, connector, 'sms')),
    ...(bundleConnector === null ? [] : await connectorFaults(knex, bundleConnector, 'data')),
    ...others.flatMap((other) =>
      prefixes
        .filter((prefix) => other.prefixes.includes(prefix))
        .map((prefix) => faults.prefixTaken(prefix, other.name)),
    ),
  ];
}
