/** Travels in time: goes from one due instant to the next, and does at each what is due. */
import type { SandboxClock } from './clock.ts';
import type { Due } from './due-repository.ts';

export interface TravelDependencies {
  clock: Pick<SandboxClock, 'now' | 'moveTo'>;
  findDue: () => Promise<Due>;
  /** Does everything that is due, and what follows from it at once. */
  settle: () => Promise<void>;
}

/** Work that is still due after so many rounds waits for something other than time. */
const mostRounds = 8;

/** Advances by that much; journeys that are asked for meanwhile begin when this one has ended. */
export function createTravel({ clock, findDue, settle }: TravelDependencies): (ms: number) => Promise<void> {
  let last: Promise<void> = Promise.resolve();

  const settleAll = async (): Promise<Due> => {
    let due: Due | undefined;
    for (let round = 0; round < mostRounds; round += 1) {
      await settle();
      due = await findDue();
      if (due.count === 0) break;
    }
    return due ?? findDue();
  };

  const advance = async (ms: number) => {
    let { nextMs } = await settleAll();
    const endMs = clock.now() + ms;
    while (nextMs !== undefined && nextMs <= endMs) {
      // Instants of the database are more precise than milliseconds.
      await clock.moveTo(Math.ceil(nextMs));
      ({ nextMs } = await settleAll());
    }
    await clock.moveTo(endMs);
    await settleAll();
  };

  return (ms) => {
    const journey = last.then(() => advance(ms));
    last = journey.catch(() => {});
    return journey;
  };
}
