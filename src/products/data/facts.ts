/** The stored facts that the rules of mobile data need. */
import type { ChannelTable } from '../phone/channels.ts';
import type { FindSenderRules } from '../sms/sender-rules.ts';
import type { SmsService } from '../sms/service.ts';
import type { Campaign } from './campaign.ts';

/** Looked up for one team, campaign and SMS service; undefined stands for what the team does not have. */
export interface DataTeamFacts {
  campaign: Campaign | undefined;
  /** How long bundles may wait for their network: as the campaign's own service says; null: as the settings say. */
  validitySeconds: number | null;
  /** The service that messages go through: the one that the request names, or else the campaign's own. */
  smsServiceId: string;
  smsService: SmsService | undefined;
  /** The team's data accounts, by `<channel>/<denomination>`. */
  accountIds: ReadonlyMap<string, string>;
  smsAccountId: string | undefined;
}

export interface DataFacts extends DataTeamFacts {
  channels: ChannelTable;
  findSenderRules: FindSenderRules;
}
