/** Jest's environment of a test file, with what its worker keeps for the next file: embedded databases, which are emptied. */
import type { Worker } from 'node:worker_threads';
import { TestEnvironment } from 'jest-environment-node';
import { type EmbeddedDatabase, openEmbedded } from './embedded/embedded.ts';

/** Holds nothing of a test file: that would keep all of the file's modules. */
export interface KeptDatabase {
  embedded: EmbeddedDatabase;
  dataDirectory: string;
  /** What it is when it is empty, as JSON. */
  empty: string;
  /** Whether it keeps the process alive. */
  hold: (isHeld: boolean) => void;
}

export interface KeptDatabases {
  idle: KeptDatabase[];
  open: (files: string, dataDirectory: string) => Promise<KeptDatabase>;
}

const home = process.cwd();
let opened: Promise<unknown> = Promise.resolve();
const kept: KeptDatabases = {
  idle: [],
  open: (files, dataDirectory) => {
    // One after the other: each takes the next thread that begins for its own.
    const next = opened.then(() => open(files, dataDirectory));
    opened = next.catch(() => {});
    return next;
  },
};

async function open(files: string, dataDirectory: string): Promise<KeptDatabase> {
  let thread: Worker | undefined;
  process.once('worker', (worker) => {
    thread = worker;
  });
  const embedded = await openEmbedded(files, (error) => {
    throw error;
  });
  const hold = (isHeld: boolean) => (isHeld ? thread?.ref() : thread?.unref());
  return { embedded, dataDirectory, empty: '', hold };
}

// A worker that has nothing more to do ends at once: on a busy machine, freeing what its tests have left, and joining the
// threads of these databases, takes longer than jest waits for it.
if (process.send !== undefined)
  process.once('beforeExit', () => process.once('exit', () => process.kill(process.pid, 'SIGKILL')));

export default class extends TestEnvironment {
  constructor(...given: ConstructorParameters<typeof TestEnvironment>) {
    super(...given);
    this.global.keptDatabases = kept;
  }

  // A test that ran out of time may have left the process in a folder that is gone.
  override async teardown(): Promise<void> {
    process.chdir(home);
    await super.teardown();
  }
}
