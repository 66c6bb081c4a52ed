/** Listens for HTTP: bounds on connections, a response to whatever is not valid HTTP, and an orderly end. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterPoll } from 'node:timers/promises';
import { type Address, bind } from '../../platform/bind.ts';
import {
  connectionCheckIntervalMs,
  headerLimitBytes,
  headersTimeoutMs,
  keepAliveTimeoutMs,
  noProgressMs,
  requestTimeoutMs,
} from '../bounds.ts';
import { createPipelining, type Pipelining } from './pipelining.ts';
import {
  badRequest,
  faultOf,
  originForm,
  refuseByHand,
  requestTimeout,
  statusOfUnreadable,
} from './validity.ts';

export interface Listener {
  port: number;
  /** Where this machine reaches it. */
  url: string;
  /** Responds to all requests, also to those that came before. */
  serve: (respond: RequestListener) => void;
  /**
   * Accepts no new connections and responds to what was read. Asks each connection to leave with its next response,
   * closes those that are idle after `idleMs`, and ends within `graceMs`.
   */
  close: (limits: { idleMs: number; graceMs: number }) => Promise<void>;
}

interface ListenerSettings extends Address {
  connectionLimit: number;
  /** For tests; otherwise `noProgressMs`. */
  stallLimitMs?: number;
}

/**
 * Binds the address; requests wait until `serve`. So whatever has to know its own address, such as the issuer of
 * tokens, is built on the real one, and a port that is in use ends a start before it has changed anything.
 */
export async function listen({
  connectionLimit,
  stallLimitMs = noProgressMs,
  ...address
}: ListenerSettings): Promise<Listener> {
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
  server.maxConnections = connectionLimit;
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const pipelining = createPipelining(connections, (request, response) => {
    if (respond === undefined) waiting.push([request, response]);
    else respond(request, response);
  });
  const takeValid: RequestListener = (request, response) => {
    request.url = originForm(request.url ?? '');
    const fault = faultOf(request);
    if (fault === undefined) pipelining.take(request, response);
    else refuseByHand(request.socket, fault);
  };
  server.on('request', takeValid);
  // 100 Continue is sent when a body is read; otherwise the client need not send it.
  server.on('checkContinue', takeValid);
  // Node's 417 has no body; RFC 9110, 10.1.1 allows us to ignore unknown expectations.
  server.on('checkExpectation', takeValid);
  server.on('clientError', (error, socket) => refuseByHand(socket, statusOfUnreadable(error)));
  server.on('connect', (_request, socket) => refuseByHand(socket, badRequest));
  server.setTimeout(stallLimitMs, (socket) => closeUnlessOurs(socket, pipelining, stallLimitMs));
  const port = await bind(server, address);

  return {
    port,
    url: `http://${reachable(address.host)}:${port}`,
    serve: (by) => {
      respond = by;
      for (const [request, response] of waiting.splice(0)) by(request, response);
    },
    close: async ({ idleMs, graceMs }) => {
      const closed = once(server, 'close');
      await stopAccepting(server);
      pipelining.announceEnd();
      const closeAll = (sockets: Iterable<Socket>) => {
        for (const socket of sockets) socket.destroy();
      };
      const force = setTimeout(() => closeAll(connections), graceMs);
      let sweep: NodeJS.Timeout | undefined;
      const wait = setTimeout(() => {
        // Right after a poll: what had arrived by then was read.
        sweep = setInterval(() => setImmediate(() => closeAll(pipelining.idle())), idleSweepMs);
      }, idleMs);
      await closed;
      for (const timer of [force, wait, sweep]) clearTimeout(timer);
      // Ends its checks of time-outs.
      server.close();
    },
  };
}

const idleSweepMs = 50;

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** For a connection on which no byte went either way for a while: it stays while its client waits for our response. */
function closeUnlessOurs(socket: Socket, pipelining: Pipelining, stallLimitMs: number): void {
  const { request, response } = pipelining.current(socket) ?? {};
  const untaken = socket.writableLength > 0 || !socket.writable;
  if (response === undefined || response.writableEnded || untaken) socket.destroy();
  else if (request?.complete) socket.setTimeout(stallLimitMs);
  else if (response.headersSent) socket.destroy();
  else refuseByHand(socket, requestTimeout);
}

/** A poll that took longer may have been long ago when the socket closes. */
const recentPollMs = 0.1;
const patienceMs = 1_000;

/**
 * Closing resets connections that have come since the event loop last polled: a proxy has sent requests on them and
 * may not repeat them. So the socket closes right after a poll that found none.
 */
async function stopAccepting(server: Server): Promise<void> {
  let accepted = false;
  const onConnection = () => {
    accepted = true;
  };
  server.on('connection', onConnection);
  const startedMs = performance.now();
  for (let nowMs = startedMs, sinceMs = 0; nowMs - startedMs < patienceMs; ) {
    accepted = false;
    sinceMs = nowMs;
    await afterPoll();
    nowMs = performance.now();
    if (!accepted && nowMs - sinceMs < recentPollMs) break;
  }
  server.off('connection', onConnection);
  // That of http would close all idle connections as well, on which requests may be on their way.
  NetServer.prototype.close.call(server);
}
