/** Posts to a partner's receiver in every situation, and judges its responses. */
import type { Stopwatch } from '../../../platform/clock.ts';
import type { Result } from '../verdict.ts';
import type { Probe } from './probe.ts';
import type { ReceiverSituation } from './situations.ts';

export interface ReceiverKit {
  probe: Probe;
  situations: readonly ReceiverSituation[];
  stopwatch: Stopwatch;
  onResult: (result: Result) => void;
}

export async function testReceiver({
  probe,
  situations,
  stopwatch,
  onResult,
}: ReceiverKit): Promise<Result[]> {
  const results: Result[] = [];
  for (const { run, name, title, guide } of situations) {
    const startedMs = stopwatch.elapsedMs();
    const verdict = await run(probe);
    const seconds = (stopwatch.elapsedMs() - startedMs) / 1_000;
    const result = { name, title, guide, seconds, ...verdict };
    results.push(result);
    onResult(result);
  }
  return results;
}
