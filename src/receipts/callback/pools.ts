/** One connection pool per origin, for as long as it is used: very many origins cost no more memory than many. */
import { type buildConnector, errors, Pool } from 'undici';

export interface Pools {
  /** Runs `exchange` with the pool of an origin, which stays open at least until it ends. */
  use: <Result>(origin: string, exchange: (pool: Pool) => Promise<Result>) => Promise<Result>;
  /** Pools that are open now, used or idle. */
  size: () => number;
  /** Aborts exchanges under way, and closes all connections. */
  close: () => Promise<void>;
}

interface Entry {
  pool: Pool;
  users: number;
  idleTimer: NodeJS.Timeout | undefined;
}

const answerHeadersLimitBytes = 16 * 1024;
const connectionsPerOrigin = 32;
/** Shorter than the time after which common servers close an idle connection, perhaps under our next request. */
const idleConnectionMs = 4_000;
/** Beyond those in use, of which there are no more than posts under way. */
const idlePools = 256;

/**
 * undici's Agent keeps the pool of an origin whose requests were all aborted, for good: an origin that accepts
 * connections and never answers would stay in memory.
 */
export function createPools(
  connect: buildConnector.connector,
  { idleMs = idleConnectionMs, mostIdle = idlePools } = {},
): Pools {
  const entries = new Map<string, Entry>();
  /** The longest idle one first. */
  const idle = new Map<string, Entry>();
  let closed = false;

  const discard = (origin: string, { pool, idleTimer }: Entry) => {
    clearTimeout(idleTimer);
    idle.delete(origin);
    entries.delete(origin);
    return pool.destroy();
  };

  const acquire = (origin: string): Entry => {
    if (closed) throw new errors.ClientDestroyedError();
    const known = entries.get(origin);
    const entry = known ?? { pool: createPool(origin, connect), users: 0, idleTimer: undefined };
    if (known === undefined) entries.set(origin, entry);
    clearTimeout(entry.idleTimer);
    idle.delete(origin);
    entry.users += 1;
    return entry;
  };

  const release = (origin: string, entry: Entry) => {
    entry.users -= 1;
    if (closed || entry.users > 0) return;
    idle.set(origin, entry);
    entry.idleTimer = setTimeout(() => void discard(origin, entry), idleMs);
    const [longestIdle] = idle;
    if (idle.size > mostIdle && longestIdle !== undefined) void discard(...longestIdle);
  };

  return {
    use: async (origin, exchange) => {
      const entry = acquire(origin);
      try {
        return await exchange(entry.pool);
      } finally {
        release(origin, entry);
      }
    },
    size: () => entries.size,
    close: async () => {
      closed = true;
      await Promise.all([...entries].map(([origin, entry]) => discard(origin, entry)));
    },
  };
}

function createPool(origin: string, connect: buildConnector.connector): Pool {
  return new Pool(origin, {
    connect,
    allowH2: false,
    connections: connectionsPerOrigin,
    pipelining: 1,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMs,
    maxHeaderSize: answerHeadersLimitBytes,
    // Each exchange has a limit for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
