/** The embedded database's own thread: runs PGlite and answers PostgreSQL protocol bytes with protocol bytes. */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

if (parentPort === null) throw new Error('embedded-worker.ts runs as a worker thread only');
const port = parentPort;

const { directory } = workerData as { directory: string | undefined };
const database = await PGlite.create(directory === undefined ? {} : { dataDir: directory });

// One session: requests are answered strictly in the order they came.
let tail: Promise<void> = Promise.resolve();

port.on('message', (request: Uint8Array | 'close') => {
  tail = tail.then(async () => {
    if (request === 'close') {
      await database.close();
      process.exit(0);
    }
    const answer = database.execProtocolRawSync(request);
    port.postMessage(answer);
  });
});

port.postMessage('ready');
