/** Says that this process is there, so that others can tell when it has died. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { startLoop } from '../delivery/loop.ts';
import type { Database } from '../platform/db/knex.ts';
import { createPresence, type ProcessCommand } from '../platform/processes/repository.ts';
import type { Running } from './context.ts';

export const noteEveryMs = 3_000;

/** The embedded database serves one process: nobody could ask. */
export function startPresence(
  { knex, embedded }: Database,
  command: ProcessCommand,
  logger: Logger,
): Running | undefined {
  if (embedded) return undefined;
  const presence = createPresence(knex, { id: randomUUID(), command, host: hostname(), pid: process.pid });
  const loop = startLoop('presence', noteEveryMs, logger, async () => {
    await presence.note();
    return false;
  });
  return {
    stop: async () => {
      await loop.stop();
      await presence.leave();
    },
  };
}
