/** Ends the process: drains on a signal, exits at once on a second one, and always within the grace period. */
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { flushLimitMs } from '../platform/line-buffer.ts';
import type { Log } from '../platform/log.ts';
import type { Running } from './context.ts';

/** Shared with the launcher, which runs on any Node. */
const { whenStarterIsGone } = createRequire(import.meta.url)('../../bin/starter.js') as {
  whenStarterIsGone: (onGone: () => void) => void;
};

export interface Shutdown {
  /** The latest is stopped first. While nothing runs, a signal ends the process at once. */
  add: (running: Running) => void;
  /** True from the first signal on. */
  begun: () => boolean;
  /** Writes out the log and ends the process. */
  exit: (code: number) => Promise<never>;
}

interface ShutdownOptions {
  /** From the signal to the end of the process. */
  graceMs: number;
  /** Otherwise the process would outlive npm, with its port and its data directory. */
  startedByNpm: boolean;
}

/** A terminal signals npm and the service; npm also passes its signal on, which does not count as a second one. */
const passedOnMs = 500;
const lookEveryMs = 20;

/** Handles signals from now on, also those that come while the service starts. */
export function createShutdown(log: Log, { graceMs, startedByNpm }: ShutdownOptions): Shutdown {
  const { logger } = log;
  const running: Running[] = [];
  let begunMs: number | undefined;

  const exit = async (code: number): Promise<never> => {
    await log.flush();
    return leave(code);
  };
  const stopAll = async () => {
    for (const part of running.toReversed()) await part.stop();
    while (threadsBlocked()) await delay(lookEveryMs);
  };
  const end = (reason: object) => {
    begunMs = performance.now();
    logger.info(reason, 'stopping');
    setTimeout(() => {
      logger.error('not drained within the grace period');
      void exit(1);
    }, graceMs - flushLimitMs);
    stopAll().then(
      () => {
        logger.info('stopped');
        return exit(0);
      },
      (error: unknown) => {
        logger.fatal({ err: error }, 'stopping failed');
        return exit(1);
      },
    );
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (begunMs === undefined) end({ signal });
      else if (!startedByNpm || performance.now() > begunMs + passedOnMs) leave(1);
    });
  process.once('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'unexpected error');
    void exit(1);
  });
  if (startedByNpm)
    whenStarterIsGone(() => {
      if (begunMs === undefined) end({ reason: 'npm is gone' });
    });
  return { add: (part) => running.push(part), begun: () => begunMs !== undefined, exit };
}

/** `process.exit` waits for the threads of look-ups and files, which may wait for a name server or a pipe for long. */
function leave(code: number): never {
  if (threadsBlocked()) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}

function threadsBlocked(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo|GetNameInfo)/.test(name));
}
