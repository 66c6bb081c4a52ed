/** Puts the console onto a server: what it needs is loaded with its first page, not at the start of the service. */
import type Koa from 'koa';
import type { ConsoleDependencies } from './server.ts';

const path = '/console';

export function mountConsole(dependencies: ConsoleDependencies): Koa.Middleware {
  let loading: Promise<Koa.Middleware> | undefined;
  return async (ctx, next) => {
    if (ctx.path !== path && !ctx.path.startsWith(`${path}/`)) return next();
    loading ??= import('./server.ts').then(({ createConsole }) => createConsole(dependencies));
    await (await loading)(ctx, next);
  };
}
