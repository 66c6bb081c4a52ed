/** What an operator sets to send chat-app messages through the WhatsApp Cloud API. */
import type { SettingsSchema } from '../kind.ts';

export interface WhatsAppSettings {
  baseUrl: string;
  /** Of the Graph API, such as `v23.0`. */
  version: string;
  /** The sender at the network; undefined: the number's id is the one that clients name. */
  phoneNumberId?: string;
  timeoutSeconds: number;
  /** Exchanges at once. */
  concurrency: number;
  referencePrefix: string;
  /** How long a status is waited for after a hand-over without an answer, before the message is sent again. */
  statusWaitSeconds: number;
  /** Tries of a message that meets passing faults of the network. */
  tries: number;
}

const number = (fallback: number, minimum: number, maximum: number) => ({
  type: 'integer',
  default: fallback,
  minimum,
  maximum,
});

export const whatsAppSettingsSchema: SettingsSchema = {
  properties: {
    baseUrl: {
      type: 'string',
      format: 'uri',
      pattern: '^https?://',
      default: 'https://graph.facebook.com',
    },
    version: { type: 'string', pattern: '^v\\d{1,3}\\.\\d$', default: 'v23.0' },
    phoneNumberId: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    timeoutSeconds: number(10, 1, 10),
    concurrency: number(16, 1, 64),
    referencePrefix: { type: 'string', pattern: '^[A-Za-z0-9._-]{0,32}$', default: 'tarishi-' },
    statusWaitSeconds: number(120, 5, 3600),
    tries: number(5, 1, 20),
  },
};
