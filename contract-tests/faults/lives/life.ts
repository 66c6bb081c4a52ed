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
  /** What is stored of the phone at the end; undefined: its number. */
  stored?: RegExp;
  product: 'sms' | 'data' | 'chatapp';
  state: string;
  /** The state of the last receipt; undefined: none is due. */
  receipt: string | undefined;
  refunded: boolean;
}

/** How all may be at the end. */
export interface Outcome {
  endings: readonly Ending[];
  /** What the networks get, each as often as it stands here: see `Got`. */
  sent: readonly string[];
}

export interface Life extends Outcome {
  name: string;
  script: Script;
  /** Changes the settings that it needs; they are reset before the next one. */
  prepare?: (world: World) => Promise<unknown>;
  /** Two processes run from the beginning, where the database serves several. */
  together?: boolean;
  /** Sends the request; resolves when it is accepted, and whatever else clients do is done. */
  begin: (world: World) => Promise<void>;
  /** What may come instead, each as a whole. */
  otherwise?: Outcome | readonly Outcome[];
  /** What phones send, each of which is posted; undefined: nothing. */
  heard?: readonly string[];
  /** Sentences on what else is not well yet at the end. */
  check?: (world: World, struck: readonly Struck[]) => Promise<string[]>;
  /** A sentence if it is wrong that this boundary is crossed now. */
  watch?: (boundary: Boundary, world: World) => string | undefined;
  /** Every sample has the plans whose words match. */
  always?: RegExp;
  /** How long a process keeps work for itself, if that is not the lease of a job. */
  leaseSeconds?: number;
  /** How often something may arrive that is sent once: once, unless a double is documented. */
  most: (what: string, struck: readonly Struck[]) => number;
  /** How long it takes without a fault, at most. */
  seconds?: number;
  /** How much longer it takes if a clock is set back by an hour. */
  secondsIfSetBack?: number;
}
