/** Health and readiness for load balancers and supervisors: the state only, no details. */
import Router from '@koa/router';
import type { Readiness } from '../readiness.ts';

export function createHealthRoutes(readiness: Readiness): Router {
  const router = new Router();

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });

  router.get('/readyz', async (ctx) => {
    const reason = await readiness.check();
    ctx.set('Cache-Control', 'no-store');
    if (reason === undefined) ctx.body = { status: 'ready' };
    else {
      ctx.status = 503;
      ctx.body = { status: 'unavailable', reason };
    }
  });

  return router;
}
