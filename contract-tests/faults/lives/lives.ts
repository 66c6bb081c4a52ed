/** All lives. */

import { choreLives } from './chores.ts';
import { fallbackLives } from './fallback.ts';
import { inboundLives } from './inbound.ts';
import { laterLives } from './later.ts';
import type { Life } from './life.ts';
import { bundleLives, chatLives, limitedLives, mixedPairs, twoBundles } from './others.ts';
import { routedLives, twoRouted } from './routed.ts';
import { smsLives, twoSms } from './sms.ts';
import { wordLives } from './words.ts';

export const lives: readonly Life[] = [
  ...smsLives,
  ...bundleLives,
  ...limitedLives,
  ...chatLives,
  ...fallbackLives,
  ...laterLives,
  ...inboundLives,
  ...wordLives,
  ...routedLives,
  ...choreLives,
];

/** Of two messages at once: one statement stores what becomes of both. */
export const pairLives: readonly Life[] = [twoSms, twoBundles, twoRouted, ...mixedPairs];
