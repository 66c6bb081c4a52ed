/** One SMPP connection, the same for both sides: requests with their responses, enquiries, and its end. */
import type { Socket } from 'node:net';
import type { Bodies } from '../wire/bodies.ts';
import { type Command, statuses } from '../wire/commands.ts';
import { PduFault } from '../wire/fault.ts';
import {
  createFramer,
  decodePdu,
  encodeCommand,
  type Pdu,
  type PduHeader,
  type PduOf,
  readHeader,
  type UnknownPdu,
} from '../wire/pdu.ts';
import { createOutgoing, type Outgoing } from './outgoing.ts';
import { createPending } from './pending.ts';
import type { Timers } from './timers.ts';

/** The commands that have a response. */
export type RequestCommand = { [C in Command]: `${C}_resp` extends Command ? C : never }[Command];
export type RequestPdu = { [C in RequestCommand]: PduOf<C> }[RequestCommand];
/** Requests that the link leaves to its owner. */
export type OwnersRequest = Exclude<RequestPdu, PduOf<'unbind'> | PduOf<'enquire_link'>>;
/** A peer responds with generic_nack to a request that it could not read. */
export type Answer<C extends RequestCommand = RequestCommand> =
  | PduOf<`${C}_resp` & Command>
  | PduOf<'generic_nack'>;

export interface LinkOptions {
  timers: Timers;
  /** How long a response may take. */
  responseTimeoutMs: number;
  /** How often an enquire_link is sent, and how soon it must have a response (SMPP 3.4 section 4.11). */
  enquireEveryMs: number;
  enquireDeadlineMs: number;
  /** Requests of the peer, except enquire_link and unbind, which the link handles itself. */
  onRequest: (request: OwnersRequest) => void;
  /** A message of the peer that cannot be read, and gets an error; without its number. */
  onUnreadable?: (octets: Buffer) => void;
  /** Called once, before pending requests are told that no response will come. */
  onClosed: (reason: string) => void;
}

export interface Link {
  /** `onAnswer` gets undefined if none came in time or the connection ended: the outcome is unknown. */
  request: <C extends RequestCommand>(
    command: C,
    fields: Bodies[C],
    onAnswer: (answer: Answer<C> | undefined) => void,
  ) => void;
  respond: <C extends RequestCommand>(
    request: PduOf<C>,
    status: number,
    fields: Bodies[`${C}_resp` & Command],
  ) => void;
  /** Requests without a response so far, and with one. */
  outstanding: () => number;
  answered: () => number;
  /** Unbinds (section 4.2): closes at the peer's response or after the deadline. */
  unbind: (deadlineMs: number) => void;
  close: (reason: string) => void;
}

/** A connection that ends with a last PDU is cut after this time, sent or not. */
const lastWordMs = 1_000;

/** `socket` is connected. The link owns it from here on. */
export function createLink(socket: Socket, options: LinkOptions): Link {
  const { timers } = options;
  const pending = createPending<Pdu>(timers, options.responseTimeoutMs);
  let closed = false;
  let answered = 0;

  const outgoing = createOutgoing(socket);
  const write = (octets: Buffer) => {
    if (!closed) outgoing.write(octets);
  };

  const send = (command: RequestCommand, fields: Bodies[Command], onAnswer: (answer?: Pdu) => void) => {
    if (closed) return onAnswer(undefined);
    const octets = encodeCommand(command, statuses.ok, 0, fields);
    const sequence = pending.add((answer) => {
      if (answer !== undefined) requireResponseTo(command, answer);
      onAnswer(answer);
    });
    octets.writeUInt32BE(sequence, 12);
    write(octets);
  };

  const close = (reason: string, lastWord?: Buffer) => {
    if (closed) return;
    if (lastWord !== undefined) write(lastWord);
    closed = true;
    stopEnquiring();
    if (lastWord === undefined) socket.destroy();
    else endAfter(outgoing, socket, timers);
    options.onClosed(reason);
    pending.giveUp();
  };

  const receive = (octets: Buffer) => {
    if (closed) return;
    const pdu = decodeOrRefuse(octets, write, options.onUnreadable);
    if (pdu === undefined) return;
    if (pdu.command === 'unknown') refuse(pdu, statuses.invalidCommandId, write);
    else if (isResponse(pdu)) answered += Number(pending.answer(pdu.sequence, pdu));
    else if (pdu.command === 'enquire_link') write(encodeCommand('enquire_link_resp', 0, pdu.sequence, {}));
    else if (pdu.command === 'unbind')
      close('the peer unbound', encodeCommand('unbind_resp', 0, pdu.sequence, {}));
    else options.onRequest(pdu);
  };

  listenTo(socket, { isClosed: () => closed, receive, close });
  const stopEnquiring = enquireRegularly(
    options,
    (onAnswer) => send('enquire_link', {}, (answer) => answer !== undefined && onAnswer()),
    () => close('enquire_link was not answered'),
  );

  return {
    request: (command, fields, onAnswer) =>
      send(command, fields, (pdu) => onAnswer(pdu as Answer<typeof command> | undefined)),
    respond: ({ command, sequence: of }, status, fields) =>
      write(encodeCommand(responseTo(command), status, of, fields)),
    outstanding: pending.count,
    answered: () => answered,
    unbind: (deadlineMs) => {
      const cancel = timers.after(deadlineMs, () => close('unbind was not answered'));
      send('unbind', {}, () => {
        cancel();
        close('unbound');
      });
    },
    close: (reason) => close(reason),
  };
}

