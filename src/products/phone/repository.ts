/** Loads the channels with their routes. */
import type { Knex } from 'knex';
import type { Product } from '../../model/plan.ts';
import type { Route, RoutesByProduct } from '../../model/route.ts';
import type { Channel } from './channels.ts';

interface Row extends Omit<Channel, 'bundleConnector' | 'promotionalSuffix' | 'routes'> {
  bundleConnector: string | null;
  promotionalSuffix: string | null;
  routes: StoredRoute[] | null;
}

type StoredRoute = Route & { product: Product; version: number };

/** The active ones, in the order in which responses list them. */
export async function loadChannels(knex: Knex): Promise<Channel[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select name, prefixes, connector, bundle_connector as "bundleConnector",
       promotional_suffix as "promotionalSuffix", required_registrations as "requiredRegistrations",
       (select json_agg(json_build_object('name', routes.name, 'product', product, 'match', match, 'via', via,
          'nextOnCodes', next_on_codes, 'version', version) order by routes.position, routes.name)
        from routes where channel = channels.name) as routes
     from channels where enabled order by position, name`,
  );
  return rows.map(({ routes, ...row }) => ({
    ...row,
    bundleConnector: row.bundleConnector ?? undefined,
    promotionalSuffix: row.promotionalSuffix ?? undefined,
    ...(routes === null ? {} : { routes: byProduct(routes) }),
  }));
}

function byProduct(stored: readonly StoredRoute[]): RoutesByProduct {
  return Object.fromEntries(
    [...Map.groupBy(stored, ({ product }) => product)].map(([product, all]) => [
      product,
      {
        version: Math.max(...all.map(({ version }) => version)),
        routes: all.map(({ product: _product, version: _version, ...route }) => route),
      },
    ]),
  );
}
