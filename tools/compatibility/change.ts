/** Describes a difference between two versions of the contract, and whether it breaks clients of the older one. */

export interface Change {
  /** The operationId, or the part of the document that all operations share. */
  operation: string;
  /** Where in the operation, as a reader would look for it. */
  place: string;
  what: string;
  breaking: boolean;
  /** A new property of a request that was open: clients may have sent it before with any value, which was ignored. */
  wasIgnored?: string;
}

/** Who writes a value: the client, so we must keep accepting it, or we, so the client must keep reading it. */
export type Writer = 'client' | 'service';

/**
 * How the set of values that a place allows has changed. `removed`: a name that programs use is gone; `added`: a
 * name is new.
 */
export type Shift = 'narrowed' | 'widened' | 'changed' | 'removed' | 'added';

/** Clients must be able to send all that they sent before, and never have to read more than before. */
const breaks: Readonly<Record<Writer, Readonly<Record<Shift, boolean>>>> = {
  client: { narrowed: true, widened: false, changed: true, removed: true, added: false },
  service: { narrowed: false, widened: true, changed: true, removed: true, added: false },
};

export interface Spot {
  operation: string;
  place: string;
  writer: Writer;
}

export function change({ operation, place, writer }: Spot, shift: Shift, what: string): Change {
  return { operation, place, what, breaking: breaks[writer][shift] };
}

/** The same spot, further in. */
export function inside(spot: Spot, step: string): Spot {
  return { ...spot, place: `${spot.place}${step}` };
}
