/** Limits the bytes of request bodies in memory at once, in total and per team or address. */

export interface BodyBudget {
  /** For one request's body; `holder` is the team or the address that sends it. */
  open(holder: string): BodyLease;
}

export interface BodyLease {
  /** False, with nothing counted, if the budget or the holder's share does not allow `bytes` more. */
  take(bytes: number): boolean;
  /** Returns all that was taken. */
  end(): void;
}

export function createBodyBudget(limitBytes: number, share: number): BodyBudget {
  const shareBytes = limitBytes * share;
  const heldBy = new Map<string, number>();
  let heldBytes = 0;

  const add = (holder: string, bytes: number) => {
    heldBytes += bytes;
    const held = (heldBy.get(holder) ?? 0) + bytes;
    if (held === 0) heldBy.delete(holder);
    else heldBy.set(holder, held);
  };

  return {
    open(holder) {
      let taken = 0;
      return {
        take(bytes) {
          if (heldBytes + bytes > limitBytes) return false;
          if ((heldBy.get(holder) ?? 0) + bytes > shareBytes) return false;
          add(holder, bytes);
          taken += bytes;
          return true;
        },
        end() {
          add(holder, -taken);
          taken = 0;
        },
      };
    },
  };
}
