/** The interface of a connector kind: its settings, its secrets, and how to open a connector. */
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Clock, Stopwatch } from '../../platform/clock.ts';
import type { Encoding } from '../../platform/text/segments.ts';
import type { AccountTemplates } from './account-template.ts';
import type { Connector, NetworkReport, SentPart } from './connector.ts';
import type { Inbound, TemplateNews } from './inbound.ts';
import type { PhoneMessage } from './phone-message.ts';
import type { Account } from './share.ts';

/** What a connector that sends messages in parts, one by one, keeps of them. */
export interface SentParts {
  /**
   * Resolves once it is stored that the network took the part: it is not sent again, whatever happens. A message in
   * one part is submitted then.
   */
  keep: (part: SentPart) => Promise<void>;
  /** The parts that earlier, interrupted hand-overs of these messages came to. */
  of: (messageIds: readonly string[]) => Promise<SentPart[]>;
}

/** Records what goes wrong at a network, for operators. */
export interface Trouble {
  /** The network asks for fewer messages. */
  throttled: () => void;
  /** In plain words that name no recipient. */
  failed: (reason: string) => void;
}

/** What an open connector may use of the service. */
export interface ConnectorContext {
  /** The connector's own name. */
  name: string;
  clock: Clock & Stopwatch;
  logger: Logger;
  /**
   * Passes on a report of the network. Resolves once it is stored: then it may be acknowledged. Repeated, early and
   * unknown reports are fine.
   */
  report: (reports: readonly NetworkReport[]) => Promise<void>;
  /**
   * Passes on messages of phones. Resolves once they are stored: then they may be acknowledged. Repeated ones are fine.
   */
  receive: (messages: readonly PhoneMessage[]) => Promise<void>;
  parts: SentParts;
  /** Pauses it: for that many seconds, or until an operator resumes it. */
  pause: (reason: string, seconds?: number) => Promise<void>;
  trouble: Trouble;
  /** Passes on news of message templates. */
  templates: (news: readonly TemplateNews[]) => Promise<void>;
}

/** What the document says of the settings and secrets of a kind. */
export interface DocumentedKind {
  /** JSON Schema of each setting, with its default. Others are rejected. */
  properties: Readonly<Record<string, object>>;
  required: readonly string[];
  /** It cannot work without those that are required. */
  secrets: readonly { name: string; required: boolean }[];
}

/** Settings that fit a provider which many have. */
export interface Preset {
  /** What the provider is called. */
  title: string;
  /** The settings without which it does not work, because they belong to an account. */
  open: readonly string[];
  /** They count wherever an operator's own say nothing. */
  settings: Readonly<Record<string, unknown>>;
}

/** No file may be larger. */
export const mediaLimitBytes = 100 * 1024 * 1024;

/** A file at a network. `missing`: the network does not have it, or it is too large; `away`: it may have it later. */
export type OpenedMedia =
  | {
      kind: 'open';
      /** Ends with an error when the network fails, or sends more than `mediaLimitBytes`. */
      stream: Readable;
      /** Undefined: the network does not say. */
      bytes: number | undefined;
    }
  | { kind: 'missing' }
  | { kind: 'away'; reason: string };

/** How a text is submitted. */
export interface Split {
  encoding: Encoding;
  /** Short messages that are submitted; 1 where the network splits the text itself. */
  parts: number;
}

/** A kind as operators configure it, and as its network calls it. */
export interface KindRules<Settings = unknown> {
  documented: DocumentedKind;
  /** By the value of its setting "preset". */
  presets?: Readonly<Record<string, Preset>>;
  /** What is wrong with settings that are each right by themselves. */
  fault?(settings: Settings): string | undefined;
  /** Where it sends its secrets, and whose word it takes that this is the right place. Kinds without secrets have none. */
  address?(settings: Settings): string;
  /** What an operator should know about settings that are allowed; commands and the log say it. */
  warning?(settings: Settings): string | undefined;
  /** What all processes together may use, where the network limits it. */
  account?(settings: Settings): Account | undefined;
  /** How it submits a text, where that depends on its settings. */
  split?(text: string, settings: Settings): Split;
  /**
   * Finds out whether the network would take messages, without sending one. Resolves to what is wrong in plain words,
   * or to undefined.
   */
  test?(
    settings: Settings,
    secrets: Readonly<Record<string, string>>,
    clock: Clock,
  ): Promise<string | undefined>;
  /** Reads the message templates of the account, where networks keep them. */
  accountTemplates?(
    settings: Settings,
    secrets: Readonly<Record<string, string>>,
    clock: Clock,
  ): Promise<AccountTemplates>;
  /** Begins to read a file that a person sent, by the network's id, where networks keep them. */
  openMedia?(
    settings: Settings,
    secrets: Readonly<Record<string, string>>,
    clock: Clock,
    id: string,
  ): Promise<OpenedMedia>;
  /** How the network calls us, where it does. */
  inbound?: Inbound<Settings>;
}

export interface ConnectorKind<Settings = unknown> extends KindRules<Settings> {
  /**
   * Opens one with checked settings, defaults filled in. Returns at once and connects by itself; throws an Error
   * that says what is missing when it cannot work with these settings and secrets.
   */
  open(settings: Settings, secrets: Readonly<Record<string, string>>, context: ConnectorContext): Connector;
}
