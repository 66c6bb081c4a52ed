/** Finds the route of a path in the table. */
import Router from '@koa/router';
import type { ConsoleRoute } from './page.ts';

export interface Found {
  route: ConsoleRoute;
  params: Record<string, string>;
}

/** The first that fits. `wrong method`: the path has routes, but none for this method. */
export function createFinder(
  routes: readonly ConsoleRoute[],
): (method: string, path: string) => Found | 'wrong method' | undefined {
  const router = new Router({ strict: true, sensitive: true });
  const byLayer = new Map(
    routes.map((route) => [router.register(route.path, [route.method], () => undefined), route] as const),
  );
  return (method, path) => {
    const { path: layers, pathAndMethod } = router.match(path, method);
    const [layer] = pathAndMethod;
    const route = layer && byLayer.get(layer);
    if (layer === undefined || route === undefined) return layers.length > 0 ? 'wrong method' : undefined;
    return { route, params: layer.params(path, layer.captures(path)) };
  };
}
