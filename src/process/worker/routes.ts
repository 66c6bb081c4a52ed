/** Finds what the messages of a channel may go through now: the connectors of their route, or that of the channel. */
import type { ConnectorRegistry } from '../../connectors/runtime/registry.ts';
import type { Candidate, Ways } from '../../delivery/choice.ts';
import type { DeliveryDependencies } from '../../delivery/deliver.ts';
import type { Product } from '../../model/plan.ts';
import { products } from '../../model/products.ts';
import { type Routes, readWay, type Share, stepsOf, wayOf } from '../../model/route.ts';
import { cached } from '../../platform/concurrency/cache.ts';
import { loadNumberConnectors } from '../../products/chatapp/repository.ts';
import { loadChannels } from '../../products/phone/repository.ts';
import { factsLifetimeMs, type ProcessContext } from '../context.ts';

const closed: Ways = { steps: [] };

export function createRoutes(
  { database: { knex }, clock, logger }: ProcessContext,
  { find, whyNot }: Pick<ConnectorRegistry, 'find' | 'whyNot'>,
): Pick<DeliveryDependencies, 'waysOf' | 'wayFor'> {
  const lifetime = { lifetimeMs: factsLifetimeMs, limitEntries: 1, clock };
  const channels = cached(
    async () => new Map((await loadChannels(knex)).map((channel) => [channel.name, channel])),
    lifetime,
  );
  const numberConnectors = cached(() => loadNumberConnectors(knex), lifetime);
  /** The name of the connector that takes a product's messages for a channel where no route says otherwise. */
  const connectorNames: { [P in Product]: (channel: string) => Promise<string | undefined> } = {
    sms: async (channel) => (await channels()).get(channel)?.connector,
    data: async (channel) => (await channels()).get(channel)?.bundleConnector,
    chatapp: async (phoneNumberId) => (await numberConnectors()).get(phoneNumberId),
  };
  const routesOf = async (product: Product, channel: string): Promise<Routes | undefined> =>
    product === 'chatapp' ? undefined : (await channels()).get(channel)?.routes?.[product];
  /** Channels without a connector that the log already names. */
  const logged = new Set<string>();

  const candidate = (product: Product, { connector: name, weight }: Share): Candidate => {
    const connector = find(name);
    if (connector === undefined) return { name, weight, ...whyNot(name) };
    return products[product].queried && connector.ask === undefined
      ? { name, weight, reason: 'it cannot be asked what became of a bundle' }
      : { name, weight, connector };
  };

  const ofChannel = async (product: Product, channel: string): Promise<Ways> => {
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
    return name === undefined ? closed : { steps: [[candidate(product, { connector: name, weight: 1 })]] };
  };

  return {
    waysOf: async ({ product, channel, way }) => {
      const routes = await routesOf(product, channel);
      if (routes === undefined) return way === undefined ? ofChannel(product, channel) : 'unmatched';
      if (way === undefined) return 'unmatched';
      const { version, route: name, tried } = readWay(way);
      // This process has yet to see the newer ones.
      if (version > routes.version) return closed;
      if (version < routes.version) return 'unmatched';
      if (name === undefined) return ofChannel(product, channel);
      const route = routes.routes.find((one) => one.name === name);
      if (route === undefined) return 'unmatched';
      const steps = stepsOf(route.via, tried);
      return { steps: steps.map((step) => step.map((one) => candidate(product, one))), route };
    },
    wayFor: async (message) => {
      const routes = await routesOf(message.product, message.channel);
      return routes && wayOf(routes, { ...message, sender: message.requestSender });
    },
  };
}
