/** Opens PostgreSQL: a pool whose connections are given up when the server is silent, and replaced when it is read-only. */
import { Socket } from 'node:net';
import knexFactory from 'knex';
import type { Logger } from 'pino';
import { withPatience } from '../concurrency/patience.ts';
import { saysDatabaseIsAway, saysReadOnly, takesNoWrites } from '../errors/database-away.ts';
import { watchedClient } from './client.ts';
import { type ConnectionSlots, createConnectionSlots } from './connection-slots.ts';
import { createOutages, knexLog } from './outage.ts';
import { unreachable, whenReachable } from './reach.ts';
import { seeksWritable, serversIn } from './servers.ts';
import { neverNameStatements } from './statement.ts';

/** With a connection, a statement, and all of a request's waits that have no answer in between. */
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
  const urls = serversIn(url);
  // A standby has no unlogged tables, and says so by an error that does not count as an outage.
  const refused = seeksWritable(urls) ? 'transaction_read_only' : 'in_hot_standby';
  const afterCreate = (
    client: PostgresClient,
    done: (error: Error | null, client: PostgresClient) => void,
  ) => {
    const { slots } = serverOf(client);
    giveUpWhenSilent(client, slots, () => givingUp);
    // The server may take writes again, or be another one: new sessions show it, the present one need not.
    client.connection.on('errorMessage', ({ code }) => {
      if (saysReadOnly(code)) client.__knex__disposed = 'the session is read-only';
    });
    if (sessions) {
      // Compiling the larger statements takes seconds of CPU where running them takes milliseconds.
      client.query('set jit = off', (error) => {
        const { stream } = client.connection;
        // Knex would leave it open.
        if (error && !slots.isGivenUp(stream)) stream.destroy();
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
  // One that is silent must not take the slots of another.
  const servers: Server[] = urls.map((connectionString) => ({
    settings: { connectionString, application_name: 'tarishi', keepAlive: true, stream },
    slots: createConnectionSlots({ size: poolSize, patienceMs }),
  }));
  const used = new WeakMap<PostgresClient, Server>();
  const serverOf = (client: PostgresClient) => used.get(client) as Server;
  const knex = knexFactory({
    client: class extends watchedClient(createOutages(logger, () => givingUp)) {
      override acquireRawConnection(): Promise<PostgresClient> {
        const connections = servers.map((server) => this.connectTo(server));
        return firstOf(connections, (client) => this.destroyRawConnection(client));
      }

      override async destroyRawConnection(client: PostgresClient): Promise<void> {
        if (!serverOf(client).slots.isGivenUp(client.connection.stream))
          await super.destroyRawConnection(client);
      }

      connectTo(server: Server): Promise<PostgresClient> {
        return server.slots.open(async (listener) => {
          // It makes its socket at once.
          onSocket = listener;
          this.connectionSettings = server.settings;
          const client: PostgresClient = await super.acquireRawConnection();
          used.set(client, server);
          await requireOff(client, refused);
          return client;
        });
      }
    },
    // Knex's types do not know node-postgres' `stream`.
    connection: servers[0]?.settings as never,
    pool: { min: 0, max: poolSize, afterCreate },
    acquireConnectionTimeout: patienceMs,
    log: knexLog(logger),
  });
  const close = async () => {
    for (const { slots } of servers) slots.close();
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
    limitWaits: <Result>(work: () => Promise<Result>) => withPatience(patienceMs, work),
    close,
  };
}

/** The connection that is there first; the others are closed. Rejects with the error that says most. */
async function firstOf(
  attempts: readonly Promise<PostgresClient>[],
  close: (client: PostgresClient) => Promise<void>,
): Promise<PostgresClient> {
  const first = await Promise.any(attempts).catch(({ errors }: AggregateError) => {
    throw errors.find((error) => !saysDatabaseIsAway(error)) ?? errors[0];
  });
  for (const attempt of attempts)
    attempt.then((client) => (client === first ? undefined : close(client))).catch(() => {});
  return first;
}

/** As libpq's target_session_attrs read-write and primary do. */
function requireOff(
  client: PostgresClient,
  setting: 'transaction_read_only' | 'in_hot_standby',
): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(`show ${setting}`, (error, result) => {
      if (error) reject(error);
      else if (result?.rows[0]?.[setting] === 'off') resolve();
      else reject(takesNoWrites());
    });
  });
}

/** node-postgres' own query_timeout would leave the connection in use, with the response still to come. */
function giveUpWhenSilent(client: PostgresClient, slots: ConnectionSlots, givingUp: () => boolean): void {
  const { stream } = client.connection;
  stream.setTimeout(patienceMs);
  // Comes for idle connections too.
  stream.on('timeout', () => {
    if (!givingUp() || client.readyForQuery) return;
    slots.giveUp(stream);
    stream.once('data', slots.responded);
    client.connection.emit('error', new Error('the database does not respond'));
  });
}

interface Server {
  settings: object;
  slots: ConnectionSlots;
}

/** What Knex's types do not know of node-postgres' client. */
interface PostgresClient {
  query: (
    text: string,
    callback: (error: Error | null, result?: { rows: Record<string, string>[] }) => void,
  ) => void;
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
