/** Whose a sender of SMS is: a team has it that took it first, and managed senders are the platform's. */
import type { Knex } from 'knex';
import { type Fault, faults } from '../../platform/errors/management.ts';

/** What senders are compared by, as `sender_key` in the database. */
export const senderKey = (sender: string) => sender.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

interface Claim {
  id: string;
  teamId: string;
  sender: string;
  sharedSender: boolean;
}

interface Held {
  managedBy: string | null;
  /** Another team has it, and does not share it with a third. */
  byOther: boolean;
  /** A service of another team sends with it. */
  usedByOther: boolean;
  byTeam: boolean;
}

/**
 * What keeps a service from having its sender. Users of a team take what nobody else sends with; the platform lets services
 * share what another team has. A managed sender leaves through its templates only.
 */
export async function ownershipFaults(
  trx: Knex.Transaction,
  { id, teamId, sender, sharedSender }: Claim,
  { before, team }: { before: Claim | undefined; team: string | undefined },
): Promise<Fault[]> {
  const key = senderKey(sender);
  const isNew = before === undefined || senderKey(before.sender) !== key;
  if (!isNew && before.sharedSender === sharedSender) return [];
  await lockSender(trx, key);
  const { rows } = await trx.raw<{ rows: Held[] }>(
    `select (select min(key) from managed_services where sender_key(sender) = :key) as "managedBy",
       coalesce(bool_or(team_id <> :teamId and not shared_sender), false) as "byOther",
       coalesce(bool_or(team_id <> :teamId), false) as "usedByOther",
       coalesce(bool_or(team_id = :teamId and not shared_sender), false) as "byTeam"
     from services where sender_key(sender) = :key and id <> :id`,
    { key, teamId, id },
  );
  const held = rows[0];
  if (held === undefined) return [];
  if (held.managedBy !== null) return [faults.senderManaged(sender, held.managedBy)];
  if (team !== undefined && held.usedByOther && !held.byTeam) return [faults.senderTaken(sender)];
  return held.byOther && !sharedSender ? [faults.senderNotShared(sender)] : [];
}

/** A managed sender must not be the sender of a service, which could send any text with it. */
export async function managedSenderOwnershipFaults(
  trx: Knex.Transaction,
  sender: string,
  before: string | undefined,
): Promise<Fault[]> {
  const key = senderKey(sender);
  if (before !== undefined && senderKey(before) === key) return [];
  await lockSender(trx, key);
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    'select id from services where sender_key(sender) = ? order by id limit 1',
    [key],
  );
  return rows.map(({ id }) => faults.senderOfService(sender, id));
}

/** Two that want a sender at once wait for each other. */
async function lockSender(trx: Knex.Transaction, key: string): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('sender ' || ?, 0))`, [key]);
}
