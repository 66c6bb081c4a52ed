/** What a life of a message is: what is sent, how the networks behave, and how it has to end. */
import type { Boundary } from '../choke/boundaries.ts';
import type { Script } from '../world/networks.ts';
import type { World } from '../world/world.ts';

/** One boundary and one fault. */
export interface Plan {
  boundary: Boundary;
  fault: string;
}

/** A plan, and what had happened when its fault struck. */
export interface Struck extends Plan {
  earlier: readonly Boundary[];
  /** Undefined: it did not strike. */
  instance: string | undefined;
}

/** What must be true of a message at the end. */
export interface Ending {
  phone: string;
  product: 'sms' | 'data' | 'chatapp';
  state: string;
  /** The state of the last receipt; undefined: none is due. */
  receipt: string | undefined;
  refunded: boolean;
}

export interface Life {
  name: string;
  script: Script;
  /** Changes the settings that it needs; they are reset before the next one. */
  prepare?: (world: World) => Promise<unknown>;
  /** Sends the request; resolves when it is accepted, and whatever else clients do is done. */
  begin: (world: World) => Promise<void>;
  endings: Ending[];
  /** What phones send, each of which is posted; undefined: nothing. */
  heard?: readonly string[];
  /** What the networks get: see `Got`. */
  sent: string[];
  /** How often `what` may arrive under this plan: once, unless a double is documented. */
  most: (what: string, struck: readonly Struck[]) => number;
  /** How long it takes without a fault, at most. */
  seconds?: number;
  /** How much longer it takes if a clock is set back by an hour. */
  secondsIfSetBack?: number;
}
