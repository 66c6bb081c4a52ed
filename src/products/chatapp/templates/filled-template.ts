/** A template as it is filled for one message, or a text: stored with the message, rendered by the connector of its network. */
import type { Button, MediaFormat } from './template.ts';

/** The value of one placeholder of a text. */
export interface FilledText {
  /** What stands between the braces; absent where placeholders are numbered: the values are in that order. */
  name?: string;
  value: string;
}

export type FilledHeader =
  | { format: 'TEXT'; texts: readonly FilledText[] }
  | { format: MediaFormat; url: string; filename?: string }
  /** Decimal degrees. */
  | { format: 'LOCATION'; latitude: number; longitude: number; name: string; address?: string };

export interface FilledButton {
  /** Its place among the buttons of the template or card, from 0. */
  index: number;
  type: Exclude<Button['type'], 'PHONE_NUMBER'>;
  value: string;
}

/** What is not filled is absent. */
export interface FilledPart {
  header?: FilledHeader;
  body?: readonly FilledText[];
  buttons?: readonly FilledButton[];
}

export interface FilledCard extends FilledPart {
  /** Its place in the carousel, from 0. */
  index: number;
}

export interface FilledTemplate extends FilledPart {
  /** As the network knows the template, together with the language. */
  name: string;
  language: string;
  /** Milliseconds since 1970. */
  offerEndsMs?: number;
  cards?: readonly FilledCard[];
}

/** A text or file without a template. Networks take it within 24 hours of a message of the person. */
export type SessionContent = { text: string } | { media: SessionMedia };

export interface SessionMedia {
  kind: MediaFormat | 'AUDIO';
  /** The network fetches it. */
  url: string;
  caption?: string;
  filename?: string;
}
