/** The table of presets: what is known of providers that many have. */
import type { Preset } from '../contract/kind.ts';
import { africastalking } from './presets/africastalking.ts';
import { infobip } from './presets/infobip.ts';
import { kannel } from './presets/kannel.ts';
import { tarishi } from './presets/tarishi.ts';
import { twilio } from './presets/twilio.ts';
import { vonage } from './presets/vonage.ts';

export const presets: Readonly<Record<string, Preset>> = {
  africastalking,
  twilio,
  infobip,
  vonage,
  kannel,
  tarishi,
};
