/** All lives. */

import { inboundLives } from './inbound.ts';
import { laterLives } from './later.ts';
import type { Life } from './life.ts';
import { bundleLives, chatLives, twoBundles } from './others.ts';
import { smsLives, twoSms } from './sms.ts';

export const lives: readonly Life[] = [
  ...smsLives,
  ...bundleLives,
  ...chatLives,
  ...laterLives,
  ...inboundLives,
];

/** Of two messages in one lot: one statement stores what becomes of both. */
export const pairLives: readonly Life[] = [twoSms, twoBundles];
