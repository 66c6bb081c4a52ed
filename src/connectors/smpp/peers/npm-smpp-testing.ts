/** npm's `smpp`, which has no types of its own, as far as the tests use it. */
import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

export interface PeerPdu {
  command: string;
  command_status: number;
  sequence_number: number;
  message_id?: string;
  source_addr?: string;
  destination_addr?: string;
  data_coding?: number;
  esm_class?: number;
  receipted_message_id?: string;
  message_state?: number;
  short_message?: { message: string | Buffer; udh?: Buffer[] };
  response: (fields?: object) => PeerPdu;
}

export interface PeerSession extends EventEmitter {
  send: (pdu: PeerPdu) => boolean;
  bind_transceiver: (fields: object, onResponse: (pdu: PeerPdu) => void) => void;
  submit_sm: (fields: object, onResponse: (pdu: PeerPdu) => void) => void;
  deliver_sm: (fields: object, onResponse: (pdu: PeerPdu) => void) => void;
  enquire_link: (onResponse: (pdu: PeerPdu) => void) => void;
  unbind: (onResponse: (pdu: PeerPdu) => void) => void;
  close: () => void;
  destroy: () => void;
}

interface PeerServer extends EventEmitter {
  listen: (port: number, host: string, onListening: () => void) => void;
  address: () => AddressInfo;
  close: (onClosed: () => void) => void;
}

interface Smpp {
  connect: (options: { url: string }, onConnect: () => void) => PeerSession;
  createServer: (onSession: (session: PeerSession) => void) => PeerServer;
}

export const npmSmpp: Smpp = createRequire(import.meta.url)('smpp');
