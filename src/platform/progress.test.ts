/** The line with the progress appears on a terminal only, stays in its width, and leaves nothing behind. */
import { expect, test } from '@jest/globals';
import { startProgress } from './progress.ts';

function terminal(settings: { isTTY?: boolean; columns?: number }) {
  const written: string[] = [];
  return { ...settings, written, write: (text: string) => written.push(text) };
}
const shown = ({ written }: { written: string[] }) => written.at(-1)?.replace('\r\x1b[2K', '');

test('a terminal shows how far the work is', () => {
  const stream = terminal({ isTTY: true, columns: 100 });
  const progress = startProgress(4, 'parts', stream);
  expect(shown(stream)).toBe(`${'░'.repeat(24)} 0 of 4 parts`);
  progress.at(1);
  expect(shown(stream)).toBe(`${'█'.repeat(6)}${'░'.repeat(18)} 1 of 4 parts`);
  progress.at(9);
  expect(shown(stream)).toBe(`${'█'.repeat(24)} 4 of 4 parts`);
  progress.end();
  expect(shown(stream)).toBe('');
  progress.at(2);
  expect(shown(stream)).toBe('');
});

test('other output stands above the line', () => {
  const stream = terminal({ isTTY: true });
  const progress = startProgress(2, 'rows', stream);
  progress.above(() => stream.write('a result\n'));
  expect(stream.written.slice(-3)).toEqual([
    '\r\x1b[2K',
    'a result\n',
    expect.stringContaining('0 of 2 rows'),
  ]);
});

test('the line is no longer than the terminal is wide', () => {
  const stream = terminal({ isTTY: true, columns: 30 });
  startProgress(1_000_000, 'messages', stream);
  expect(shown(stream)).toHaveLength(29);
});

test('output that goes elsewhere has no line, nor has work of nothing', () => {
  for (const [settings, total] of [
    [{}, 4],
    [{ isTTY: false }, 4],
    [{ isTTY: true }, 0],
  ] as const) {
    const stream = terminal(settings);
    const progress = startProgress(total, 'parts', stream);
    progress.at(1);
    progress.above(() => {});
    progress.end();
    expect(stream.written).toEqual([]);
  }
});
