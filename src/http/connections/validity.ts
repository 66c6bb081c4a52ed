/** Rejects what Node's parser cannot read, or lets pass and we do not: by hand, as none of it reaches Koa. */

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errors } from '../../platform/errors.ts';
import { own } from '../../platform/text/own.ts';
import { lingerLimitMs } from '../bounds.ts';
import { namingHeaders } from '../errors.ts';

export const badRequest = 400;
export const requestTimeout = 408;
const versionNotSupported = 505;

const statusOfParserError: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_INVALID_VERSION: versionNotSupported,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
};

export function statusOfUnreadable({ code = '' }: NodeJS.ErrnoException): number {
  return own(statusOfParserError, code) ?? badRequest;
}

/** Path and query of a target that is a whole URL (RFC 9112, 3.2.2); others stay. */
export function originForm(target: string): string {
  const [scheme] = /^https?:\/\//i.exec(target) ?? [];
  if (scheme === undefined) return target;
  const afterScheme = target.slice(scheme.length);
  const end = afterScheme.search(/[/?#]/);
  if (end === 0 || afterScheme === '') return target;
  const rest = end === -1 ? '' : afterScheme.slice(end);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The status of what Node's parser lets pass, and we do not. */
export function faultOf(request: IncomingMessage): number | undefined {
  const { httpVersion, rawHeaders, method, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return versionNotSupported;
  if (!url.startsWith('/') && !(method === 'OPTIONS' && url === '*')) return badRequest;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  // RFC 9112, 3.2
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? badRequest : undefined;
}

/** Responds in the form of the contract, and closes the connection. */
export function refuseByHand(socket: Duplex, status: number): void {
  if (!socket.writable) return;
  const reason = STATUS_CODES[status] ?? '';
  const rejection = errors.notHttp(status, reason);
  const body = JSON.stringify({ desc: rejection.desc });
  const headers = {
    Connection: 'close',
    'X-Request-Id': randomUUID(),
    ...namingHeaders(rejection),
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
  // Its client may keep its side open, and Node has no time-out for what is no request.
  const force = setTimeout(() => socket.destroy(), lingerLimitMs).unref();
  socket.once('close', () => clearTimeout(force));
}
