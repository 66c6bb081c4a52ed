/** Explains which connectors a message to a number would go through now. */
import { seenConnectors } from '../../connectors/runtime/state-repository.ts';
import type { Category } from '../../model/plan.ts';
import { productOfName } from '../../model/products.ts';
import { matchingRoute, stepsOf, type Via } from '../../model/route.ts';
import { faults, ManagementError } from '../../platform/errors/management.ts';
import { presentChannels } from '../../products/phone/ported-repository.ts';
import { loadChannels } from '../../products/phone/repository.ts';
import type { Management } from '../management.ts';
import type { RoutedProduct } from './routes.ts';

export interface RouteQuestion {
  /** E.164. */
  phone: string;
  product?: RoutedProduct | undefined;
  teamId?: string | undefined;
  serviceId?: string | undefined;
  sender?: string | undefined;
  category?: Category | undefined;
}

export interface ExplainedRoute {
  channel: string;
  /** Null: none matches, and the connector of the channel counts. */
  route: string | null;
  /** One that would get it; null: none takes messages. */
  connector: string | null;
  via: { connector: string; weight: number | null; condition: string; reason: string | null }[];
}

/** Throws a ManagementError if no channel has the number. */
export async function explainRoute(
  { knex }: Management,
  { phone, product = 'Sms', teamId = '', serviceId = '', sender = '', category }: RouteQuestion,
): Promise<ExplainedRoute> {
  const channel = (await presentChannels(knex, await loadChannels(knex), [phone]))(phone);
  if (channel === undefined) throw new ManagementError([faults.channelOfNumber(phone)]);
  const ofProduct = productOfName[product];
  const routes = channel.routes?.[ofProduct];
  const facts = { teamId, serviceId, sender, category: category ?? usualCategory[product] };
  const route = routes && matchingRoute(routes, facts);
  const own = ofProduct === 'sms' ? channel.connector : channel.bundleConnector;
  const via: readonly Via[] = route?.via ?? (own === undefined ? [] : [{ connector: own }]);
  const seen = new Map((await seenConnectors(knex)).map((one) => [one.name, one]));
  const isOpen = ({ connector }: Via) => seen.get(connector)?.condition === 'open';
  const takes = stepsOf(via, []).find((step) => step.some(isOpen));
  return {
    channel: channel.name,
    route: route?.name ?? null,
    connector: takes?.find(isOpen)?.connector ?? null,
    via: via.map(({ connector, weight }) => {
      const { condition = 'away', reason = null } = seen.get(connector) ?? {};
      return { connector, weight: weight ?? null, condition, reason };
    }),
  };
}

const usualCategory = { Sms: 'MARKETING', MobileData: 'UTILITY' } as const satisfies Record<
  RoutedProduct,
  Category
>;
