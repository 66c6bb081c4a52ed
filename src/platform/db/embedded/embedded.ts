/**
 * The embedded database as node-postgres sees it: a socket whose other end is PGlite in a thread of its own, so that its
 * work does not hold up the event loop, and a batch of messages of the protocol costs one round trip.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { DatabaseFiles, SessionAnswer, SessionRequest } from './embedded-worker.ts';

/** A PGlite session that node-postgres can connect to. */
export interface EmbeddedDatabase {
  /** For node-postgres' `stream` option. All connections share PGlite's one session: see embedded-worker.ts. */
  connect: () => Duplex;
  /** Flushes and ends the database thread. */
  close: () => Promise<void>;
}

/** Little of what the thread's own code allocates lasts. */
const threadLimits = { maxYoungGenerationSizeMb: 16 };

/**
 * Opens the database files below `directory` (made on the first start; in memory when undefined).
 * The caller holds the directory's lock: two processes on one directory corrupt it.
 * Rejects when PGlite cannot open the files. `onCrash` is called when the thread dies later on.
 */
export async function openEmbedded(
  directory: string | undefined,
  onCrash: (error: Error) => void,
): Promise<EmbeddedDatabase> {
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: { directory, emptyFiles: emptyDatabaseFiles() } satisfies DatabaseFiles,
    resourceLimits: threadLimits,
  });
  const answerTo = new Map<number, (bytes: Uint8Array) => void>();
  let connections = 0;
  let closing = false;

  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', () => {
      worker.off('error', reject);
      resolve();
    });
  });
  worker.on('message', ({ connection, bytes }: SessionAnswer) => answerTo.get(connection)?.(bytes));
  worker.on('error', onCrash);
  worker.on('exit', (code) => {
    if (!closing) onCrash(new Error(`the embedded database's thread ended with code ${code}`));
  });

  return {
    connect: () => {
      const connection = connections++;
      const { socket, receive } = protocolSocket({
        send: (chunk) => {
          // A copy of its own to give away: a view would be cloned with all of the buffer below it.
          const bytes = new Uint8Array(chunk);
          worker.postMessage({ connection, bytes } satisfies SessionRequest, [bytes.buffer]);
        },
        end: () => {
          answerTo.delete(connection);
          worker.postMessage({ connection, bytes: undefined } satisfies SessionRequest);
        },
      });
      answerTo.set(connection, receive);
      return socket;
    },
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

/** The part of net.Socket that node-postgres uses. `end` is called once, when the connection is over. */
function protocolSocket({ send, end }: { send: (bytes: Uint8Array) => void; end: () => void }): {
  socket: Duplex;
  receive: (bytes: Uint8Array) => void;
} {
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
  socket.once('close', end);
  const net = {
    connect: () => queueMicrotask(() => socket.emit('connect')),
    setNoDelay: () => socket,
    setKeepAlive: () => socket,
    ref: () => socket,
    unref: () => socket,
  };
  return { socket: Object.assign(socket, net), receive: (bytes) => socket.push(bytes) };
}

/** The archive of an empty database that `npm ci` has kept (bin/empty-database.js); undefined after `npm ci --ignore-scripts`. */
function emptyDatabaseFiles(): string | undefined {
  const project = join(import.meta.dirname, '../../../..');
  const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const version: string = dependencies['@electric-sql/pglite'];
  const file = join(project, 'vendor/pglite', `empty-${version}.tar.gz`);
  return existsSync(file) ? file : undefined;
}
