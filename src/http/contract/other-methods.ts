/** Makes paths outside the contract respond to other methods like operations of the contract: 405 with `Allow`. */
import type Router from '@koa/router';
import type Koa from 'koa';
import { errors, Rejection } from '../../platform/errors.ts';

/** Runs before the contract, and responds if the contract does not have the path but one of the routers does. */
export function refuseOtherMethods(routers: readonly Router[]): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const allowed =
        error instanceof Rejection && error.status === 404 ? methodsAt(routers, ctx.path, ctx.method) : [];
      throw allowed.length === 0 ? error : errors.methodNotAllowed(ctx.method, allowed);
    }
  };
}

/** None if the path is unknown, or has the method. */
function methodsAt(routers: readonly Router[], path: string, method: string): string[] {
  const layers = routers.flatMap((router) => router.match(path, method).path);
  const methods = [...new Set(layers.flatMap((layer) => layer.methods))].sort();
  return methods.includes(method) ? [] : methods;
}
