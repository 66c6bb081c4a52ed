/** Long files are sent in parts of whole lines, all of them and once. */
import { expect, test } from '@jest/globals';
import { managementOperations } from '../../contract/management.ts';
import { jsonBodyLimitBytes } from '../../http/bounds.ts';
import type { Request } from '../../http/connections/call.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { sendInParts } from './parts.ts';

const [operation] = managementOperations().filter(({ id }) => id === 'importOptOuts');

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

testEvery([
  ['names of every script', '+254711000000;Äsë 名前 😀\n'],
  ['line breaks of two characters', '+254711000000\r\n'],
  ['line breaks of old', '+254711000000\r'],
  ['characters that JSON writes in six bytes', '\u0001\u0002\ud800\n'],
  ['no lines', '\n'],
])('a longer one is sent in parts that each fit into a body and end with a line: %s', async (_what, line) => {
  const lines = line.repeat(Math.ceil(2_500_000 / Buffer.byteLength(JSON.stringify(line))));
  const parts = await sent(lines.slice(0, -1));
  expect(parts.map(({ id, part }) => [id, part])).toEqual(
    parts.map((_part, place) => ['registry', place + 1]),
  );
  expect(parts.map((one) => one.lines).join('')).toBe(lines.slice(0, -1));
  for (const part of parts) {
    const bytes = Buffer.byteLength(JSON.stringify(part));
    expect(bytes).toBeLessThanOrEqual(jsonBodyLimitBytes);
    if (part === parts.at(-1)) continue;
    expect(bytes).toBeGreaterThan(jsonBodyLimitBytes - 100);
    expect(part.lines.endsWith(line)).toBe(true);
  }
});

test('the only limit is that of the body: the document and the service have the same', () => {
  const lines = operation?.inputs.find(({ name }) => name === 'lines');
  expect(lines?.schema.maxLength).toBe(jsonBodyLimitBytes);
});

test('half a line could be another number: a line that no part has room for ends the command', async () => {
  await expect(sent(`+254711000000\n${'+254711000001,'.repeat(100_000)}`)).rejects.toThrow(
    'line 2 is longer than 1 MiB: write one number on each line',
  );
});

test('a part with a number of its own is sent as it is', async () => {
  expect(await sent('1'.repeat(1_500_000), 7)).toHaveLength(1);
});
