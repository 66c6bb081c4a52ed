/** Manages routes: the connectors that messages of a channel go through, and which messages each route is for. */
import type { Knex } from 'knex';
import type { Product } from '../../model/plan.ts';
import { type ProductName, productOfName, products } from '../../model/products.ts';
import type { Match, Via } from '../../model/route.ts';
import { changeable, fixed, kept } from '../../platform/db/rows.ts';
import { type Fault, faults } from '../../platform/errors/management.ts';
import type { Management } from '../management.ts';
import { resource, teamFaults } from '../resource.ts';
import { channels } from './channels.ts';
import { connectorFaults } from './connector-faults.ts';

/** Products that may have routes: a chat-app number belongs to one account. */
export type RoutedProduct = Extract<ProductName, 'Sms' | 'MobileData'>;

const nextVersion = "nextval('route_versions')";

export const routes = resource({
  noun: 'route',
  table: 'routes',
  key: 'name',
  order: ['channel', 'product', 'position', 'name'],
  properties: {
    name: fixed<string>(),
    channel: fixed<string>(),
    product: fixed<RoutedProduct>({
      initially: 'Sms',
      read: (stored: Product) => products[stored].name as RoutedProduct,
      write: (name) => productOfName[name],
    }),
    /** The lowest one of a channel is looked at first. */
    position: changeable<number>({ initially: 100 }),
    match: changeable<Match>({ initially: {} }),
    via: changeable<readonly Via[]>(),
    nextOnCodes: changeable<readonly string[] | null>({ initially: null }),
    /** What waits is matched again once it grows. */
    version: kept<number>({ onChange: nextVersion }),
  },
  check: async ({ channel, product, match, via }, { trx, management }) => [
    ...((await channels.rows.find(trx, channel)) === undefined ? [faults.notFound('channel', channel)] : []),
    ...(match.teamId === undefined ? [] : await teamFaults(trx, management, match.teamId)),
    ...(product === 'MobileData' && match.sender !== undefined
      ? [faults.notAllowedHere('match.sender', 'bundles')]
      : []),
    ...(await viaFaults(trx, via, productOfName[product])),
  ],
  view: ({ version: _version, ...route }) => route,
});

async function viaFaults(knex: Knex, via: readonly Via[], product: Product): Promise<Fault[]> {
  const names = new Set(via.map(({ connector }) => connector));
  const unknown = await Promise.all([...names].map((name) => connectorFaults(knex, name, product)));
  return [
    ...(names.size === via.length ? [] : [faults.fieldRule('via', 'connectors that differ')]),
    ...unknown.flat(),
  ];
}

/** What waits is matched with the others. */
export async function removeRoute(management: Management, name: string, version?: string): Promise<void> {
  await routes.remove(management, name, version, async (trx) => {
    await trx.raw(
      `update routes set version = ${nextVersion}
       where (channel, product) = (select channel, product from routes where name = ?)`,
      [name],
    );
  });
}
