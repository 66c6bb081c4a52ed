/** Counts what this process does with messages, and adds it to the counts by minute of all processes. */
import type { Logger } from 'pino';
import { type Loop, startLoop } from '../../delivery/loop.ts';
import type { Pace } from '../../delivery/pace.ts';
import type { Events } from '../../model/events.ts';
import type { Product } from '../../model/plan.ts';
import { goodStates, isFinal, type ReachedState } from '../../model/states.ts';
import type { MinuteCount } from './minute-repository.ts';

type Outcome = 'accepted' | 'delivered' | 'failed';

export interface MinuteCounts {
  /** The events, which are counted too. */
  counting: (events: Events) => Events;
  /** Adds what was counted since the last time. If it cannot be stored, the charts lack these seconds. */
  flush: (add: Add) => Promise<void>;
}

type Add = (counts: readonly MinuteCount[]) => Promise<void>;

export function createMinuteCounts(): MinuteCounts {
  let counts = new Map<string, MinuteCount>();
  const add = (teamId: string, product: Product, numberOrChannel: string, outcome: Outcome) => {
    const channel = product === 'chatapp' ? '' : numberOrChannel;
    const key = `${teamId} ${product} ${channel}`;
    const count = counts.get(key) ?? { teamId, product, channel, accepted: 0, delivered: 0, failed: 0 };
    count[outcome] += 1;
    counts.set(key, count);
  };
  return {
    counting: (events) => ({
      ...events,
      requestAccepted: (plan) => {
        events.requestAccepted(plan);
        // Most of what is in reserve is never sent.
        for (const { product, channel, inReserve } of plan.messages)
          if (!inReserve) add(plan.teamId, product, channel, 'accepted');
      },
      stateReached: (reached) => {
        events.stateReached(reached);
        const outcome = outcomeOf(reached);
        if (outcome !== undefined) add(reached.teamId, reached.product, reached.channel, outcome);
      },
    }),
    flush: async (store) => {
      if (counts.size === 0) return;
      const counted = [...counts.values()];
      counts = new Map();
      await store(counted);
    },
  };
}

const flushEveryMs = 10_000;

/** Stops once everything is stored. */
export function startMinuteCounts(
  { flush }: MinuteCounts,
  add: Add,
  logger: Logger,
  pace: Pace,
): Pick<Loop, 'stop'> {
  const step = async () => {
    await flush(add);
    return false;
  };
  const loop = startLoop('minute counts', flushEveryMs, logger, step, pace);
  return {
    stop: async () => {
      await loop.idle();
      await loop.stop();
    },
  };
}

/** A message that is read was delivered before, and counts once. */
function outcomeOf({ product, state, wasDelivered }: ReachedState): Outcome | undefined {
  if (goodStates.includes(state)) return wasDelivered ? undefined : 'delivered';
  return isFinal(product, state) ? 'failed' : undefined;
}