/** Passes on each PDU that arrives, and why no more will. */
function listenTo(
  socket: Socket,
  {
    isClosed,
    receive,
    close,
  }: {
    isClosed: () => boolean;
    receive: (octets: Buffer) => void;
    close: (reason: string, lastWord?: Buffer) => void;
  },
): void {
  const push = createFramer(receive);
  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    if (isClosed()) return;
    try {
      push(chunk);
    } catch (error) {
      if (!(error instanceof PduFault)) throw error;
      close(`a malformed PDU: ${error.message}`, encodeCommand('generic_nack', error.status, 0, {}));
    }
  });
  socket.on('error', (error) => close(`the connection failed: ${error.message}`));
  socket.on('end', () => close('the peer closed the connection'));
  socket.on('close', () => close('the connection was closed'));
}

/** Ends the connection once everything was sent, or after a second. */
function endAfter(outgoing: Outgoing, socket: Socket, timers: Timers): void {
  outgoing.flush();
  socket.destroySoon();
  timers.after(lastWordMs, () => socket.destroy());
}

/** Sends enquire_link regularly until the returned function is called. */
function enquireRegularly(
  { timers, enquireEveryMs, enquireDeadlineMs }: LinkOptions,
  enquire: (onAnswer: () => void) => void,
  onSilence: () => void,
): () => void {
  let cancel = () => {};
  const enquireLater = () => {
    cancel = timers.after(enquireEveryMs, () => {
      cancel = timers.after(enquireDeadlineMs, onSilence);
      enquire(() => {
        cancel();
        enquireLater();
      });
    });
  };
  enquireLater();
  return () => cancel();
}

type Write = (octets: Buffer) => void;

/** deliver_sm and data_sm. */
const messageCommands: ReadonlySet<number> = new Set([0x5, 0x103]);

/** Rejects a request that cannot be read, and keeps the connection: its peer sends it again after every reconnect. */
function decodeOrRefuse(
  octets: Buffer,
  write: Write,
  onUnreadable: LinkOptions['onUnreadable'],
): Pdu | UnknownPdu | undefined {
  try {
    return decodePdu(octets);
  } catch (error) {
    const header = readHeader(octets);
    if (!(error instanceof PduFault) || !isRequest(header)) throw error;
    if (messageCommands.has(header.commandId))
      onUnreadable?.(Buffer.concat([octets.subarray(0, 12), octets.subarray(16)]));
    refuse(header, error.status, write);
    return undefined;
  }
}

function refuse(header: PduHeader, status: number, write: Write): void {
  if (isRequest(header)) write(encodeCommand('generic_nack', status, header.sequence, {}));
}

function isRequest({ commandId }: PduHeader): boolean {
  return commandId < 0x8000_0000;
}

function isResponse(pdu: Pdu): pdu is Exclude<Pdu, RequestPdu> {
  return pdu.command === 'generic_nack' || pdu.command.endsWith('_resp');
}

function requireResponseTo(command: RequestCommand, answer: Pdu): void {
  if (answer.command !== 'generic_nack' && answer.command !== responseTo(command))
    throw new PduFault(`${answer.command} in response to ${command}`, statuses.invalidCommandId);
}

function responseTo<C extends RequestCommand>(command: C): `${C}_resp` & Command {
  return `${command}_resp` as `${C}_resp` & Command;
}
