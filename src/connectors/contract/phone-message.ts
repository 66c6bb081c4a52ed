/** What a phone sends to a sender of ours, as connectors pass it on. */
import type { CodedText } from '../../platform/text/coded.ts';

/** What a message is, besides its text. `other`: something that has neither text nor a file, such as a location. */
const contentKinds = ['text', 'button', 'media', 'other'] as const;
export type ContentKind = (typeof contentKinds)[number];

export interface PhoneContent {
  kind: ContentKind;
  /** Of a button what it says; empty for the others but text. */
  text: string;
  /** The network's own id of a file, and its type. */
  media?: { id: string; mimeType: string };
}

/** One of the parts that a long text was sent in. */
export interface PhonePart extends CodedText {
  /** Tells the texts of a phone apart; used again soon. */
  reference: string;
  /** From 1 to `total`, which is at most 255. */
  number: number;
  total: number;
}

/** What cannot be read of what a network says, word for word. */
export interface UnreadableText {
  kind: 'Message' | 'Preference' | 'Status' | 'Template' | 'Call';
  /** `Malformed`: it is not what its place promises. `Unknown`: a value that we do not know. */
  reason: 'Malformed' | 'Unknown';
  text: string;
}

/** What the network calls one person: numbers, as it writes them, and ids of its own. */
export interface PhoneIdentity {
  names: readonly string[];
  /** They have another number or id from now on. */
  isChange?: boolean;
}

/** What a person told the network about a sender of ours. */
export interface PhonePreference extends Pick<PhoneMessage, 'from' | 'userId' | 'to' | 'toId'> {
  /** Whether they want marketing messages from it. */
  marketing: boolean;
  /** By the network's clock; absent: when we got it. */
  occurredAt?: Date | undefined;
}

export interface PhoneMessage {
  /** The number of the phone, as the network writes it; undefined: the network does not say it. */
  from: string | undefined;
  /** The network's own id of the person. */
  userId?: string | undefined;
  /** What it was sent to, as the network writes it: a short code or a number. */
  to: string;
  /** The network's own id of what it was sent to. */
  toId?: string | undefined;
  /** The same when the network sends the message again. */
  identity: string;
  /**
   * A message with the same identity is the same one if it comes within this time; null: whenever it comes, because the network gives
   * each message an id.
   */
  repeatedWithinSeconds: number | null;
  body: { content: PhoneContent } | { part: PhonePart } | { unreadable: UnreadableText };
}
