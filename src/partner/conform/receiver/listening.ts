/** Waits until a receiver that was started listens. */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../platform/clock.ts';

const startLimitMs = 30_000;

/** Resolves when something listens at the URL. */
export async function listening(url: string): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  const deadlineMs = systemClock.elapsedMs() + startLimitMs;
  const host = hostname.replace(/^\[|\]$/g, '');
  const wanted = Number(port) || (protocol === 'https:' ? 443 : 80);
  while (!(await connects(wanted, host))) {
    if (systemClock.elapsedMs() > deadlineMs) throw new Error(`nothing listens at ${url}`);
    await delay(100);
  }
}

function connects(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
