/** Shares the posts under way between origins: few for one that has not shown that it answers, more with every success. */

/** How many more posts an origin may have under way. */
export interface Room {
  origin: string;
  places: number;
  /** It has answered well of late; others share the part of the slots that is for newcomers. */
  proven: boolean;
}

/** What a claim may take; an origin that `rooms` does not name has `newcomerPlaces`. */
export interface FreeSlots {
  limit: number;
  newcomerLimit: number;
  newcomerPlaces: number;
  rooms: readonly Room[];
}

export interface Slots {
  free: () => FreeSlots;
  take: (origin: string) => void;
  /** `works`: what the post said of its origin; null: nothing. */
  giveBack: (origin: string, works: boolean | null) => void;
}

const slots = 512;
/** However many endpoints swallow posts, the other half is left for those that answer. */
const newcomerSlots = 256;
const newcomerPlaces = 2;
const mostPlaces = 16;
/** Bounds what a claim is told; one forgotten is a newcomer again. */
const originsRemembered = 500;

export function createSlots(): Slots {
  const loads = new Map<string, number>();
  /** Places of the origins whose last posts have ended; who ended last comes last. */
  const allowances = new Map<string, number>();
  const allowanceOf = (origin: string) => allowances.get(origin) ?? newcomerPlaces;
  const proven = (origin: string) => allowanceOf(origin) > newcomerPlaces;

  return {
    free: () => {
      let used = 0;
      let byNewcomers = 0;
      for (const [origin, load] of loads) {
        used += load;
        if (!proven(origin)) byNewcomers += load;
      }
      const known = new Set([...allowances.keys(), ...loads.keys()]);
      return {
        limit: Math.max(0, slots - used),
        newcomerLimit: Math.max(0, newcomerSlots - byNewcomers),
        newcomerPlaces,
        rooms: [...known].map((origin) => ({
          origin,
          places: Math.max(0, allowanceOf(origin) - (loads.get(origin) ?? 0)),
          proven: proven(origin),
        })),
      };
    },

    take: (origin) => {
      loads.set(origin, (loads.get(origin) ?? 0) + 1);
    },

    giveBack: (origin, works) => {
      const left = (loads.get(origin) ?? 0) - 1;
      if (left > 0) loads.set(origin, left);
      else loads.delete(origin);
      if (works === null) return;
      const allowance = allowanceOf(origin);
      allowances.delete(origin);
      const [longestSilent] = allowances.keys();
      if (allowances.size >= originsRemembered && longestSilent !== undefined)
        allowances.delete(longestSilent);
      allowances.set(origin, works ? Math.min(allowance * 2, mostPlaces) : Math.max(allowance >> 1, 1));
    },
  };
}
