/** Finds the operation that a call is for, and what its path has for each parameter. */
import { operationsOf } from './operations.ts';
import { dereferenced } from './references.ts';
import type { DocumentedOperation, Tree } from './types.ts';

/** Its schemas have no references. */
interface Routed {
  operationId?: string;
  method: string;
  path: string;
}

export interface Route<Operation> {
  /** The first part of its paths. */
  start: string;
  pattern: RegExp;
  parameterNames: string[];
  /** By method in small letters. */
  operations: Map<string, Operation>;
}

/** The route of a path; undefined where there is none. */
export type FindRoute<Operation> = (path: string) => Route<Operation> | undefined;

export function createRouteFinder<Operation extends Routed>(
  operations: readonly Operation[],
): FindRoute<Operation> {
  // Few patterns are tried for a path: no path of the documents begins with a parameter.
  const routes = Map.groupBy(routesOf(operations), ({ start }) => start);
  return (path) => routes.get(startOf(path))?.find(({ pattern }) => pattern.test(path));
}

/** The first part of a path. */
function startOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end === -1 ? path : path.slice(0, end);
}

/** The operation of a method and path; undefined where the document has none. */
export function createOperationFinder(
  document: Tree,
): (method: string, path: string) => DocumentedOperation | undefined {
  const routeOf = createRouteFinder(dereferenced(document, operationsOf(document)));
  return (method, path) => routeOf(path)?.operations.get(method.toLowerCase());
}

export function parametersOf(route: Route<unknown> | undefined, path: string): Record<string, string> {
  const match = route?.pattern.exec(path);
  const parameters: Record<string, string> = {};
  route?.parameterNames.forEach((name, index) => {
    parameters[name] = match?.[index + 1] ?? '';
  });
  return parameters;
}

function routesOf<Operation extends Routed>(operations: readonly Operation[]): Route<Operation>[] {
  const routes = new Map<string, Route<Operation>>();
  for (const operation of operations) {
    const { path, method } = operation;
    const route = routes.get(path) ?? newRoute(path, operation);
    route.operations.set(method, operation);
    // RFC 9110, 9.3.2: what serves GET serves HEAD; Node leaves the body out.
    if (method === 'get') route.operations.set('head', operation);
    routes.set(path, route);
  }
  // Fixed paths before templates, as OpenAPI wants.
  return [...routes.values()].sort((a, b) => a.parameterNames.length - b.parameterNames.length);
}

function newRoute<Operation extends Routed>(path: string, operation: Operation): Route<Operation> {
  const parameterNames: string[] = [];
  const source = path.replace(/\{([^{}]+)\}|[.*+?^$()|[\]\\]/g, (special, name?: string) => {
    if (name === undefined) return `\\${special}`;
    parameterNames.push(name);
    return `(${parameterPattern(operation, name)})`;
  });
  const start = startOf(path);
  if (start.includes('{'))
    throw new Error(`${operation.operationId}: a path must not begin with a parameter`);
  return { start, pattern: new RegExp(`^${source}$`), parameterNames, operations: new Map() };
}

/** An id that the document's pattern rejects is no route: 404, before anything else is looked at. */
function parameterPattern(operation: Routed, name: string): string {
  const { parameters = [] } = operation as Partial<DocumentedOperation>;
  const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
  const pattern = parameter?.schema?.pattern;
  if (pattern === undefined)
    throw new Error(`${operation.operationId}: path parameter ${name} needs a pattern`);
  return pattern.replace(/^\^|\$$/g, '');
}
