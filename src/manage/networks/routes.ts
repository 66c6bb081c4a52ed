/** Decides which connector may take a product, and finds products that no connector could deliver. */
import type { Knex } from 'knex';
import { listNumbers } from '../../chatapp/number-repository.ts';
import { takes } from '../../connectors/runtime/kinds.ts';
import { createConnectorRepository } from '../../connectors/runtime/repository.ts';
import { type Fault, faults } from '../../errors/management.ts';
import type { Product } from '../../intake/plan.ts';
import { listChannels, type StoredChannel } from '../../phone/repository.ts';
import type { Management } from '../management.ts';

const cannot: Readonly<Record<Product, string>> = {
  sms: 'cannot send SMS',
  data: 'cannot give bundles',
  chatapp: 'cannot send chat-app messages',
};

/** A fault if the connector does not exist or does not support the product. */
export async function connectorFaults(knex: Knex, name: string, product: Product): Promise<Fault[]> {
  const stored = await createConnectorRepository(knex).load();
  const connector = stored.find((one) => one.name === name);
  if (connector === undefined)
    return [
      faults.connectorUnknown(
        name,
        stored.map((one) => one.name),
      ),
    ];
  return takes(connector.kind, product)
    ? []
    : [faults.connectorProduct(name, cannot[product], connector.kind)];
}

export interface Route {
  team: string;
  product: Product;
  /** Of the account that pays: only what it can pay for; undefined: everything. */
  variant?: string | undefined;
}

/** Sentences on why messages of a product cannot be delivered; none if they can. */
export async function routeWarnings({ knex }: Management, route: Route): Promise<string[]> {
  const channels = (await listChannels(knex)).filter(({ active }) => active);
  return warnings[route.product](knex, channels, route);
}

const warnings: {
  readonly [P in Product]: (
    knex: Knex,
    channels: readonly StoredChannel[],
    route: Route,
  ) => Promise<string[]>;
} = {
  sms: async (_knex, channels) =>
    channels.length > 0 ? [] : ['no channel is active: SMS cannot be sent to any phone number'],
  data: async (_knex, channels, { variant }) => {
    if (channels.length === 0) return ['no channel is active: bundles cannot be given to any phone number'];
    const paidFor = channels.filter(({ name }) => variant === undefined || variant.startsWith(`${name}/`));
    return paidFor.flatMap(channelWarnings);
  },
  chatapp: async (knex, _channels, { team }) => {
    const numbers = await listNumbers(knex, { teamId: team, limit: 1 });
    return numbers.length > 0 ? [] : [`team ${team} has no sender: chat-app messages cannot be sent`];
  },
};

/** What cannot be delivered to a channel. */
export function channelWarnings({ name, bundleConnector }: StoredChannel): string[] {
  return bundleConnector === undefined
    ? [`channel ${name} has no bundle connector: its bundles wait until they expire and are refunded`]
    : [];
}
