/** Finds the route of a path in the table. */
import type { ConsoleRoute } from './page.ts';

export interface Found {
  route: ConsoleRoute;
  params: Record<string, string>;
}

/** The first that fits; `methods` are those of the path when none fits. */
export function findRoute(
  routes: readonly ConsoleRoute[],
  method: string,
  path: string,
): Found | { methods: string[] } {
  const fitting = routes.flatMap((route) => {
    const params = paramsOf(route.path, path);
    return params === undefined ? [] : [{ route, params }];
  });
  return (
    fitting.find(({ route }) => route.method === method) ?? {
      methods: fitting.map(({ route }) => route.method),
    }
  );
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [place, step] of wanted.entries()) {
    const text = decoded(given[place] ?? '');
    if (text === undefined || text === '') {
      if (step !== text) return undefined;
    } else if (step.startsWith(':')) params[step.slice(1)] = text;
    else if (step !== text) return undefined;
  }
  return params;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
