/** Which processes of a deployment run, and which of them stopped without saying so. */
import type { Knex } from 'knex';

/** As people start a process; `start` serves and works. */
export type ProcessCommand = 'start' | 'serve' | 'work';

export interface DeadProcess {
  command: ProcessCommand;
  host: string;
  pid: number;
  /** When it was last there. */
  seenAt: Date;
}

export interface Presence {
  /** Says that the process is there. */
  note: () => Promise<void>;
  /** Says that it ends. */
  leave: () => Promise<void>;
}

/** A process that was not there for this long is gone. */
export const silenceSeconds = 30;
/** How long a dead process is named although others do its work. */
const namedSeconds = 15 * 60;

/** SQL; a time in the future was stored before the clock was set back: a process that still runs is there again soon. */
const isThere = (table: string) =>
  `${table}.seen_at between service_now() - interval '${silenceSeconds} seconds' and service_now() + interval '5 seconds'`;

/** SQL: whether others serve and work instead of the process `p`. */
const isReplaced = `not exists (
  select from unnest('{serve,work}'::text[]) as part where p.command in ('start', part) and not exists (
    select from processes other where other.command in ('start', part) and ${isThere('other')}))`;

const isNamed = `p.seen_at > service_now() - interval '${namedSeconds} seconds'`;

/** `id`: one that no other process has. */
export function createPresence(
  knex: Knex,
  { id, command, host, pid }: Omit<DeadProcess, 'seenAt'> & { id: string },
): Presence {
  return {
    note: async () => {
      await knex.raw(
        `insert into processes (id, command, host, pid) values (?, ?, ?, ?)
         on conflict (id) do update set seen_at = service_now()`,
        [id, command, host, pid],
      );
      // What nobody needs to know any more.
      await knex.raw(
        `delete from processes where id in (
           select id from processes p where not ${isThere('p')} and not ${isNamed} and ${isReplaced}
           for update skip locked)`,
      );
    },
    leave: async () => {
      await knex('processes').where({ id }).delete();
    },
  };
}

/** Those that died in the last minutes, and those whose work nobody does since; the last one first. */
export async function deadProcesses(knex: Knex): Promise<DeadProcess[]> {
  const { rows } = await knex.raw<{ rows: DeadProcess[] }>(
    `select command, host, pid, seen_at as "seenAt" from processes p
     where not ${isThere('p')} and (${isNamed} or not ${isReplaced}) order by seen_at desc limit 100`,
  );
  return rows;
}

/** Whether any process that delivers is there. */
export async function isWorkerThere(knex: Knex): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: { there: boolean }[] }>(
    `select exists(select from processes p where command in ('start', 'work') and ${isThere('p')}) as there`,
  );
  return rows[0]?.there ?? false;
}
