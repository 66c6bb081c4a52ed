/** A listener that only its own process reaches: connections are made in memory, and no port is bound. */
import { createServer } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { Listener } from './listener.ts';

export interface InMemoryListener extends Listener {
  /** The client's end of a new connection. */
  connect: () => Duplex;
}

export function listenInMemory(): InMemoryListener {
  const server = createServer();
  return {
    port: 0,
    url: 'http://localhost',
    serve: (respond) => server.on('request', respond),
    connect: () => {
      const [client, served] = duplexPair();
      server.emit('connection', served);
      return client;
    },
    close: async () => server.closeAllConnections(),
  };
}
