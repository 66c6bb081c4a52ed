/** The table of all pages. */
import type { Operation } from '../http/management/document.ts';
import type { ConsoleRoute } from './page.ts';
import { definitions } from './resources/definitions.ts';
import { resourceRoutes } from './resources/routes.ts';

/** The first route that fits a path is taken. */
export function createRoutes(operations: ReadonlyMap<string, Operation>): ConsoleRoute[] {
  return definitions.flatMap((definition) => resourceRoutes(definition, operations));
}
