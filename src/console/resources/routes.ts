/** The routes of a kind of resource, which its definition is enough for. */
import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import type { Operation } from '../../contract/management.ts';
import { listRoute } from '../lists/list-page.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { act, actionPage } from './act.ts';
import { add, addPage, edit, editPage } from './change.ts';
import { type Definition, resourceOf } from './definition.ts';
import { detailPage } from './detail.ts';
import { listingOf } from './list.ts';

export function resourceRoutes(
  definition: Definition,
  operations: ReadonlyMap<string, Operation>,
): ConsoleRoute[] {
  const resource = resourceOf(definition, operations);
  const { get, create, update, actions } = resource;
  const { path, pages, drawsBy, above } = definition;
  const item = `${path}/:id`;
  const drawn = (of: Operation) => (drawsBy === undefined ? [of] : [of, { id: drawsBy }]);
  const own = pages?.(resource) ?? [];
  const isReplaced = (one: ConsoleRoute) =>
    own.some((other) => other.method === one.method && other.path === one.path);
  const usual = [
    listRoute(listingOf(resource)),
    // What stands above the facts refreshes.
    { ...route('GET', item, drawn(get), (page) => detailPage(resource, page)), shared: above !== undefined },
    ...(create === undefined
      ? []
      : [
          route('GET', `/new${path}`, [create], (page) => addPage(resource, page)),
          route('POST', `/new${path}`, [create], (page) => add(resource, page)),
        ]),
    ...(update === undefined
      ? []
      : [
          route('GET', `${item}/edit`, drawn(update), (page) => editPage(resource, page)),
          route('POST', `${item}/edit`, drawn(update), (page) => edit(resource, page)),
        ]),
    ...actions.flatMap((action) => [
      route('GET', `${item}/${action.path}`, [action.operation], (page) =>
        actionPage(resource, action, page),
      ),
      route('POST', `${item}/${action.path}`, [action.operation], (page) => act(resource, action, page)),
    ]),
  ];
  return [...own, ...usual.filter((one) => !isReplaced(one))];
}

function route(
  method: ConsoleRoute['method'],
  path: string,
  operations: readonly Pick<Operation, 'id'>[],
  handle: (page: PageContext) => ReturnType<ConsoleRoute['handle']>,
): ConsoleRoute {
  return { method, path, operations: operations.map(({ id }) => id as ManagementOperationId), handle };
}
