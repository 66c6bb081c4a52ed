/** Every byte between the service and the networks, receivers and clients passes here. */
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { commandNames } from '../../../src/connectors/smpp/wire/commands.ts';
import { moved } from '../time/stillness.ts';
import { happened } from '../time/virtual-time.ts';
import type { Boundary, Hit, Recorder, Strike } from './boundaries.ts';
import { currentInstance, type Instance, outside } from './instance.ts';

export const network: {
  recorder: Recorder | undefined;
  /** The names of those who listen, by port. */
  peers: Map<number, string>;
} = { recorder: undefined, peers: new Map() };

interface Connection {
  instance: Instance;
  /** What comes is lost from now on. */
  deaf: boolean;
}

/** Connections whose bytes do not count as a move. */
export const quiet = new WeakSet<object>();

type Done = (error?: Error | null) => void;
type WriteGeneric = (this: Socket, writev: boolean, data: unknown, encoding: string, done: Done) => void;

const connections = new WeakMap<object, Connection>();
const prototype = Socket.prototype as unknown as { _writeGeneric: WriteGeneric };
const write = prototype._writeGeneric;
const push = Readable.prototype.push;
const connect = Socket.prototype.connect;
const { Server } = createRequire(import.meta.url)('node:net');
const emit = Server.prototype.emit;
const listen = Server.prototype.listen;

Socket.prototype.connect = function (this: Socket, ...args: never[]) {
  const instance = currentInstance();
  // One that was destroyed before would live again.
  if (instance?.lives() === false) return this;
  if (instance !== undefined) own(this, instance);
  return connect.apply(this, args as never);
} as never;

Server.prototype.listen = function (this: object & { close: () => void }, ...args: unknown[]) {
  const instance = currentInstance();
  if (instance !== undefined) {
    connections.set(this, { instance, deaf: false });
    instance.owns({ destroy: () => this.close() });
  }
  return listen.apply(this, args);
};

Server.prototype.emit = function (this: object, event: string, ...args: unknown[]) {
  const listening = connections.get(this);
  if (event === 'connection' && listening !== undefined) {
    const socket = args[0] as Socket;
    if (!listening.instance.lives()) return socket.destroy();
    own(socket, listening.instance);
  }
  return emit.call(this, event, ...args);
};

function own(socket: Socket, instance: Instance): void {
  connections.set(socket, { instance, deaf: false });
  instance.owns(socket);
  if (!instance.lives()) socket.destroy();
}

prototype._writeGeneric = function (writev, data, encoding, done) {
  if (!quiet.has(this)) moved();
  const connection = connections.get(this);
  const peer = peerOf(this);
  if (connection?.instance.lives() === false) return;
  if (connection === undefined || peer === undefined || this.connecting)
    return write.call(this, writev, data, encoding, done);
  const { instance } = connection;
  const send = () => instance.whenThawed(() => write.call(this, writev, data, encoding, done));
  const key = labelOf(peer, '→', octetsOf(data));
  const { recorder } = network;
  if (recorder === undefined || key === undefined) return send();
  const before = recorder.cross('write', key, 'before', instance);
  const after = recorder.cross('write', key, 'after', instance);
  if (before !== undefined) strike(before, this, connection).then(send, done);
  else if (after !== undefined) {
    write.call(this, writev, data, encoding, () => {});
    // What it gets back is held, or lost.
    void strike(after, this, connection).then(() => instance.whenThawed(() => done()), done);
  } else send();
};

Readable.prototype.push = function (this: Readable, chunk: unknown, encoding?: never) {
  const connection = connections.get(this);
  if (connection === undefined) return push.call(this, chunk, encoding);
  moved();
  const { instance, deaf } = connection;
  const peer = peerOf(this as Socket);
  if (peer === undefined) return push.call(this, chunk, encoding);
  const take = () => instance.whenThawed(() => push.call(this, chunk, encoding));
  happened();
  if (deaf) return true;
  if (!instance.lives() || instance.frozen()) {
    take();
    return true;
  }
  const key = !Buffer.isBuffer(chunk) ? undefined : labelOf(peer, '←', chunk);
  const hit = key === undefined ? undefined : network.recorder?.cross('read', key, 'before', instance);
  if (hit === undefined) return push.call(this, chunk, encoding);
  void strike(hit, this as Socket, connection).then(take, () => {});
  return true;
};

function strike(hit: Hit, socket: Socket, connection: Connection): Promise<void> {
  const cut = async (): Promise<never> => {
    connection.deaf = true;
    // The other side reads first what was written.
    await new Promise<void>((resolve) => outside(() => setTimeout(resolve, 1)));
    const error = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    socket.destroy(error);
    throw error;
  };
  const at: Strike = {
    boundary: hit.boundary,
    instance: connection.instance,
    fail: cut,
    cut,
    silence: () => {
      connection.deaf = true;
      return new Promise(() => {});
    },
    readOnly: async () => {},
  };
  network.recorder?.strikes(hit, connection.instance);
  return hit.strike(at);
}

/** Undefined: the database. */
function peerOf({ remotePort, localPort }: Socket): string | undefined {
  return network.peers.get(remotePort ?? 0) ?? network.peers.get(localPort ?? 0);
}

function octetsOf(data: unknown): Buffer {
  const parts = Array.isArray(data) ? data.map(({ chunk }) => chunk) : [data];
  return Buffer.concat(parts.map((part) => Buffer.from(part as never)));
}

/** Undefined: a sign of life, or nothing of a message. */
function labelOf(peer: string, way: string, octets: Buffer): Boundary['key'] | undefined {
  if (peer !== 'smsc') {
    const [line = ''] = octets.subarray(0, 200).toString('latin1').split('\r\n', 1);
    if (!line.includes('HTTP/1.1')) return `${peer} ${way} more`;
    // Without the query of the path, which names one message.
    const words = line.split(' ').map((word) => word.split('?', 1)[0]);
    return `${peer} ${way} ${words.join(' ').replace(/\d{4,}/g, '#')}`;
  }
  const names: string[] = [];
  for (let at = 0; at + 16 <= octets.length; at += Math.max(16, octets.readUInt32BE(at)))
    names.push(commandNames.get(octets.readUInt32BE(at + 4)) ?? '?');
  if (names.every((name) => /^(enquire_link|bind_|unbind)/.test(name))) return undefined;
  return `${peer} ${way} ${names.join(' ')}`;
}
