/** The table of presets: what is known of providers that many have. */
import type { Preset } from '../contract/kind.ts';
import { africastalking } from './presets/africastalking.ts';
import { infobip } from './presets/infobip.ts';
import { kannel } from './presets/kannel.ts';
import { tarishi } from './presets/tarishi.ts';
import { twilio } from './presets/twilio.ts';
import { vonage } from './presets/vonage.ts';
import type { HttpSmsSettings } from './settings.ts';

export const presets: Readonly<Record<NonNullable<HttpSmsSettings['preset']>, Preset>> = {
  africastalking,
  twilio,
  infobip,
  vonage,
  kannel,
  tarishi,
};
