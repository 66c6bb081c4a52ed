/** The thread of the embedded database: runs PGlite and exchanges PostgreSQL protocol bytes with the main thread. */
import fs, { existsSync, type Mode, type PathLike, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

export interface DatabaseFiles {
  /** Of the database; undefined: it is in memory. */
  directory: string | undefined;
  /** An archive of a new one's files; undefined: PGlite makes them, which takes longer. */
  emptyFiles: string | undefined;
}

/** Protocol messages up to a Sync or a simple query; undefined when the connection is over. */
export interface SessionRequest {
  connection: number;
  bytes: Uint8Array | undefined;
}

export interface SessionAnswer {
  connection: number;
  bytes: Uint8Array;
}

if (parentPort === null) throw new Error('embedded-worker.ts runs as a worker thread only');
const port = parentPort;

/*
 * Emscripten opens every new file to all with a chmod of its own, which the process's umask does not reach. This
 * thread has nothing but PGlite in it.
 */
const { chmodSync, fchmodSync } = fs;
fs.chmodSync = (path: PathLike, mode: Mode) => chmodSync(path, Number(mode) & 0o700);
fs.fchmodSync = (file: number, mode: Mode) => fchmodSync(file, Number(mode) & 0o700);
syncBuiltinESMExports();

/*
 * PostgreSQL's parser is one function of 100 KB, for which V8's optimizing compiler takes 600 MB and seconds of CPU.
 * V8 decides at the first call of a function whether it may ever be optimized. So the parser gets its first call,
 * with an empty statement, while none may; without this the thread works as well, with more memory.
 */
const { execProtocolRawSync } = PGlite.prototype;
const emptyStatement = Buffer.from('Q\0\0\0\x06;\0', 'latin1');
const terminate = 'X'.charCodeAt(0);
PGlite.prototype.execProtocolRawSync = function (...request) {
  // The first message to the PostgreSQL that only makes the files of a new database.
  if (request[0][0] === terminate) return execProtocolRawSync.apply(this, request);
  PGlite.prototype.execProtocolRawSync = execProtocolRawSync;
  setFlagsFromString('--wasm-tier-up-filter=0');
  execProtocolRawSync.call(this, emptyStatement);
  setFlagsFromString('--wasm-tier-up-filter=-1');
  return execProtocolRawSync.apply(this, request);
};

const { directory, emptyFiles } = workerData as DatabaseFiles;
const isNew = directory === undefined || !existsSync(join(directory, 'PG_VERSION'));
const database = await PGlite.create({
  ...(directory === undefined ? {} : { dataDir: directory }),
  ...(isNew && emptyFiles !== undefined ? { loadDataDir: new Blob([readFileSync(emptyFiles)]) } : {}),
  startParams: [
    ...PGlite.defaultStartParams,
    // A new segment of the log need not be written with zeros first: all wait meanwhile, for 16 MB.
    ...['-c', 'wal_init_zero=off'],
    // What is read again is in the system's cache of files; PostgreSQL's own 128 MB would be memory of this process.
    ...['-c', 'shared_buffers=32MB'],
  ],
});

/**
 * PGlite has one session for all connections. A connection with an open transaction has it for itself until the
 * transaction ends; statements of others wait here, in their order.
 */
const waiting: SessionRequest[] = [];
let owner: number | undefined;
let serving = false;

port.on('message', (request: SessionRequest | 'close') => {
  if (request === 'close') {
    void database.close().then(() => process.exit(0));
    return;
  }
  waiting.push(request);
  if (!serving) void serve();
});

async function serve(): Promise<void> {
  serving = true;
  for (let next = takeNext(); next !== undefined; next = takeNext()) await answer(next);
  serving = false;
}

function takeNext(): SessionRequest | undefined {
  const place = owner === undefined ? 0 : waiting.findIndex(({ connection }) => connection === owner);
  return place < 0 ? undefined : waiting.splice(place, 1)[0];
}

async function answer({ connection, bytes }: SessionRequest): Promise<void> {
  if (bytes === undefined) {
    if (owner === connection) await exchange(rollback);
    owner = undefined;
    return;
  }
  const answered = await exchange(bytes);
  owner = endsIdle(answered) ? undefined : connection;
  port.postMessage({ connection, bytes: answered } satisfies SessionAnswer);
}

/** As a stream: PGlite keeps every message of a response that it returns whole, for as long as it lives. */
async function exchange(bytes: Uint8Array): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await database.execProtocolRawStream(bytes, {
    syncToFs: false,
    // PGlite writes the next chunk to the same place.
    onRawData: (chunk) => chunks.push(chunk.slice()),
  });
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/** ReadyForQuery is the last message of a response; `I` in it means that no transaction is open. */
function endsIdle(answered: Uint8Array): boolean {
  const [type, , , , , status] = answered.subarray(-6);
  return type === 0x5a && status === 0x49;
}

const rollback = Buffer.from('Q\0\0\0\rrollback\0', 'latin1');

port.postMessage('ready');
