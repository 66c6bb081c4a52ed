/** The settings of an SMS provider, checked, as the document has them. */
import type { components } from '../../../generated/management.d.ts';

/** The address is that of the preset, if not the operator's own. */
export type HttpSmsSettings = components['schemas']['HttpSmsSettings'] & { baseUrl: string };

export type Names = HttpSmsSettings['names'];
