/** What the rules of SMS need to know of the world. */
import type { Channel } from '../phone/channels.ts';
import type { ManagedService, SmsTemplate } from '../templates/template.ts';

export interface SmsService {
  id: string;
  sender: string;
  status: 'Active' | 'Inactive';
}

/** Looked up for one team, service and template; undefined stands for what the team does not have. */
export interface SmsFacts {
  service: SmsService | undefined;
  template: SmsTemplate | undefined;
  /** The descriptor that the template's managedServiceKey names. */
  managedService: ManagedService | undefined;
  /** The team's SMS account. */
  accountId: string | undefined;
}

/** The mobile networks in use, prepared for look-ups. */
export interface ChannelTable {
  /** In the order in which answers list them. */
  names: readonly string[];
  /** The channel of a number in E.164 form. */
  find: (e164: string) => Channel | undefined;
}
