/** Finds the connector that takes the messages of a product and channel now. */

import type { ConnectorRegistry } from '../../connectors/runtime/registry.ts';
import type { HandOverDependencies } from '../../delivery/hand-over.ts';
import type { Product } from '../../model/plan.ts';
import { products } from '../../model/products.ts';
import { cached } from '../../platform/concurrency/cache.ts';
import { loadNumberConnectors } from '../../products/chatapp/repository.ts';
import { loadChannels } from '../../products/phone/repository.ts';
import { factsLifetimeMs, type ProcessContext } from '../context.ts';

/** `find`: the open connector of that name, if it takes messages. */
export function createRoutes(
  { database: { knex }, clock, logger }: ProcessContext,
  find: ConnectorRegistry['find'],
): HandOverDependencies['routeOf'] {
  const lifetime = { lifetimeMs: factsLifetimeMs, limitEntries: 1, clock };
  const channels = cached(
    async () => new Map((await loadChannels(knex)).map((channel) => [channel.name, channel])),
    lifetime,
  );
  const numberConnectors = cached(() => loadNumberConnectors(knex), lifetime);
  /** The name of the connector that takes a product's messages for a channel. */
  const connectorNames: { [P in Product]: (channel: string) => Promise<string | undefined> } = {
    sms: async (channel) => (await channels()).get(channel)?.connector,
    data: async (channel) => (await channels()).get(channel)?.bundleConnector,
    chatapp: async (phoneNumberId) => (await numberConnectors()).get(phoneNumberId),
  };
  /** Channels without a connector that the log already names. */
  const logged = new Set<string>();
  return async (product, channel) => {
    // Jobs in the database may name a product of another version.
    const name = await connectorNames[product]?.(channel);
    const place = `${product}/${channel}`;
    if (name !== undefined) logged.delete(place);
    else if (!logged.has(place)) {
      logged.add(place);
      logger.warn(
        { product, channel },
        'messages wait until they expire: the channel has no connector for them',
      );
    }
    const connector = name === undefined ? undefined : find(name);
    if (name === undefined || connector === undefined) return undefined;
    return products[product].queried && connector.ask === undefined ? undefined : { name, connector };
  };
}
