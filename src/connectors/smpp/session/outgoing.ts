/** Writes PDUs to a socket: those of one turn of the event loop together, because a system call costs more than a PDU. */
import type { Socket } from 'node:net';

export interface Outgoing {
  write: (octets: Buffer) => void;
  /** Writes now instead of at the end of the turn. */
  flush: () => void;
}

/** Octets that a peer may leave unread before we stop reading from it. */
const mostUnreadOctets = 1024 * 1024;

export function createOutgoing(socket: Socket): Outgoing {
  let waiting: Buffer[] = [];
  const flush = () => {
    const [first] = waiting;
    if (first === undefined || socket.destroyed) return;
    socket.write(waiting.length === 1 ? first : Buffer.concat(waiting));
    waiting = [];
    if (socket.writableLength > mostUnreadOctets) socket.pause();
  };
  socket.on('drain', () => socket.resume());
  return {
    flush,
    write: (octets) => {
      if (waiting.push(octets) === 1) process.nextTick(flush);
    },
  };
}
