/** What is known of a message when people ask what became of it, and who said so. */

export interface Told {
  /** As the contracts name it. */
  product: string;
  state: string;
  reason?: string | undefined;
  reasonCode?: string | undefined;
  /** The network of an SMS or a bundle; a chat-app message has none. */
  channel?: string | undefined;
  /** The chat-app message that an SMS is in reserve for. */
  fallbackOf?: string | undefined;
  /** What happened to it, in the order of the API. Undefined in lists. */
  timeline?: readonly { event: string }[] | undefined;
}

/** The reasons and codes that are our own; all others are those of networks. */
export const ownReasons = {
  expired: 'The message could not be submitted in time',
  silence: 'The network sent no report',
  optedOut: 'The recipient opted out',
  hadBundle: 'The recipient already had a bundle of this campaign',
  unknownBundle: 'The provider does not have this bundle',
  tooOften: 'The network failed too often',
  bundleNotDelivered: 'The bundle that it was to accompany was not delivered',
  chatAppDelivered: 'The chat-app message that it was in reserve for was delivered',
  chatAppUnwanted: 'The chat-app message that it was in reserve for was not wanted',
} as const;

/** Codes by which programs know some of them. */
export const ownCodes = {
  optedOut: 'opt-out-list',
  bundleNotDelivered: 'bundle-not-delivered',
  fallbackNotNeeded: 'fallback-not-needed',
} as const;

export type Teller = 'we' | 'network' | 'nobody';

/** Who decided or reported the state that a message is in. */
export function tellerOf({ state, reason, reasonCode }: Told): Teller {
  if (state === 'Expired' || state === 'Cancelled') return 'we';
  if (reasonCode === ownCodes.optedOut) return 'we';
  if (reason === ownReasons.silence) return 'nobody';
  const own: readonly (string | undefined)[] = [
    ownReasons.hadBundle,
    ownReasons.unknownBundle,
    ownReasons.tooOften,
  ];
  return own.includes(reason) ? 'we' : 'network';
}

/** The network that a message goes through, as people call it in a sentence. */
export const networkOf = ({ channel }: Pick<Told, 'channel'>): string => channel ?? 'the chat app';

/** As the beginning of a sentence. */
export const starting = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Whether a network accepted it, as far as is known. */
export const wasAccepted = ({ timeline = [] }: Told): boolean =>
  timeline.some(({ event }) => event === 'Submitted');
