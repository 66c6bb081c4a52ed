/**
 * Bounds the connections to a server, also while it is silent: one that was given up leaves a session behind that waits
 * on, and a server has slots for so many only. So it counts until the server responds on it, or closes it.
 */
import type { Socket } from 'node:net';

export interface ConnectionSlots {
  /**
   * Opens a connection once there is a slot for it. Rejects after `patienceMs`. `connect` has no limit of its own; it
   * passes on its socket at once.
   */
  open: <Connection>(
    connect: (onSocket: (socket: Socket) => void) => Promise<Connection>,
  ) => Promise<Connection>;
  /** The connection of this socket got no response. It stays open, and must not be used again. */
  giveUp: (socket: Socket) => void;
  isGivenUp: (socket: Socket) => boolean;
  /** The server responded, on a connection that was given up: all of them are closed. */
  responded: () => void;
  /** Ends what is being opened or was given up, not what is in use. */
  close: () => void;
}

interface SlotSettings {
  size: number;
  patienceMs: number;
  random?: () => number;
}

/**
 * Nobody may ever close a connection whose server has vanished. So one that was given up is closed after a while, a
 * longer one each time, and all of them once new ones work.
 */
const longestHoldMs = 600_000;

export function createConnectionSlots({
  size,
  patienceMs,
  random = Math.random,
}: SlotSettings): ConnectionSlots {
  const givenUp = new Set<Socket>();
  const opening = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let closed = false;
  let free = size;
  let holdMs = patienceMs;
  let timer: NodeJS.Timeout | undefined;
  // Since the timer was set.
  let silent = false;
  let opened = false;

  const enter = () => {
    if (free > 0) {
      free -= 1;
      return undefined;
    }
    return new Promise<void>((resolve, reject) => {
      const onSlot = () => {
        clearTimeout(limit);
        resolve();
      };
      const limit = setTimeout(() => {
        waiting.splice(waiting.indexOf(onSlot), 1);
        reject(silence());
      }, patienceMs);
      waiting.push(onSlot);
    });
  };
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const closeAll = () => {
    for (const socket of givenUp) socket.destroy();
    clearTimeout(timer);
    timer = undefined;
    holdMs = patienceMs;
  };
  const hold = () => {
    if (timer !== undefined || givenUp.size === 0) return;
    silent = false;
    opened = false;
    // Processes that lost the server together do not come back together.
    timer = setTimeout(closeSome, holdMs * (0.75 + random() / 2)).unref();
  };
  const closeSome = () => {
    timer = undefined;
    if (opened && !silent) return closeAll();
    const [oldest] = givenUp;
    oldest?.destroy();
    holdMs = Math.min(holdMs * 2, longestHoldMs);
    hold();
  };
  const giveUp = (socket: Socket) => {
    if (socket.destroyed) return;
    silent = true;
    givenUp.add(socket);
    socket.once('close', () => givenUp.delete(socket));
    hold();
  };

  return {
    open: async (connect) => {
      await enter();
      if (closed) {
        leave();
        throw silence();
      }
      let socket: Socket | undefined;
      const connecting = connect((one) => {
        socket = one;
        opening.add(one);
        one.once('close', () => {
          opening.delete(one);
          leave();
        });
      });
      connecting.catch(() => {
        if (socket === undefined) leave();
        else if (!givenUp.has(socket)) socket.destroy();
      });
      let limit: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        limit = setTimeout(() => {
          if (socket !== undefined) giveUp(socket);
          connecting.then(closeAll, () => {});
          reject(silence());
        }, patienceMs);
      });
      const connection = await Promise.race([connecting, late]).finally(() => {
        clearTimeout(limit);
        if (socket !== undefined) opening.delete(socket);
      });
      opened = true;
      return connection;
    },
    giveUp,
    isGivenUp: (socket) => givenUp.has(socket),
    responded: closeAll,
    close: () => {
      closed = true;
      for (const socket of opening) socket.destroy();
      closeAll();
    },
  };
}

function silence(): Error {
  return new Error('the database does not respond');
}
