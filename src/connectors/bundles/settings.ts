/** The settings of a bundle provider, checked, as the document has them. */
import type { components } from '../../../generated/management.d.ts';

export type BundleSettings = components['schemas']['BundleSettings'];
