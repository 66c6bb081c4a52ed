/** How long a new key is published before it signs, in minutes: the command line knows it without what rotates keys. */
export const tokenKeyDelay = { min: 1, max: 24 * 60, default: 15 } as const;
