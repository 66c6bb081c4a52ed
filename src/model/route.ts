/** Routes of a channel: which connectors messages may go through, which messages each is for, and where one moves on to. */
import type { Category, Product } from './plan.ts';
import type { FinalState } from './states.ts';

export interface Via {
  connector: string;
  /** Connectors with one that stand together share the messages by it. */
  weight?: number | undefined;
}

/** One with the weight that it has where nothing is said. */
export type Share = Via & { weight: number };

/** What a message must have: all of it. */
export interface Match {
  teamId?: string | undefined;
  serviceId?: string | undefined;
  sender?: string | undefined;
  category?: Category | undefined;
}

export interface Route {
  name: string;
  match: Match;
  /** At least one, each once. */
  via: readonly Via[];
  /** Of refusals after which the next connector is tried; null: all that are about the way, not about the recipient. */
  nextOnCodes: readonly string[] | null;
}

/** Those of a channel for one product, in the order in which they are looked at. */
export interface Routes {
  /** Of the newest of them. */
  version: number;
  /** At least one. */
  routes: readonly Route[];
}

export type RoutesByProduct = { readonly [P in Product]?: Routes };

/** What routes ask of a message. */
export interface RoutedFacts {
  teamId: string;
  serviceId: string;
  sender: string | null;
  category: Category;
}

export function matchingRoute({ routes }: Routes, facts: RoutedFacts): Route | undefined {
  return routes.find(({ match }) =>
    Object.entries(match).every(([name, value]) => facts[name as keyof RoutedFacts] === value),
  );
}

/**
 * What a message may still go through: the version of the routes that it was matched with, the route, and the connectors of
 * it that refused the message, such as `12/promo/main`. Part of the lane that it waits in.
 */
export interface Way {
  version: number;
  /** Undefined: no route is for it; the connector of its channel is. */
  route: string | undefined;
  tried: readonly string[];
}

const noRoute = '-';

export function wayOf(routes: Routes, facts: RoutedFacts): string {
  return `${routes.version}/${matchingRoute(routes, facts)?.name ?? noRoute}`;
}

export function readWay(way: string): Way {
  const [version, route, ...tried] = way.split('/');
  return { version: Number(version), route: route === noRoute ? undefined : route, tried };
}

export const withTried = (way: string, connector: string) => `${way}/${connector}`;

/**
 * The connectors of a route that are not tried yet, step by step: of a step any may get the message, by weight; a later step
 * counts while none of the earlier ones takes messages.
 */
export function stepsOf(via: readonly Via[], tried: readonly string[]): Share[][] {
  const steps: Share[][] = [];
  let shares = false;
  for (const { connector, weight } of via) {
    if (weight === undefined || !shares) steps.push([]);
    shares = weight !== undefined;
    steps.at(-1)?.push({ connector, weight: weight ?? 1 });
  }
  return steps
    .map((step) => step.filter(({ connector }) => !tried.includes(connector)))
    .filter((step) => step.length > 0);
}

/** Refusals of the way that a message came; all others say something of its recipient, or are no refusals. */
const ofTheWay: ReadonlySet<FinalState> = new Set<FinalState>([
  'Failed',
  'DeliveryImpossible',
  'SenderBlacklisted',
  'InvalidDenomination',
]);

/** Whether another connector might take what one refused. */
export function movesOn(
  { nextOnCodes }: Pick<Route, 'nextOnCodes'>,
  { state, reasonCode }: { state: FinalState; reasonCode?: string | undefined },
): boolean {
  if (nextOnCodes === null) return ofTheWay.has(state);
  return reasonCode !== undefined && nextOnCodes.includes(reasonCode);
}
