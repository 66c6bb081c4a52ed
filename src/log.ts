/** The service's log: JSON lines without numbers, texts or secrets. */
import { type Logger, pino } from 'pino';

export interface Log {
  logger: Logger;
  /** Writes out what is buffered. */
  flush: () => void;
}

const flushEveryMs = 200;

/** Writes to the file descriptor: the standard output, if no other is named. */
export function createLog(level: string, file = 1): Log {
  // A write per line would cost as much as the request it tells of.
  const destination = pino.destination({ dest: file, sync: false, minLength: 8 * 1024 });
  setInterval(() => destination.flush(), flushEveryMs).unref();
  return {
    logger: pino({ level, base: null, serializers: { err: describeError } }, destination),
    flush: () => destination.flushSync(),
  };
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
