/** How many messages a connector gets at once: what it submits in half a second, so that urgent ones wait no longer. */
import type { Connector } from '../connectors/contract/connector.ts';

const lotMs = 500;
const firstRoom = 400;
const mostRoom = 800;
/** Smaller lots would cost the database more than they gain, unless the connector says that it is slow. */
const leastRoom = 25;

export interface Room {
  /** Messages for the next lot: by the connector's rate, or by what was learned where it has none. */
  messages: (connector: Connector) => number;
  /** Learns from a lot: how many messages were submitted in how many milliseconds. */
  learn: (messages: number, tookMs: number) => void;
}

export function createRoom(): Room {
  let room = firstRoom;
  return {
    messages: (connector) => {
      const { ratePerSecond } = connector.state?.() ?? {};
      if (ratePerSecond === undefined) return room;
      return Math.min(mostRoom, Math.max(1, Math.floor((ratePerSecond * lotMs) / 1_000)));
    },
    learn: (messages, tookMs) => {
      if (tookMs > lotMs) room = Math.max(leastRoom, Math.floor((messages * lotMs) / tookMs));
      else if (messages * 2 >= room) room = Math.min(mostRoom, room * 2);
    },
  };
}
