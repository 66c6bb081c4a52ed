/** Opens connections to an SMSC, with TLS where it is asked for. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SmppSettings } from '../settings.ts';
import type { Timers } from './timers.ts';

const connectTimeoutMs = 10_000;

/** Rejects when there is no connection in time. */
export type Dial = () => Promise<Socket>;

export function createDial(
  { host, port, tls, tlsCertificateAuthority: ca }: SmppSettings,
  timers: Timers,
): Dial {
  const open = (onConnected: () => void): Socket => {
    if (!tls) return connectTcp({ host, port }, onConnected);
    const name = isIP(host) === 0 ? { servername: host } : {};
    return connectTls({ host, port, ...name, ...(ca === undefined ? {} : { ca }) }, onConnected);
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
}
