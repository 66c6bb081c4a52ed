/** The table of presets: what operators of a country want in common. */
import type { Preset } from '../contract/kind.ts';
import { india } from './presets/india.ts';
import type { SmppSettings } from './settings.ts';

export const presets: Readonly<Record<NonNullable<SmppSettings['preset']>, Preset>> = { india };
