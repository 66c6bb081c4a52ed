/** Who waits for which response: any order, any number, and the numbers starting again. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createFakeTimers } from '../fake-testing.ts';
import { createPending } from './pending.ts';

const seed = Number(process.env.SEED);

test('every request gets its own response once, or none after the timeout', () => {
  const act = fc.oneof(
    { weight: 5, arbitrary: fc.constant('ask' as const) },
    { weight: 4, arbitrary: fc.nat(400) },
    { weight: 1, arbitrary: fc.constant('wait' as const) },
  );
  const property = fc.property(
    fc.array(act, { minLength: 300, maxLength: 600 }),
    fc.constantFrom(0x7fff_ffff, 350),
    (acts, sequences) => {
      const timers = createFakeTimers();
      const pending = createPending<number>(timers, 3_000, sequences);
      const open = new Map<number, { request: number; atMs: number }>();
      const heard = new Map<number, number | undefined>();
      let requests = 0;
      for (const one of acts) {
        if (one === 'ask' && open.size < 300) {
          const request = requests;
          requests += 1;
          const sequence = pending.add((answer) => {
            expect(heard.has(request)).toBe(false);
            heard.set(request, answer);
          });
          expect(open.has(sequence)).toBe(false);
          open.set(sequence, { request, atMs: timers.now() });
        } else if (one === 'wait') {
          timers.advance(1_000);
          for (const [sequence, { request, atMs }] of open) {
            if (timers.now() - atMs < 3_000) continue;
            expect([heard.has(request), heard.get(request)]).toEqual([true, undefined]);
            open.delete(sequence);
          }
        } else if (typeof one === 'number') {
          const [sequence, waiting] = [...open][one % Math.max(1, open.size)] ?? [one + 1, undefined];
          expect(pending.answer(sequence, waiting?.request ?? -1)).toBe(waiting !== undefined);
          open.delete(sequence);
          if (waiting !== undefined) expect(heard.get(waiting.request)).toBe(waiting.request);
        }
        expect(pending.count()).toBe(open.size);
      }
      pending.giveUp();
      expect(heard.size).toBe(requests);
    },
  );
  fc.assert(property, { numRuns: 20, seed });
});
