/** Binds servers to their address, and says which setting to change if that is impossible. */

import type { AddressInfo, Server } from 'node:net';
import { own } from './text/own.ts';

export interface Address {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** The settings for both; undefined if users cannot set them. */
  settings?: Settings;
}

export interface Settings {
  host: string;
  port: string;
}

/** Resolves with the port when the server listens. */
export function bind(server: Server, { host, port, settings }: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const reason = settings && own(reasons, error.code)?.({ host, port }, settings);
      reject(reason === undefined ? error : new Error(reason, { cause: error }));
    };
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

type Reason = (address: Omit<Address, 'settings'>, settings: Settings) => string;

const notOfThisMachine: Reason = ({ host }, settings) =>
  `${host} is not an address of this machine: set ${settings.host} to one that is`;

const reasons: Readonly<Record<string, Reason>> = {
  EADDRINUSE: ({ host, port }, settings) =>
    `port ${port} on ${host} is already in use: ` +
    `stop the process that uses it, or set ${settings.port} to another port`,
  EACCES: ({ port }, settings) =>
    `this user is not allowed to listen on port ${port}: set ${settings.port} to a port above 1023`,
  EADDRNOTAVAIL: notOfThisMachine,
  ENOTFOUND: notOfThisMachine,
};
