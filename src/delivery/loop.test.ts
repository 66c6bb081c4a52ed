/** Background loops: run while there is work, rest without, and end in order. */
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { givingWay, type Loop, startLoop } from './loop.ts';

const logger = pino({ level: 'silent' });
const never = 2 ** 30;

/** A step that the test ends, each time it was begun. */
function heldStep() {
  const begun: ((more: boolean | Error) => void)[] = [];
  let announce = () => {};
  return {
    step: () =>
      new Promise<boolean>((resolve, reject) => {
        begun.push((more) => (more instanceof Error ? reject(more) : resolve(more)));
        announce();
      }),
    /** The ending of the n-th step, once it was begun. */
    async nth(n: number): Promise<(more: boolean | Error) => void> {
      for (;;) {
        const end = begun[n - 1];
        if (end !== undefined) return end;
        await new Promise<void>((resolve) => {
          announce = resolve;
        });
      }
    },
    count: () => begun.length,
  };
}

async function stopping(loop: Loop): Promise<'ended' | 'waits'> {
  return Promise.race([
    loop.stop().then(() => 'ended' as const),
    new Promise<'waits'>((resolve) => setImmediate(() => resolve('waits'))),
  ]);
}

test('continues at once while there is more', async () => {
  const held = heldStep();
  const loop = startLoop('test', never, logger, held.step);
  (await held.nth(1))(true);
  (await held.nth(2))(false);
  expect(await stopping(loop)).toBe('ended');
  expect(held.count()).toBe(2);
});

test('is woken from its rest', async () => {
  const held = heldStep();
  const loop = startLoop('test', never, logger, held.step);
  (await held.nth(1))(false);
  await new Promise(setImmediate);
  loop.wake();
  (await held.nth(2))(false);
  await loop.stop();
});

test('woken during a step, it looks again after it', async () => {
  const held = heldStep();
  const loop = startLoop('test', never, logger, held.step);
  const end = await held.nth(1);
  loop.wake();
  end(false);
  (await held.nth(2))(false);
  await loop.stop();
});

test('a step that throws does not end it', async () => {
  const held = heldStep();
  const loop = startLoop('test', 1, logger, held.step);
  (await held.nth(1))(new Error('the database is away'));
  (await held.nth(2))(false);
  const stopped = loop.stop();
  if (held.count() > 2) (await held.nth(3))(false);
  await stopped;
});

test('stopping waits for the step under way, and begins no other', async () => {
  const held = heldStep();
  const loop = startLoop('test', never, logger, held.step);
  const end = await held.nth(1);
  expect(await stopping(loop)).toBe('waits');
  end(true);
  await loop.stop();
  expect(held.count()).toBe(1);
});

test('a step that gives way rests until the others are done', async () => {
  let looks = 0;
  const more = await givingWay(
    () => {
      looks += 1;
      return looks < 3;
    },
    // Long enough that its rest would outlast three looks by far.
    () => new Promise((resolve) => setTimeout(() => resolve(true), 50)),
  );
  expect([more, looks]).toEqual([true, 3]);
});
