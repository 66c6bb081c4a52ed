/** Lets pages of listed web origins call the operations of the contract (the CORS protocol of the Fetch standard). */
import type Koa from 'koa';

export interface WebOriginDependencies {
  /** Whether any client lists the origin; which one calls is known only once its token is. */
  isListed: (origin: string) => Promise<boolean>;
  /** Methods of the contract's operations at a path. */
  methodsAt: (path: string) => readonly string[];
}

const requestHeaders = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id, traceparent, tracestate';
const responseHeaders =
  'Error-Code, Idempotent-Replayed, Ignored-Properties, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';
/** Shorter than a working day: an origin that is taken off the list is soon rejected by browsers too. */
const preflightLifetimeSeconds = 600;

/** Responds to preflights, and leaves the listed origin of other requests in `ctx.state.webOrigin`. */
export function allowWebOrigins({ isListed, methodsAt }: WebOriginDependencies): Koa.Middleware {
  return async (ctx, next) => {
    const origin = ctx.get('origin');
    const methods = origin === '' ? [] : methodsAt(ctx.path);
    // Also where no origin is named: a shared cache must not hand that response to a page.
    ctx.vary('Origin');
    if (methods.length === 0) return next();
    if (!(await isListed(origin))) return next();

    ctx.set('Access-Control-Allow-Origin', origin);
    const asked = ctx.get('access-control-request-method');
    if (ctx.method !== 'OPTIONS' || asked === '') {
      ctx.set('Access-Control-Expose-Headers', responseHeaders);
      ctx.state.webOrigin = origin;
      return next();
    }
    ctx.status = 204;
    ctx.set({
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': requestHeaders,
      'Access-Control-Max-Age': String(preflightLifetimeSeconds),
    });
  };
}
