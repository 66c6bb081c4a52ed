/** Opens PostgreSQL: a pool whose connections are given up when the server is silent, and replaced when it is read-only. */
import { Socket } from 'node:net';
import knexFactory from 'knex';
import type { Logger } from 'pino';
import { saysReadOnly } from '../errors/database-away.ts';
import { knexLog, watchOutages } from './outage.ts';
import { createPlaces, type Places } from './places.ts';
import { unreachable, whenReachable } from './reach.ts';
import { neverNameStatements } from './statement.ts';

const patienceMs = 5_000;

export interface PostgresSettings {
  /** The most connections to PostgreSQL that this process opens for its own queries. */
  poolSize: number;
  /** False: each transaction may be in another session of the server. */
  sessions?: boolean;
  /** Waits for a server that is starting or out of reach, instead of failing. */
  waits?: boolean;
}

export async function openPostgres(
  url: string,
  { poolSize, sessions = true, waits = false }: PostgresSettings,
  logger: Logger,
) {
  let givingUp = false;
  const places = createPlaces({ size: poolSize, patienceMs });
  const afterCreate = (
    client: PostgresClient,
    done: (error: Error | null, client: PostgresClient) => void,
  ) => {
    giveUpWhenSilent(client, places, () => givingUp);
    // The server may take writes again, or be another one: new sessions show it, the present one need not.
    client.connection.on('errorMessage', ({ code }) => {
      if (saysReadOnly(code)) client.__knex__disposed = 'the session is read-only';
    });
    if (sessions) {
      // Compiling the larger statements takes seconds of CPU where running them takes milliseconds.
      client.query('set jit = off', (error) => {
        const { stream } = client.connection;
        // Knex would leave it open.
        if (error && !places.isGivenUp(stream)) stream.destroy();
        done(error, client);
      });
    } else {
      neverNameStatements(client);
      done(null, client);
    }
  };
  let onSocket: (socket: Socket) => void = () => {};
  const stream = () => {
    const socket = new Socket();
    onSocket(socket);
    return socket;
  };
  const knex = knexFactory({
    client: 'pg',
    // Knex's types do not know node-postgres' `stream`.
    connection: { connectionString: url, application_name: 'tarishi', keepAlive: true, stream } as never,
    pool: { min: 0, max: poolSize, afterCreate },
    acquireConnectionTimeout: patienceMs,
    log: knexLog(logger),
  });
  const pool = knex.client as PoolClient;
  const connect = pool.acquireRawConnection.bind(pool);
  pool.acquireRawConnection = () =>
    places.open((listener) => {
      // It makes its socket at once.
      onSocket = listener;
      return connect();
    });
  const disconnect = pool.destroyRawConnection.bind(pool);
  pool.destroyRawConnection = async (client) => {
    if (!places.isGivenUp(client.connection.stream)) await disconnect(client);
  };
  watchOutages(knex, logger, () => givingUp);
  const close = async () => {
    places.close();
    await knex.destroy();
  };
  const tryOnce = async () => knex.raw('select 1');
  await (waits ? whenReachable(logger, tryOnce) : tryOnce()).catch(async (error: unknown) => {
    await close();
    throw unreachable(url, error);
  });
  return {
    knex,
    embedded: false,
    url,
    giveUpOnSilence: () => {
      givingUp = true;
    },
    close,
  };
}

/** node-postgres' own query_timeout would leave the connection in use, with the response still to come. */
function giveUpWhenSilent(client: PostgresClient, places: Places, givingUp: () => boolean): void {
  const { stream } = client.connection;
  stream.setTimeout(patienceMs);
  // Comes for idle connections too.
  stream.on('timeout', () => {
    if (!givingUp() || client.readyForQuery) return;
    places.giveUp(stream);
    stream.once('data', places.responded);
    client.connection.emit('error', new Error('the database does not respond'));
  });
}

/** What Knex's types do not know of its client. */
interface PoolClient {
  acquireRawConnection: () => Promise<PostgresClient>;
  destroyRawConnection: (client: PostgresClient) => Promise<void>;
}

/** What Knex's types do not know of node-postgres' client. */
interface PostgresClient {
  query: (text: string, callback: (error: Error | null) => void) => void;
  connection: {
    stream: Socket;
    on: (event: 'errorMessage', listener: (error: { code?: string }) => void) => void;
    emit: (event: 'error', error: Error) => void;
  };
  /** False while a query is under way. */
  readyForQuery: boolean;
  /** Set: Knex replaces the connection before its next use. */
  __knex__disposed?: string;
}
