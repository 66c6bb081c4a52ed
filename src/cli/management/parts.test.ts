/** Long files are sent in parts of whole lines, all of them and once. */
import { expect, test } from '@jest/globals';
import type { Request } from '../../http/connections/call.ts';
import { loadManagement, operationsOf } from '../../http/management/document.ts';
import { sendInParts } from './parts.ts';

const [operation] = operationsOf(loadManagement()).filter(({ id }) => id === 'importOptOuts');

interface Part {
  id: string;
  part?: number;
  lines: string;
}

async function sent(lines: string, part?: number): Promise<Part[]> {
  const calls: Part[] = [];
  const call = async ({ body }: Request) => {
    calls.push(body as Part);
    return { status: 200, headers: {}, body: { parts: calls.length } };
  };
  const body = { id: 'registry', ...(part === undefined ? {} : { part }), lines };
  const splits = operation?.commands[0]?.splits;
  if (operation === undefined || splits === undefined) throw new Error('importOptOuts takes no parts');
  const answer = await sendInParts(
    { method: 'post', path: '/opt-outs/imports', body },
    splits,
    operation,
    call,
  );
  expect(answer.body).toEqual({ parts: calls.length });
  return calls;
}

test('a file that fits is sent as it is', async () => {
  expect(await sent('+254711000000\n')).toEqual([{ id: 'registry', lines: '+254711000000\n' }]);
});

test('a longer one is sent in numbered parts of whole lines, which are the file', async () => {
  const lines = Array.from({ length: 150_000 }, (_, place) => `+2547${10_000_000 + place}`).join('\n');
  const parts = await sent(lines);
  expect(parts.map(({ id, part }) => [id, part])).toEqual([
    ['registry', 1],
    ['registry', 2],
    ['registry', 3],
  ]);
  expect(parts.map((one) => one.lines).join('')).toBe(lines);
  for (const part of parts.slice(0, -1)) {
    expect(part.lines.length).toBeLessThanOrEqual(1_000_000);
    expect(part.lines).toMatch(/\n$/);
  }
});

test('a line that no part has room for is cut', async () => {
  const parts = await sent('1'.repeat(1_500_000));
  expect(parts.map(({ lines }) => lines.length)).toEqual([1_000_000, 500_000]);
});

test('a part with a number of its own is sent as it is', async () => {
  expect(await sent('1'.repeat(1_500_000), 7)).toHaveLength(1);
});
