/** The stored facts that the rules of chat-app messages need. */
import type { Quiet } from '../quiet-hours/departure.ts';
import type { SmsFacts } from '../sms/facts.ts';
import type { ChatAppTemplate } from './templates/template.ts';

export interface ChatAppService {
  id: string;
  status: 'Active' | 'Inactive';
  /** Whether its promotional messages wait for quiet hours to end. */
  quietHours: boolean;
}

/** A number that a service's messages come from. */
export interface SenderNumber {
  /** What clients call it: their phoneNumberId. */
  id: string;
  /** E.164. */
  phone: string;
}

/** A message that a person sent to one of the team's numbers. */
export interface AnsweredMessage {
  serviceId: string;
  /** The number of ours that it was sent to. */
  to: string;
  /** Who sent it: E.164 or a user id; undefined: that is no longer kept. */
  from: string | undefined;
  receivedAt: Date;
}

/** Looked up for one team; undefined stands for what the team does not have. */
export interface ChatAppTeamFacts {
  service: ChatAppService | undefined;
  /** Only if it is registered on the service. */
  number: SenderNumber | undefined;
  template: ChatAppTemplate | undefined;
  /** What a reply answers. */
  answered?: AnsweredMessage | undefined;
  /** The team's chat-app accounts by template category; a team without any is not billed. */
  accounts: Readonly<Record<string, string>>;
}

export interface ChatAppFacts extends ChatAppTeamFacts {
  quiet: Quiet;
  /** Of the SMS in reserve; absent: the command asks for none. */
  sms?: SmsFacts | undefined;
}
