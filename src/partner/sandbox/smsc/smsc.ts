/** The SMSC side of SMPP 3.4, for trials of this service and of others. */
import { createServer, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { type SmscState, stateCodes } from '../../../connectors/smpp/reports/delivery-report.ts';
import { createLink, type Link, type OwnersRequest } from '../../../connectors/smpp/session/link.ts';
import type { Timers } from '../../../connectors/smpp/session/timers.ts';
import type { ShortMessage } from '../../../connectors/smpp/wire/bodies.ts';
import { esm, statuses, tags, version34 } from '../../../connectors/smpp/wire/commands.ts';
import { tlvInteger } from '../../../connectors/smpp/wire/tlv.ts';
import { type Address, bind } from '../../../platform/bind.ts';
import { textsOf } from './phone-text.ts';
import { createSmscReports, type SmscReports } from './reports.ts';

/** The SMSC's response to a submit_sm; if it is OK, its later report and what the person writes back. */
export interface SmscAnswer {
  status: number;
  report?: { state: SmscState; error: string; afterMs: number };
  replies?: readonly { text: string; afterMs: number }[];
}

export interface SmscOptions extends Address {
  timers: Timers;
  logger: Logger;
  /** The command_status for a bind. */
  admit: (systemId: string, password: string) => number;
  answer: (message: ShortMessage) => Promise<SmscAnswer>;
  /** Called with each connection, for tests that disturb it. */
  onConnection?: (socket: Socket) => void;
}

export interface Smsc {
  port: number;
  /** A phone's message to an ESME: repeated until it is taken, kept until a receiver is there. */
  deliver: (systemId: string, message: ShortMessage) => void;
  close: () => Promise<void>;
}

interface Session {
  link: Link;
  systemId: string | undefined;
  receives: boolean;
  transmits: boolean;
}

/** Connections at once; others are closed immediately. */
const mostSessions = 100;
const times = { responseTimeoutMs: 30_000, enquireEveryMs: 60_000, enquireDeadlineMs: 30_000 };
/** How soon after connecting an ESME must bind. */
const bindWithinMs = 30_000;

const none = { systemId: '', messageId: '', tlvs: [] };

/** Resolves when it listens. */
export async function listenAsSmsc(options: SmscOptions): Promise<Smsc> {
  const { timers, logger } = options;
  const sessions = new Set<Session>();
  const receiverOf = (systemId: string) =>
    [...sessions].find((session) => session.systemId === systemId && session.receives)?.link;
  const reports = createSmscReports(timers, receiverOf);
  const submit = createSubmit(options, reports);

  const serve = (socket: Socket) => {
    const link = createLink(socket, {
      timers,
      ...times,
      onRequest: (request) => answer(session, request),
      onClosed: (reason) => {
        cancel();
        sessions.delete(session);
        logger.debug({ reason, systemId: session.systemId }, 'ESME disconnected');
      },
    });
    const session: Session = { link, systemId: undefined, receives: false, transmits: false };
    sessions.add(session);
    const cancel = timers.after(bindWithinMs, () => {
      if (session.systemId === undefined) link.close('no bind');
    });
    options.onConnection?.(socket);
  };

  const answer = (session: Session, request: OwnersRequest) => {
    const { link } = session;
    switch (request.command) {
      case 'bind_receiver':
      case 'bind_transmitter':
      case 'bind_transceiver': {
        const status =
          session.systemId === undefined
            ? options.admit(request.systemId, request.password)
            : statuses.alreadyBound;
        link.respond(request, status, { ...none, systemId: 'tarishi', tlvs: versionTlv });
        if (status !== statuses.ok) return;
        session.systemId = request.systemId;
        session.receives = request.command !== 'bind_transmitter';
        session.transmits = request.command !== 'bind_receiver';
        if (session.receives) reports.sendKept(request.systemId);
        return;
      }
      case 'submit_sm':
        if (session.systemId === undefined || !session.transmits)
          return link.respond(request, statuses.invalidBindState, none);
        return void submit(session.systemId, link, request);
      default:
        return link.respond(request, statuses.invalidBindState, none);
    }
  };

  const server = createServer(serve);
  server.maxConnections = mostSessions;
  const port = await bind(server, options);
  logger.info({ port }, 'listening as an SMSC');
  return {
    port,
    deliver: reports.send,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        reports.close();
        for (const { link } of sessions) link.close('the SMSC ends');
      }),
  };
}

/** Responds to a submit_sm as `options.answer` says, and sends the report and the replies that follow. */
function createSubmit(options: SmscOptions, reports: SmscReports) {
  let lastId = 0;
  return async (
    systemId: string,
    link: Link,
    request: Extract<OwnersRequest, { command: 'submit_sm' }>,
  ): Promise<void> => {
    const failed: SmscAnswer = { status: statuses.systemError };
    const { status, report, replies = [] } = await options.answer(request).catch(() => failed);
    if (status !== statuses.ok) return link.respond(request, status, none);
    if (reports.full()) return link.respond(request, statuses.queueFull, none);
    lastId += 1;
    const messageId = lastId.toString(16).toUpperCase().padStart(8, '0');
    link.respond(request, statuses.ok, { messageId, tlvs: [] });
    const addresses = { source: request.destination, destination: request.source };
    for (const { text, afterMs } of replies)
      for (const part of textsOf(addresses, text, lastId)) reports.sendAfter(afterMs, systemId, part);
    if (report === undefined || (request.registeredDelivery & 3) === 0) return;
    const message = reportOf(request, messageId, report.state, report.error);
    if (report.afterMs === 0) reports.send(systemId, message);
    else reports.sendAfter(report.afterMs, systemId, message);
  };
}

const versionTlv = [tlvInteger(tags.interfaceVersion, 1, version34)];

/** A delivery receipt as in appendix B, with what it says in optional parameters too. */
function reportOf(sent: ShortMessage, messageId: string, state: SmscState, error: string): ShortMessage {
  const now = new Date().toISOString().replace(/\D/g, '').slice(2, 12);
  const delivered = state === 'DELIVRD' ? '001' : '000';
  const text =
    `id:${messageId} sub:001 dlvrd:${delivered} submit date:${now} done date:${now} ` +
    `stat:${state} err:${error} Text:`;
  return {
    ...sent,
    source: sent.destination,
    destination: sent.source,
    esmClass: esm.receipt,
    validityPeriod: '',
    registeredDelivery: 0,
    dataCoding: 0,
    text: Buffer.from(text, 'latin1'),
    tlvs: [
      { tag: tags.receiptedMessageId, value: Buffer.from(`${messageId}\0`, 'latin1') },
      tlvInteger(tags.messageState, 1, stateCodes[state]),
    ],
  };
}
