/** Stores the caller's address in the request state. */
import type Koa from 'koa';
import { callerAddress } from '../access/caller-address.ts';

export interface Origin {
  /** The caller's IP address; undefined if the proxies in front do not report it. */
  address: string | undefined;
  /** What is counted and logged for the request: the caller's address, else that of the connection. */
  peer: string;
}

export function noteOrigin(trustedProxyHops: number): Koa.Middleware {
  return (ctx, next) => {
    const socketAddress = ctx.req.socket.remoteAddress ?? '';
    const address = callerAddress(socketAddress, ctx.get('x-forwarded-for') || undefined, trustedProxyHops);
    ctx.state.origin = { address, peer: address ?? socketAddress } satisfies Origin;
    return next();
  };
}
