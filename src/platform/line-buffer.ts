/** Buffers lines for a stream whose reader may be slow, stalled or gone, so that writers never wait. */
import type { Writable } from 'node:stream';

export interface LineBuffer {
  write: (line: string) => void;
  /** Resolves when the stream has accepted everything, or after `flushLimitMs` if nobody reads. */
  flush: () => Promise<void>;
}

/** A write per line would cost as much as the request that it is about. */
const chunkLength = 8 * 1024;
const flushEveryMs = 200;
export const flushLimitMs = 500;
/** Characters that wait for the reader; lines beyond them are dropped. */
const limitLength = 1024 * 1024;

/** `onDropped` hears how many lines were dropped, once there is room again; it may write. */
export function createLineBuffer(stream: Writable, onDropped: (lines: number) => void): LineBuffer {
  let gathered = '';
  let dropped = 0;
  let gone = false;

  const send = () => {
    if (gathered === '' || stream.writableNeedDrain) return;
    stream.write(gathered);
    gathered = '';
  };
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Other errors, of a full disk for instance, may pass.
    gone ||= error.code === 'EPIPE';
  });
  stream.on('drain', () => {
    send();
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    onDropped(lines);
  });
  setInterval(send, flushEveryMs).unref();

  return {
    write: (line) => {
      if (gone) return;
      if (stream.writableLength + gathered.length + line.length > limitLength) {
        dropped += 1;
        return;
      }
      gathered += line;
      if (gathered.length >= chunkLength) send();
    },
    flush: async () => {
      if (gone) return;
      const rest = gathered;
      gathered = '';
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, flushLimitMs);
        stream.write(rest, () => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}
