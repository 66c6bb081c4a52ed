/** The service's log: JSON lines without phone numbers, message texts or secrets. */
import type { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';
import { createLineBuffer } from './line-buffer.ts';

export interface Log {
  logger: Logger;
  /** Resolves when what is buffered is written, or its reader has not read for half a second. */
  flush: () => Promise<void>;
}

export function createLog(level: string, stream: Writable = standardOutput()): Log {
  const lines = createLineBuffer(stream, (dropped) =>
    logger.warn({ lines: dropped }, 'log lines dropped: the output was read too slowly'),
  );
  const logger = pino({ level, base: null, serializers: { err: describeError } }, lines);
  return { logger, flush: lines.flush };
}

/** Never blocks. Node makes terminals block: one that is stopped with Ctrl-S would stop the service. */
function standardOutput(): Writable {
  const { stdout } = process as { stdout: Writable & { _handle?: { setBlocking?: (on: boolean) => void } } };
  stdout._handle?.setBlocking?.(false);
  return stdout;
}

/**
 * Messages and fields of database errors quote the values of a row, bindings hold all of them: only the
 * SQLSTATE and the frames of the stack are kept.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an Error' };
  const code = 'code' in error ? String(error.code) : undefined;
  // The stack repeats the message above its frames.
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at .+(:\d+:\d+|index \d+)\)?$/.test(line));
  const message = code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? `database error ${code}` : error.message;
  return { type: error.name, message, code, frames };
}
