/** The interface with which a connector kind verifies and reads calls from its network. */
import type { IncomingHttpHeaders } from 'node:http';
import type { NetworkReport } from './connector.ts';
import type { PhoneIdentity, PhoneMessage, PhonePreference } from './phone-message.ts';

/** A call of a network, before its body is read. */
export interface InboundCall {
  headers: IncomingHttpHeaders;
  /** The query string as it came, without its question mark. */
  query?: string;
  /** What the path says behind the name of the connector; absent: nothing. */
  key?: string | undefined;
}

export interface InboundRequest extends InboundCall {
  /** As it came: signatures are over bytes. Empty for a GET. */
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

/** What a network says of the account that an operator should know. */
export interface NetworkNotice {
  /** A later notice about the same replaces it. */
  about: string;
  /** Undefined: it is over. */
  says: string | undefined;
  /** When it is over by itself. */
  until?: Date | undefined;
}

export interface InboundNews {
  reports: readonly NetworkReport[];
  templates?: readonly TemplateNews[];
  /** What people sent to senders of ours. */
  messages?: readonly PhoneMessage[];
  /** What people told the network about senders of ours. */
  preferences?: readonly PhonePreference[];
  /** People whom the network calls by several names. */
  identities?: readonly PhoneIdentity[];
  /** What operators should know of the account. */
  notices?: readonly NetworkNotice[];
  /** Why the connector must send nothing more until an operator resumes it. */
  pause?: string;
}

type Secrets = Readonly<Record<string, string>>;

export interface Inbound<Settings> {
  /** The response to a network that verifies the address; undefined: the request is not the network's. */
  challenge?(query: URLSearchParams, secrets: Secrets): string | undefined;
  /** Whether its network may call by GET, with all that it says in the query. */
  takesGet?: true;
  /** Names, in lower case, of the headers without which `verify` rejects a request. */
  signatureHeaders(settings: Settings): readonly string[];
  /** Whether the path has the secret that it must have; absent: it must have none. */
  admits?(call: InboundCall, settings: Settings, secrets: Secrets): boolean;
  /** Whether the request is the network's. Takes constant time. */
  verify(request: InboundRequest, settings: Settings, secrets: Secrets, nowMs: number): boolean;
  /** The reports in a verified body, or in the query; empty if it has none that we know. Never throws. */
  read(body: Buffer, settings: Settings, query?: string): InboundNews;
}
