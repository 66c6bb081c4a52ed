/**
 * Responds to pipelined requests: one at a time on a connection, however many its client sends at once. Those that were sent
 * ahead start one in each round of the event loop, over all connections, so that they hold up nobody who waits.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipelinedRequestsLimit } from '../bounds.ts';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface Pipelining {
  /** Responds to the request once the responses to those before it on its connection were taken by the client. */
  take: RequestListener;
  /** The request of the connection that is being responded to. */
  current: (socket: Socket) => Exchange | undefined;
  /** From now on each connection is asked to leave with its last response. */
  announceEnd: () => void;
  /** Connections of which no request and no part of one has come since their last response. */
  idle: () => Socket[];
}

interface Connection {
  current: Exchange | undefined;
  waiting: Exchange[];
  /** When the last response was complete. */
  bytesRead: number;
}

export function createPipelining(connections: Iterable<Socket>, respond: RequestListener): Pipelining {
  const known = new WeakMap<Socket, Connection>();
  const sentAhead: (() => void)[] = [];
  let ending = false;

  const of = (socket: Socket): Connection => {
    const connection = known.get(socket) ?? { current: undefined, waiting: [], bytesRead: 0 };
    known.set(socket, connection);
    return connection;
  };
  const askToLeave = ({ waiting, current }: Connection) => {
    if (waiting.length === 0 && current?.response.headersSent === false)
      current.response.setHeader('Connection', 'close');
  };
  const start = (socket: Socket, connection: Connection, exchange: Exchange) => {
    connection.current = exchange;
    if (ending) askToLeave(connection);
    exchange.response.once('close', () => {
      connection.bytesRead = socket.bytesRead;
      connection.current = connection.waiting.shift();
      if (connection.current !== undefined) startLater(socket, connection, connection.current);
    });
    respond(exchange.request, exchange.response);
  };
  const startLater = (socket: Socket, connection: Connection, exchange: Exchange) => {
    sentAhead.push(() => {
      // A connection that closes takes with it what was waiting.
      if (!socket.writable) return;
      if (connection.waiting.length === 0) socket.resume();
      start(socket, connection, exchange);
    });
    if (sentAhead.length === 1) setImmediate(startOne);
  };
  const startOne = () => {
    sentAhead.shift()?.();
    if (sentAhead.length > 0) setImmediate(startOne);
  };

  return {
    take: (request, response) => {
      const { socket } = request;
      const connection = of(socket);
      if (connection.current === undefined) return start(socket, connection, { request, response });
      if (connection.waiting.length === pipelinedRequestsLimit) return void socket.destroy();
      connection.waiting.push({ request, response });
      socket.pause();
    },
    current: (socket) => known.get(socket)?.current,
    announceEnd: () => {
      ending = true;
      for (const socket of connections) askToLeave(of(socket));
    },
    idle: () =>
      [...connections].filter((socket) => {
        const { current, bytesRead } = of(socket);
        return current === undefined && socket.bytesRead === bytesRead;
      }),
  };
}
