/** The embedded database as node-postgres sees it: a socket whose other end is PGlite in a thread of its own. */
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';

/** A PGlite session that node-postgres can connect to. */
export interface EmbeddedDatabase {
  /** For node-postgres' `stream` option. One connection at a time: PGlite has a single session. */
  connect: () => Duplex;
  /** Flushes and ends the database thread. */
  close: () => Promise<void>;
}

/**
 * Opens the database files below `directory` (made on the first start; in memory when undefined).
 * The caller holds the directory's lock: two processes on one directory corrupt it.
 * Rejects when PGlite cannot open the files. `onCrash` is called when the thread dies later on.
 */
export async function openEmbedded(
  directory: string | undefined,
  onCrash: (error: Error) => void,
): Promise<EmbeddedDatabase> {
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), { workerData: { directory } });
  let answerTo: ((bytes: Uint8Array) => void) | undefined;
  let closing = false;

  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', () => {
      worker.off('error', reject);
      resolve();
    });
  });
  worker.on('message', (bytes: Uint8Array) => answerTo?.(bytes));
  worker.on('error', onCrash);
  worker.on('exit', (code) => {
    if (!closing) onCrash(new Error(`the embedded database's thread ended with code ${code}`));
  });

  return {
    connect: () =>
      protocolSocket(
        (bytes) => worker.postMessage(bytes),
        (receive) => {
          answerTo = receive;
        },
      ),
    close: () =>
      new Promise((resolve) => {
        closing = true;
        worker.once('exit', () => resolve());
        worker.postMessage('close');
      }),
  };
}

// AuthenticationOk, then ReadyForQuery (idle): PGlite has no log-in of its own.
const startupAnswer = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
const terminate = 0x58;

/** The part of net.Socket that node-postgres uses, over two message functions. */
function protocolSocket(
  send: (bytes: Uint8Array) => void,
  onAnswer: (receive: (bytes: Uint8Array) => void) => void,
): Duplex {
  let started = false;
  const write = (chunk: Buffer) => {
    if (!started) {
      started = true;
      socket.push(startupAnswer);
    } else if (chunk[0] !== terminate) {
      send(chunk);
    }
  };
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      write(chunk);
      done();
    },
    // node-postgres corks parse, bind, describe, execute and sync: one trip to the thread instead of five.
    writev(chunks, done) {
      write(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)));
      done();
    },
    final(done) {
      socket.push(null);
      done();
    },
  });
  onAnswer((bytes) => socket.push(bytes));
  return Object.assign(socket, {
    connect: () => queueMicrotask(() => socket.emit('connect')),
    setNoDelay: () => socket,
    setKeepAlive: () => socket,
    ref: () => socket,
    unref: () => socket,
  });
}
