/** The settings of a connector to the WhatsApp Cloud API, checked, as the document has them. */
import type { components } from '../../../generated/management.d.ts';

export type WhatsAppSettings = components['schemas']['WhatsAppSettings'];
