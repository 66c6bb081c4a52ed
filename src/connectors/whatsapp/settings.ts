/** The settings of a connector to the WhatsApp Cloud API. */
import type { SettingsSchema } from '../contract/kind.ts';
import { allowPlainHttp } from '../http/transport.ts';
import { httpUrl, referencePrefix, whole } from '../runtime/setting-rules.ts';

export interface WhatsAppSettings {
  baseUrl: string;
  /** Accepts an http: baseUrl of another machine. */
  allowPlainHttp: boolean;
  /** Of the Graph API, such as `v23.0`. */
  version: string;
  /** The sender at the network; undefined: the number's id is the one that clients name. */
  phoneNumberId?: string;
  /** The WhatsApp Business Account whose templates are imported. */
  businessAccountId?: string;
  timeoutSeconds: number;
  /** Exchanges at once. */
  concurrency: number;
  referencePrefix: string;
  /** How long to wait for a status after a hand-over without a response, before the message is sent again. */
  statusWaitSeconds: number;
  /** Attempts at a message that meets temporary faults of the network. */
  tries: number;
}

export const whatsAppSettingsSchema: SettingsSchema = {
  properties: {
    baseUrl: { ...httpUrl, default: 'https://graph.facebook.com' },
    allowPlainHttp,
    version: { type: 'string', pattern: '^v\\d{1,3}\\.\\d$', default: 'v23.0' },
    phoneNumberId: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    businessAccountId: { type: 'string', pattern: '^[0-9]{1,64}$' },
    timeoutSeconds: whole(1, 10, 10),
    concurrency: whole(1, 64, 16),
    referencePrefix,
    statusWaitSeconds: whole(5, 3600, 120),
    tries: whole(1, 20, 5),
  },
};
