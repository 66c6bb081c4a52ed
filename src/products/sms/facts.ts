/** The stored facts that the rules of SMS need. */
import type { ChannelTable } from '../phone/channels.ts';
import type { Quiet } from '../quiet-hours/departure.ts';
import type { ManagedService, SmsTemplate } from '../templates/template.ts';
import type { FindSenderRules } from './sender-rules.ts';
import type { SmsService } from './service.ts';

/** Looked up for one team, service and template; undefined stands for what the team does not have. */
export interface SmsTeamFacts {
  service: SmsService | undefined;
  template: SmsTemplate | undefined;
  /** The descriptor that the template's managedServiceKey names. */
  managedService: ManagedService | undefined;
  /** The team's SMS account. */
  accountId: string | undefined;
}

export interface SmsFacts extends SmsTeamFacts {
  channels: ChannelTable;
  quiet: Quiet;
  findSenderRules: FindSenderRules;
}
