/** The service's log: no phone numbers, message texts or secrets; JSON for programs, text for people. */
import type { Writable } from 'node:stream';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { isDatabaseAway } from './errors/database-away.ts';
import { createLineBuffer } from './line-buffer.ts';
import { createRepeats, type Repeats } from './log-repeats.ts';
import { textOf } from './log-text.ts';

export type LogFormat = 'json' | 'text';

export interface Log {
  logger: Logger;
  /** Resolves when what is buffered is written, or its reader has not read for half a second. */
  flush: () => Promise<void>;
}

export function createLog(level: string, format: LogFormat, stream: Writable = standardOutput()): Log {
  const lines = createLineBuffer(stream, (dropped) =>
    logger.warn({ lines: dropped }, 'log lines dropped: the output was read too slowly'),
  );
  const text = { write: (line: string) => lines.write(textOf(line)) };
  const repeats = createRepeats();
  const logger = pino(
    { level, base: null, serializers: { err: describeError }, hooks: { logMethod: withoutRepeats(repeats) } },
    format === 'text' ? text : lines,
  );
  const flush = async () => {
    repeats.flush();
    await lines.flush();
  };
  return { logger, flush };
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

const debugLevel = 20;
const warnLevel = 40;
/** Of one occurrence of a fault: two lines that differ in nothing else are about the same fault. */
const ofOneOccurrence = new Set(['requestId', 'receiptId', 'messages']);

function withoutRepeats({ allow }: Repeats): LogMethod {
  return function (args, method, level) {
    const [first, second] = args as unknown[];
    const fields = typeof first === 'object' && first !== null ? first : {};
    const message = typeof first === 'string' ? first : String(second ?? '');
    const { err } = fields as { err?: unknown };
    // Failures due to an outage of the database are not logged one by one: the outage has a line.
    if (level > debugLevel && isDatabaseAway(err)) this.debug(fields, message);
    else if (level < warnLevel) method.apply(this, args);
    else {
      const write = (repeated: number) => method.apply(this, [{ ...fields, repeated }, message]);
      if (allow(keyOf(this.bindings(), fields, message), write)) method.apply(this, args);
    }
  };
}

function keyOf(bindings: object, fields: object, message: string): string {
  const own = Object.entries(fields).filter(([name]) => !ofOneOccurrence.has(name));
  const said = own.map(([name, value]) => [name, value instanceof Error ? summaryOf(value) : value]);
  return JSON.stringify([bindings, said, message]);
}

/** The messages of database errors hold the values of their statement. */
function summaryOf(error: Error): unknown[] {
  return [error.name, 'code' in error ? error.code : error.message];
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
