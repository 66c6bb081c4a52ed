/** Routes. */
import { explainRoute as explain } from '../../src/manage/networks/explain-route.ts';
import { removeRoute as remove, routes } from '../../src/manage/networks/routes.ts';
import { type ManagementHandler, wire } from './operation.ts';
import { changes, creates, gets } from './resource.ts';

/** Lists routes. */
export const listRoutes: ManagementHandler<'listRoutes'> = async ({ reply }, management) => {
  return reply(200, { items: (await routes.list(management)).map(wire) });
};

export const createRoute = creates('createRoute', routes, '/routes/');
export const getRoute = gets('getRoute', routes, 'routeName');
export const updateRoute = changes('updateRoute', routes, 'routeName');

/** Removes a route. */
export const removeRoute: ManagementHandler<'removeRoute'> = async ({ path, version, reply }, management) => {
  await remove(management, path.routeName, version);
  return reply(204);
};

/** Explains where a message would go. */
export const explainRoute: ManagementHandler<'explainRoute'> = async ({ body, reply }, management) => {
  return reply(200, wire(await explain(management, body)));
};
