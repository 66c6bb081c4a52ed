/** What is remembered of a connector's network. */
import { expect, test } from '@jest/globals';
import { createTroubleLog } from './trouble.ts';

test('a connector is throttled for a minute after its network said so, and keeps its last error', () => {
  const clock = { now: () => 1_800_000_000_000, elapsed: 0, elapsedMs: () => clock.elapsed };
  const trouble = createTroubleLog(clock);
  expect(trouble.seen()).toEqual({ throttled: false, lastError: null });
  trouble.throttled();
  trouble.failed('first');
  trouble.failed('connection reset\u0000');
  clock.elapsed += 59_999;
  const lastError = { at: new Date(1_800_000_000_000), reason: expect.stringMatching(/^connection reset/) };
  expect(trouble.seen()).toEqual({ throttled: true, lastError });
  clock.elapsed += 1;
  expect(trouble.seen()).toEqual({ throttled: false, lastError });
});
