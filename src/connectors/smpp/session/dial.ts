/** Opens connections to an SMSC, with TLS where it is asked for. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SmppSettings } from '../settings.ts';
import type { Timers } from './timers.ts';

const connectTimeoutMs = 10_000;

export interface Address {
  host: string;
  port: number;
}

/** Rejects when there is no connection in time. */
export type Dial = () => Promise<Socket>;

/** To each of the hosts. */
export function createDials(
  { host, port, tls, tlsCertificateAuthority: ca }: SmppSettings,
  timers: Timers,
): Dial[] {
  const dialOf = (address: Address): Dial => {
    const open = (onConnected: () => void): Socket => {
      if (!tls) return connectTcp(address, onConnected);
      const name = isIP(address.host) === 0 ? { servername: address.host } : {};
      return connectTls({ ...address, ...name, ...(ca === undefined ? {} : { ca }) }, onConnected);
    };
    return () =>
      new Promise((resolve, reject) => {
        const socket = open(() => {
          cancel();
          resolve(socket);
        });
        const cancel = timers.after(connectTimeoutMs, () => {
          socket.destroy();
          reject(new Error(`no connection within ${connectTimeoutMs / 1_000} s`));
        });
        // Stays: an error may come before the link listens.
        socket.on('error', (error) => {
          cancel();
          reject(error);
        });
      });
  };
  return addressesOf(host, port).map(dialOf);
}

/** `hosts` as in the settings: separated by commas, each with a port of its own or without one. */
export function addressesOf(hosts: string, port: number): Address[] {
  return hosts.split(',').map((written) => {
    const [, bracketed, name = written.trim(), own] =
      /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(written.trim()) ?? [];
    return { host: bracketed ?? name, port: own === undefined ? port : Number(own) };
  });
}
