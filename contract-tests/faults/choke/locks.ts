/** Finds out whether the statements that are under way wait for a lock, which only time can free: of somebody who stands still. */
import { moved, onSuspicion } from '../time/stillness.ts';
import { type Client, connect, instanceOf, patienceMs, pg, query, state, underWay } from './database.ts';
import { type Instance, outside, within } from './instance.ts';
import { quiet } from './network.ts';

/** Instances that are frozen, by the choice of a fault. */
export const frozen = new Set<Instance>();

/** How many statements wait for locks; undefined: the database is embedded, and has one session. */
let countWaiting: (() => Promise<number>) | undefined;

/** Opens a connection that sees who waits on PostgreSQL; returns how to end it. */
export async function watchLocks(databaseUrl: string): Promise<() => Promise<void>> {
  const watch = new pg.Client({ connectionString: databaseUrl });
  quiet.add(watch.connection.stream);
  await connect.call(watch);
  countWaiting = async () => {
    const { rows } = await query.call(
      watch,
      `select count(*)::integer as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return (rows[0] as { waiting: number }).waiting;
  };
  return () => watch.end();
}

/** A statement that only takes long, on a busy machine, is waited for. */
onSuspicion(async () => {
  if (countWaiting === undefined) return [...frozen].some((instance) => instance.frozen());
  if (underWay.size === 0 || (await countWaiting()) < underWay.size) return false;
  for (const client of underWay) armPatience(client);
  return true;
});

const armed = new WeakSet<Client>();

/** The service gives up on a silent PostgreSQL: Node's own timer of the socket, which stands outside this time. */
function armPatience(client: Client): void {
  const instance = instanceOf(client);
  if (state.embedded || instance === undefined || armed.has(client)) return;
  armed.add(client);
  outside(() =>
    setTimeout(() => {
      armed.delete(client);
      if (!underWay.has(client) || !instance.lives()) return;
      moved();
      within(instance, () => client.connection.stream.destroy(new Error('the database does not respond')));
    }, patienceMs),
  );
}
