/** Runs pieces of the benchmark as processes of their own, which the benchmark calls over IPC. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What a process offers; arguments and results must survive JSON. */
export type Calls = Record<string, (argument: never) => unknown>;

export interface Part<C extends Calls> {
  name: string;
  pid: number;
  call: <Name extends keyof C & string>(
    name: Name,
    ...argument: Parameters<C[Name]>
  ) => Promise<Awaited<ReturnType<C[Name]>>>;
  end: () => Promise<void>;
}

interface Question {
  id: number;
  name: string;
  argument: unknown;
}

interface Reply {
  id: number;
  result?: unknown;
  fault?: string;
}

/** Starts `file` beside this one with its options and resolves when it is ready. */
export async function startPart<C extends Calls>(file: string, options: object = {}): Promise<Part<C>> {
  const child = fork(new URL(file, import.meta.url), [JSON.stringify(options)]);
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  const killWithParent = () => child.kill('SIGKILL');
  process.once('exit', killWithParent);
  child.on('message', ({ id, result, fault }: Reply) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (fault === undefined) asked?.resolve(result as never);
    else asked?.reject(new Error(`${file}: ${fault}`));
  });
  child.once('exit', () => {
    process.off('exit', killWithParent);
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended`));
  });
  await readyOrGone(child, file);
  return {
    name: file.replace(/^.*\/|\.ts$/g, ''),
    pid: child.pid ?? 0,
    call: (name, argument?: unknown) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        child.send({ id: lastId, name, argument } satisfies Question);
      }),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function readyOrGone(child: ChildProcess, file: string): Promise<void> {
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  await Promise.race([once(child, 'message'), gone]);
}

/** In the process itself: answers the benchmark's calls. */
export async function servePart<Options>(start: (options: Options) => Promise<Calls>): Promise<void> {
  const calls = await start(JSON.parse(process.argv[2] ?? '{}') as Options);
  process.on('message', async ({ id, name, argument }: Question) => {
    try {
      process.send?.({ id, result: await calls[name]?.(argument as never) } satisfies Reply);
    } catch (error) {
      process.send?.({ id, fault: String(error) } satisfies Reply);
    }
  });
  process.send?.({ id: 0 } satisfies Reply);
}
