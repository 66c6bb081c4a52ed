/** The files of messages that people sent, from the networks that keep them. */
import type { Readable } from 'node:stream';
import type { OpenedMedia } from '../connectors/contract/kind.ts';
import { errors } from '../platform/errors.ts';
import { isUuid } from './uuid.ts';

export interface MediaDependencies {
  find: (
    team: string,
    messageId: string,
  ) => Promise<
    { connector: string; media?: { id: string; mimeType: string } | null | undefined } | undefined
  >;
  open: (connector: string, id: string) => Promise<OpenedMedia>;
  /** The network has the file, but not now. */
  onAway: (connector: string, reason: string) => void;
}

export interface InboundFile {
  stream: Readable;
  headers: Readonly<Record<string, string>>;
}

/** Rejects with 404 if the team has no such message or its file is not there, with 503 if the network does not respond. */
export type GetInboundFile = (team: string, messageId: string) => Promise<InboundFile>;

export function createGetInboundFile({ find, open, onAway }: MediaDependencies): GetInboundFile {
  return async (team, messageId) => {
    const message = isUuid(messageId) ? await find(team, messageId) : undefined;
    if (message === undefined) throw errors.inboundMessageUnknown(messageId);
    const { connector, media } = message;
    const opened: OpenedMedia = media ? await open(connector, media.id) : { kind: 'missing' };
    if (opened.kind === 'away') {
      onAway(connector, opened.reason);
      throw errors.networkAway();
    }
    if (!media || opened.kind === 'missing') throw errors.mediaMissing(messageId);
    return { stream: opened.stream, headers: headersOf(media.mimeType, opened.bytes) };
  };
}

/** Its type comes from a stranger: no browser may open it as a page of ours. */
function headersOf(mimeType: string, bytes: number | undefined): Record<string, string> {
  return {
    'Content-Type': isMediaType(mimeType) ? mimeType : 'application/octet-stream',
    'Content-Disposition': 'attachment',
    'X-Content-Type-Options': 'nosniff',
    ...(bytes === undefined ? {} : { 'Content-Length': String(bytes) }),
  };
}

const isMediaType = (text: string) => /^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w.+-]+)*$/.test(text);
