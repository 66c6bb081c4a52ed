/** The interface with which a connector kind verifies and reads calls from its network. */
import type { IncomingHttpHeaders } from 'node:http';
import type { NetworkReport } from './connector.ts';
import type { PhoneIdentity, PhoneMessage, PhonePreference } from './phone-message.ts';

export interface InboundRequest {
  headers: IncomingHttpHeaders;
  /** As it came: signatures are over bytes. */
  body: Buffer;
}

export type ApprovalStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'PAUSED' | 'DISABLED';

export type TemplateCategory = 'AUTHENTICATION' | 'MARKETING' | 'UTILITY';

/** What a network says of a template that it knows by name and language: what became of its review, or its category. */
export type TemplateNews = {
  name: string;
  language: string;
  /** By the network's clock; absent: when we got it. */
  occurredAt?: Date;
} & ({ approvalStatus: ApprovalStatus; comment?: string } | { category: TemplateCategory });

export interface InboundNews {
  reports: readonly NetworkReport[];
  templates?: readonly TemplateNews[];
  /** What people sent to senders of ours. */
  messages?: readonly PhoneMessage[];
  /** What people told the network about senders of ours. */
  preferences?: readonly PhonePreference[];
  /** People of whom the network said both the number and its own id. */
  identities?: readonly PhoneIdentity[];
  /** Why the connector must send nothing more until an operator resumes it. */
  pause?: string;
}

type Secrets = Readonly<Record<string, string>>;

export interface Inbound<Settings> {
  /** The response to a network that verifies the address; undefined: the request is not the network's. */
  challenge?(query: URLSearchParams, secrets: Secrets): string | undefined;
  /** Names, in lower case, of the headers without which `verify` rejects a request. */
  signatureHeaders(settings: Settings): readonly string[];
  /** Whether the request is the network's. Takes constant time. */
  verify(request: InboundRequest, settings: Settings, secrets: Secrets, nowMs: number): boolean;
  /** The reports in a verified body; empty if it has none that we know. Never throws. */
  read(body: Buffer, settings: Settings): InboundNews;
}
