/** Writes the methods of the asyncio client from those of the other: node clients/python/write-async.ts [--check] */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** In order; each must be found in one file at least. */
const changes: readonly [RegExp, string][] = [
  [/^"""(.*)/, '"""Written by clients/python/write-async.ts from ../FILE.\n\n$1'],
  [/^from \. /gm, 'from .. '],
  [/^from \.bodies /gm, 'from ..bodies '],
  [/^from \.caller import Caller, (.*)/gm, 'from ..caller import $1\nfrom .caller import AsyncCaller'],
  [/: Caller\b/g, ': AsyncCaller'],
  // Those that return iterators stay as they are.
  [/^ {4}def (?!__init__|each)/gm, '    async def '],
  [/self\._(caller\.call|change)\(/g, 'await $&'],
  [/\bIterator\b/g, 'AsyncIterator'],
  [/^from typing import (.*)Callable/m, 'from typing import $1Awaitable, Callable'],
  [/^def _each\((.*)Any\]\)/m, 'async def _each($1Awaitable[Any]])'],
  [/page = read\(/, 'page = await read('],
  [/yield from (.*)/, 'for item in $1:\n            yield item'],
];

let isOld = false;
const unused = new Set(changes);
for (const name of ['sending.py', 'reading.py']) {
  const place = (folder: string) => fileURLToPath(new URL(`src/tarishi/${folder}${name}`, import.meta.url));
  let text = readFileSync(place(''), 'utf8');
  for (const change of changes) {
    const [from, to] = change;
    if (text.search(from) >= 0) unused.delete(change);
    text = text.replace(from, to.replace('FILE', name));
  }
  if (process.argv[2] !== '--check') writeFileSync(place('aio/'), text);
  else if (readFileSync(place('aio/'), 'utf8') !== text) {
    process.stderr.write(`${place('aio/')} is not what ${name} says: npm run generate\n`);
    isOld = true;
  }
}
if (unused.size > 0) throw new Error(`nothing to change: ${[...unused].map(([from]) => from).join(', ')}`);
if (isOld) process.exitCode = 1;
