/** Moves messages on to another connector of their route, when one refused them or takes none. */
import { movesOn, withTried } from '../model/route.ts';
import type { Through } from './choice.ts';
import type { Result } from './hand-over.ts';

/** How soon messages are claimed again that another connector may take. */
const soonSeconds = 1;

/** The results of a lot; `tookNone`: its connector neither took nor refused any of it. */
export function movedOn(
  results: readonly Result[],
  through: Through | undefined,
  tookNone: boolean,
): readonly Result[] {
  if (through === undefined || !through.hasOthers) return results;
  return results.map((result) => {
    const { outcome, connector } = result;
    if (connector === undefined) return result;
    if (outcome.kind === 'rejected') return refused(result, connector, through);
    if (outcome.kind !== 'later' || !tookNone || connector !== through.name) return result;
    return { ...result, outcome: { ...outcome, delaySeconds: Math.min(outcome.delaySeconds, soonSeconds) } };
  });
}

/** Nothing of it was taken: a connector that has a part of a message does not refuse it. */
function refused(result: Result, connector: string, { route }: Through): Result {
  const { message, outcome } = result;
  if (outcome.kind !== 'rejected' || route === undefined || message.way === undefined) return result;
  if (!movesOn(route, outcome)) return result;
  const { reason, reasonCode } = outcome;
  return {
    ...result,
    message: { ...message, way: withTried(message.way, connector), connector: null },
    outcome: { kind: 'movesOn', reason, ...(reasonCode === undefined ? {} : { reasonCode }) },
  };
}
