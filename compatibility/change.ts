/** Describes a difference between two versions of the contract, and whether it breaks clients of the older one. */

export interface Change {
  /** The operationId, or the part of the document that all operations share. */
  operation: string;
  /** Where in the operation, as a reader would look for it. */
  place: string;
  what: string;
  breaking: boolean;
}

/** Who writes a value: the client, so that we must go on taking it, or we, so that the client must go on reading it. */
export type Writer = 'client' | 'service';

/**
 * What became of the set of values that a place allows. `removed`: a name of it that programs use is gone;
 * `added`: a name is new.
 */
export type Shift = 'narrowed' | 'widened' | 'changed' | 'removed' | 'added';

/** Clients may send less than before only if we take no less, and must read no more than before. */
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
