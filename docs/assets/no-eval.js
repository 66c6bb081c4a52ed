/**
 * Scalar's copy of zod tries whether it may compile code from strings. The page forbids that; refusing here,
 * before the browser does, keeps the attempt from being reported as a violation.
 */
globalThis.Function = new Proxy(Function, {
  construct() {
    throw new EvalError('code from strings is not allowed on this page');
  },
});
