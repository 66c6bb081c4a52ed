/** Puts the console onto a server: what it needs is loaded with its first page, not at the start of the service. */
import type Koa from 'koa';
import { consolePath } from './path.ts';
import type { ConsoleDependencies } from './server.ts';

export function mountConsole(dependencies: ConsoleDependencies): Koa.Middleware {
  let loading: Promise<Koa.Middleware> | undefined;
  return async (ctx, next) => {
    if (ctx.path !== consolePath && !ctx.path.startsWith(`${consolePath}/`)) return next();
    loading ??= import('./server.ts').then(({ createConsole }) => createConsole(dependencies));
    await (await loading)(ctx, next);
  };
}
