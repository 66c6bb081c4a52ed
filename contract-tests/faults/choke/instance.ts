/** A running copy of the service inside this process: it can be killed or frozen, with all its timers and sockets. */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Closable {
  destroy: () => void;
}

export interface Instance {
  name: string;
  /** Whether it still runs: false once it was killed. */
  lives: () => boolean;
  frozen: () => boolean;
  /** Until all its parts run. */
  starting: boolean;
  /** Added to what its wall clock says. */
  clockMs: number;
  /** Resolves once it may go on; never again for one that was killed. */
  mayGoOn: () => Promise<void>;
  /** Runs it at once, or when it thaws; not at all once it was killed. */
  whenThawed: (run: () => void) => void;
  /** Its sockets and listeners end with it. */
  owns: (resource: Closable) => void;
  kill: () => void;
  freeze: () => void;
  thaw: () => void;
}

const running = new AsyncLocalStorage<Instance>();

/** Everything that `start` begins belongs to this instance: its timers, sockets and what they lead to. */
export function within<Result>(instance: Instance, start: () => Result): Result {
  return running.run(instance, start);
}

/** What `run` begins belongs to no instance. */
export function outside<Result>(run: () => Result): Result {
  return running.exit(run);
}

/** The instance whose code runs now; undefined: the test's own. */
export function currentInstance(): Instance | undefined {
  return running.getStore();
}

export function createInstance(name: string): Instance {
  const resources = new Set<WeakRef<Closable>>();
  let lives = true;
  let frozen = false;
  let held: (() => void)[] = [];
  const instance: Instance = {
    name,
    lives: () => lives,
    frozen: () => frozen,
    starting: true,
    clockMs: 0,
    mayGoOn: () => new Promise((resolve) => instance.whenThawed(resolve)),
    whenThawed: (run) => {
      if (!lives) return;
      if (frozen) held.push(run);
      else within(instance, run);
    },
    owns: (resource) => resources.add(new WeakRef(resource)),
    kill: () => {
      lives = false;
      held = [];
      // What the end of a socket leads to, such as a timer to connect again, ends with it.
      within(instance, () => {
        for (const resource of resources) resource.deref()?.destroy();
      });
    },
    freeze: () => {
      frozen = true;
    },
    thaw: () => {
      frozen = false;
      const runs = held;
      held = [];
      // As a process that continues: what has arrived meanwhile comes first, and in its order.
      for (const run of runs) instance.whenThawed(run);
    },
  };
  return instance;
}
