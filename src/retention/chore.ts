/** The chore that erases what is no longer needed, in batches that end soon. */
import type { Knex } from 'knex';
import type { StateChange } from '../model/states.ts';
import { isItemFault } from '../platform/isolation/fault.ts';
import type { Parts } from '../platform/isolation/parts.ts';
import { type QuarantineEvents, type Round, recordIsolated } from '../platform/isolation/record.ts';
import { type Consequences, changeOfSilence, recordChanges } from '../receipts/record.ts';
import {
  type Duty,
  duties,
  type Erase,
  erasers,
  forgetDue,
  type HashPhone,
  lockDue,
  splitByNeed,
} from './erase-repository.ts';
import { retainInbound } from './inbound-repository.ts';
import { retainNames } from './person-repository.ts';
import { type DueTeam, findDueTeams, type Periods, takeBatch } from './progress-repository.ts';
import { deleteGivenUp, findOldQuarantined } from './quarantined-repository.ts';
import { endUnrecorded, eraseSubjectMessages, findQuarantinedDue } from './subject-repository.ts';
import { retainUnreadable } from './unreadable-repository.ts';

export interface RetentionDependencies {
  knex: Knex;
  periods: Periods;
  hashPhone: HashPhone;
  consequences: Consequences;
  events: QuarantineEvents;
  /** By the ids of teams. */
  teamParts: Readonly<Record<Duty, Parts>>;
}

/** A batch of each duty for some teams, and of what had to wait. Returns whether more is due at once. */
export async function retain(dependencies: RetentionDependencies): Promise<boolean> {
  const { knex, periods, hashPhone, consequences } = dependencies;
  for (const message of await findQuarantinedDue(knex))
    await end(knex, changeOfSilence(message), consequences);
  let more = await giveUpQuarantined(knex, periods, consequences);
  more = (await eraseDue(dependencies)) || more;
  more = (await retainInbound(knex, periods, hashPhone)) || more;
  more = (await retainUnreadable(knex, periods)) || more;
  more = (await retainNames(knex, periods)) || more;
  for (const duty of duties) more = (await retainDuty(dependencies, duty)) || more;
  return more;
}

async function retainDuty(dependencies: RetentionDependencies, duty: Duty): Promise<boolean> {
  const { knex, periods, teamParts } = dependencies;
  const parts = teamParts[duty];
  let more = false;
  for (const team of await findDueTeams(knex, duty, periods, parts.resting()))
    more = (await parts.run(team.teamId, () => retainTeam(dependencies, duty, team))) || more;
  return more;
}

async function retainTeam(
  { knex, hashPhone, events }: RetentionDependencies,
  duty: Duty,
  team: DueTeam,
): Promise<boolean> {
  return recordIsolated(knex, events, async (trx, each, most) => {
    const ids = await takeBatch(trx, duty, team, most);
    if (ids === undefined) return false;
    await each(rounds[duty], await splitByNeed(trx, duty, ids), erasing(erasers[duty], hashPhone));
    return true;
  });
}

const roundOf = (duty: Duty | 'subject'): Round<string> => ({
  describe: (messageId) => ({
    round: 'retention',
    item: `${duty} ${messageId}`,
    messageId,
    payload: { messageId, duty },
  }),
  leave: (trx, messageId) => forgetDue(trx, messageId, duty),
});
const rounds = {
  texts: roundOf('texts'),
  receipts: roundOf('receipts'),
  numbers: roundOf('numbers'),
  subject: roundOf('subject'),
};

const eraseSubject: Erase = async (trx, messageIds) => void (await eraseSubjectMessages(trx, messageIds));

const erasing =
  (erase: Erase, hashPhone: HashPhone) => async (trx: Knex.Transaction, messageIds: readonly string[]) => {
    await erase(trx, messageIds, hashPhone);
    return [];
  };

const dueTogether = 200;

async function eraseDue({ knex, hashPhone, events }: RetentionDependencies): Promise<boolean> {
  return recordIsolated(knex, events, async (trx, each, most) => {
    const taken = Math.min(dueTogether, most);
    const due = await lockDue(trx, taken);
    for (const [duty, own] of Map.groupBy(due, ({ duty }) => duty)) {
      const noted = own.map(({ messageId }) => messageId);
      const erase = duty === 'subject' ? eraseSubject : erasers[duty];
      await each(rounds[duty], await splitByNeed(trx, duty, noted), erasing(erase, hashPhone));
    }
    return due.length === taken;
  });
}

/** What nobody has retried by the time its texts are to go is not kept for a retry any longer. */
async function giveUpQuarantined(knex: Knex, periods: Periods, consequences: Consequences): Promise<boolean> {
  const { items, more } = await findOldQuarantined(knex, periods.texts);
  for (const { product, messageId } of items)
    if (product !== null && messageId !== null)
      await end(knex, changeOfSilence({ product, messageId }), consequences);
  await deleteGivenUp(knex, items);
  return more;
}

/** Ends a message that nothing else will end. A message in quarantine whose item is deleted ends as uncertain. */
async function end(knex: Knex, change: StateChange, { receipt, follow }: Consequences): Promise<void> {
  try {
    // Without first attempts: the receipt waits for its claim.
    await knex.transaction((trx) => recordChanges(trx, [change], { receipt, follow }));
  } catch (error) {
    if (!isItemFault(error)) throw error;
    await endUnrecorded(knex, change.messageId, change.state);
  }
}
