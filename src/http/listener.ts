/** Listens for HTTP: bounds on connections, a response to whatever is not valid HTTP, and an orderly end. */
import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type Address, bind } from '../bind.ts';
import { errors } from '../errors.ts';
import {
  connectionCheckIntervalMs,
  headerLimitBytes,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  requestTimeoutMs,
} from './bounds.ts';
import { namingHeaders } from './errors.ts';

export interface Listener {
  port: number;
  /** Where this machine reaches it. */
  url: string;
  /** Responds to all requests, also to those that came before. */
  serve: (respond: RequestListener) => void;
  /** Accepts no new connections, responds to what was read, and ends within `graceMs`. */
  close: (graceMs: number) => Promise<void>;
}

/**
 * Binds the address; requests wait until `serve`. So whatever has to know its own address, such as the issuer of
 * tokens, is built on the real one, and a port that is in use ends a start before it has changed anything.
 */
export async function listen(address: Address & { connectionLimit: number }): Promise<Listener> {
  let respond: RequestListener | undefined;
  const waiting: [IncomingMessage, ServerResponse][] = [];
  const server = createServer({
    maxHeaderSize: headerLimitBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: connectionCheckIntervalMs,
    // Refused below: Node's own rejection has no body.
    requireHostHeader: false,
  });
  server.maxConnections = address.connectionLimit;
  const respondToValid: RequestListener = (request, response) => {
    request.url = originForm(request.url ?? '');
    const fault = faultOf(request);
    if (fault !== undefined) refuseByHand(request.socket, fault);
    else if (respond === undefined) waiting.push([request, response]);
    else respond(request, response);
  };
  server.on('request', respondToValid);
  // 100 Continue is sent when a body is read; otherwise the client need not send it.
  server.on('checkContinue', respondToValid);
  // Node's 417 has no body; RFC 9110, 10.1.1 allows us to ignore unknown expectations.
  server.on('checkExpectation', respondToValid);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseByHand(socket, statusOfParserError[error.code ?? ''] ?? badRequest),
  );
  server.on('connect', (_request, socket) => refuseByHand(socket, badRequest));
  const port = await bind(server, address);

  return {
    port,
    url: `http://${reachable(address.host)}:${port}`,
    serve: (by) => {
      respond = by;
      for (const [request, response] of waiting.splice(0)) by(request, response);
    },
    close: async (graceMs) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Idle connections of keep-alive clients would hold the server open.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const force = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

const badRequest = 400;
const versionNotSupported = 505;
const statusOfParserError: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_INVALID_VERSION: versionNotSupported,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Path and query of a target that is a whole URL (RFC 9112, 3.2.2); others stay. */
function originForm(target: string): string {
  const [scheme] = /^https?:\/\//i.exec(target) ?? [];
  if (scheme === undefined) return target;
  const afterScheme = target.slice(scheme.length);
  const end = afterScheme.search(/[/?#]/);
  if (end === 0 || afterScheme === '') return target;
  const rest = end === -1 ? '' : afterScheme.slice(end);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The status of what Node's parser lets pass, and we do not. */
function faultOf(request: IncomingMessage): number | undefined {
  const { httpVersion, rawHeaders, method, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return versionNotSupported;
  if (!url.startsWith('/') && !(method === 'OPTIONS' && url === '*')) return badRequest;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  // RFC 9112, 3.2
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? badRequest : undefined;
}

/** Invalid HTTP never reaches Koa: the response is written by hand, in the form of the contract. */
function refuseByHand(socket: Duplex, status: number): void {
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
}
