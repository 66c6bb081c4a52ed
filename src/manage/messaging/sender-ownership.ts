/** Whose a sender of SMS is: a team has it that took it first or that the platform gives it to, or the platform has it. */
import type { Knex } from 'knex';
import { type Fault, faults } from '../../platform/errors/management.ts';
import { senderKey } from '../../products/sms/sender-rules.ts';

interface Claim {
  id: string;
  teamId: string | null;
  sender: string;
  keyword: string | null;
  uses: readonly { as?: string }[];
}

interface Context {
  before: Claim | undefined;
  /** Of the caller; undefined: a user of the platform. */
  team: string | undefined;
}

interface Holder {
  id: string;
  teamId: string | null;
  /** It is the sender itself, not what it is seen as somewhere. */
  itself: boolean;
}

/**
 * What keeps a team, or the platform, from having a sender and what it is seen as. Users of a team take what nobody else
 * has; the platform gives several teams the same. What the platform has, no team has.
 */
export async function ownershipFaults(
  trx: Knex.Transaction,
  claim: Claim,
  { before, team }: Context,
): Promise<Fault[]> {
  const former = new Set(before === undefined ? [] : seen(before).map(senderKey));
  const found: Fault[] = [];
  for (const name of seen(claim).filter((one) => !former.has(senderKey(one)))) {
    const holders = (await holdersOf(trx, name)).filter(({ id }) => id !== claim.id);
    const own = holders.find(({ teamId, itself }) => itself && teamId === claim.teamId);
    const byPlatform = holders.find(({ teamId }) => teamId === null);
    const byOther = holders.some(({ teamId }) => teamId !== null && teamId !== claim.teamId);
    if (own !== undefined && name === claim.sender) found.push(faults.senderTwice(name, own.id));
    else if (claim.teamId === null && byOther) found.push(faults.senderOfTeam(name));
    else if (claim.teamId !== null && byPlatform) found.push(faults.senderManaged(name, byPlatform.id));
    else if (byOther && team !== undefined) found.push(faults.senderTaken(name));
  }
  return [...found, ...(await leftBehind(trx, claim, before)), ...(await keywordFaults(trx, claim))];
}

const seen = ({ sender, uses }: Pick<Claim, 'sender' | 'uses'>) => [
  ...new Set([sender, ...uses.flatMap(({ as }) => as ?? [])]),
];

/** Two that want a sender at once wait for each other. */
export async function holdersOf(trx: Knex.Transaction, sender: string): Promise<Holder[]> {
  const key = senderKey(sender);
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('sender ' || ?, 0))`, [key]);
  const { rows } = await trx.raw<{ rows: Holder[] }>(
    `select id, team_id as "teamId", sender_key(sender) = :key as itself from senders
     where array[:key] <@ sender_keys(sender, uses) or array[:key] <@ approved_keys order by id`,
    { key },
  );
  return rows;
}

/** A service keeps what it sends as. */
async function leftBehind(trx: Knex.Transaction, { teamId, sender }: Claim, before: Claim | undefined) {
  if (before === undefined || senderKey(before.sender) === senderKey(sender)) return [];
  const service = await trx('services')
    .where({ team_id: teamId })
    .whereRaw('sender_key(sender) = ?', [senderKey(before.sender)])
    .first<{ id: string } | undefined>('id');
  return service === undefined ? [] : [faults.senderOfService(before.sender, service.id)];
}

async function keywordFaults(trx: Knex.Transaction, { id, sender, keyword }: Claim): Promise<Fault[]> {
  if (keyword === null) return [];
  const other = await trx('senders')
    .whereRaw('sender_key(sender) = ? and lower(keyword) = lower(?) and id <> ?', [
      senderKey(sender),
      keyword,
      id,
    ])
    .first<{ id: string } | undefined>('id');
  return other === undefined ? [] : [faults.keywordTaken(keyword, other.id)];
}

/** How a team comes to have what its service is to send as. */
export type Holding = { faults: readonly Fault[] } | 'has' | 'free';

export async function holdingOf(
  trx: Knex.Transaction,
  { teamId, sender }: { teamId: string; sender: string },
  team: string | undefined,
): Promise<Holding> {
  const holders = (await holdersOf(trx, sender)).filter(
    ({ itself, teamId: holder }) => itself || holder !== teamId,
  );
  if (holders.some((one) => one.teamId === teamId)) return 'has';
  const byPlatform = holders.find((one) => one.teamId === null);
  if (byPlatform !== undefined) return { faults: [faults.senderManaged(sender, byPlatform.id)] };
  if (holders.length === 0) return 'free';
  return {
    faults: [team === undefined ? faults.senderNotShared(sender, teamId) : faults.senderTaken(sender)],
  };
}
