/** A log whose reader is slow, stalled or gone costs memory up to a limit and no time. */
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLineBuffer, flushLimitMs } from './line-buffer.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A stream that accepts nothing until `read` is called, or fails after `fail`. */
function slowStream() {
  const heard: string[] = [];
  let release = () => {};
  let error: Error | undefined;
  let open = false;
  const stream = new Writable({
    autoDestroy: false,
    write(chunk, _encoding, done) {
      if (error !== undefined) return done(error);
      heard.push(String(chunk));
      if (open) done();
      else release = done;
    },
  });
  return {
    stream,
    heard: () => heard.join(''),
    read: () => {
      open = true;
      release();
    },
    fail: (code: string) => {
      error = Object.assign(new Error(code), { code });
    },
  };
}

const line = `${'x'.repeat(1023)}\n`;

test('lines go out together after a moment, or when there are many', () => {
  const { stream, heard, read } = slowStream();
  const lines = createLineBuffer(stream, () => {});
  read();
  lines.write('a\n');
  lines.write('b\n');
  expect(heard()).toBe('');
  jest.advanceTimersByTime(200);
  expect(heard()).toBe('a\nb\n');
  for (let count = 0; count < 8; count += 1) lines.write(line);
  expect(heard()).toBe(`a\nb\n${line.repeat(8)}`);
});

test('if nobody reads, at most a megabyte is kept, and a line says once what was dropped', async () => {
  const { stream, heard, read } = slowStream();
  const reports: number[] = [];
  const lines = createLineBuffer(stream, (dropped) => {
    reports.push(dropped);
    lines.write(`dropped ${dropped}\n`);
  });
  for (let count = 0; count < 3_000; count += 1) lines.write(line);
  expect(reports).toEqual([]);
  read();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(reports).toEqual([3_000 - 1_024]);
  expect(heard()).toBe(`${line.repeat(1_024)}dropped ${3_000 - 1_024}\n`);
});

test('a flush ends once everything was read', async () => {
  const { stream, heard, read } = slowStream();
  const lines = createLineBuffer(stream, () => {});
  lines.write('last words\n');
  read();
  await lines.flush();
  expect(heard()).toBe('last words\n');
});

test('a flush gives up on a reader that does not read', async () => {
  const { stream } = slowStream();
  const lines = createLineBuffer(stream, () => {});
  lines.write('last words\n');
  const flushed = lines.flush();
  await jest.advanceTimersByTimeAsync(flushLimitMs);
  await flushed;
});

test('a reader that has gone is not written to again', async () => {
  const { stream, fail } = slowStream();
  const lines = createLineBuffer(stream, () => {});
  fail('EPIPE');
  lines.write('a\n');
  await lines.flush();
  const write = jest.spyOn(stream, 'write');
  lines.write(line);
  await lines.flush();
  jest.advanceTimersByTime(1_000);
  expect(write).not.toHaveBeenCalled();
});
