/** The chore that erases what is no longer needed, in batches that end soon. */
import type { Knex } from 'knex';
import type { Product } from '../intake/plan.ts';
import { isItemFault } from '../isolation/fault.ts';
import { type Consequences, changeOfSilence, recordChanges } from '../receipts/record.ts';
import { type Duty, duties, erasers, type HashPhone, lockDue, splitByNeed } from './erase-repository.ts';
import { findDueTeam, type Periods, takeBatch } from './progress-repository.ts';
import { endUnrecorded, eraseSubjectMessages, findQuarantinedDue } from './subject-repository.ts';

export interface RetentionDependencies {
  knex: Knex;
  periods: Periods;
  hashPhone: HashPhone;
  consequences: Consequences;
}

/** One batch of each duty, and of what had to wait. Returns whether more is due at once. */
export async function retain(dependencies: RetentionDependencies): Promise<boolean> {
  let more = await eraseDue(dependencies);
  for (const duty of duties) more = (await retainDuty(dependencies, duty)) || more;
  return more;
}

async function retainDuty({ knex, periods, hashPhone }: RetentionDependencies, duty: Duty): Promise<boolean> {
  const team = await findDueTeam(knex, duty, periods);
  if (team === undefined) return false;
  return knex.transaction(async (trx) => {
    const ids = await takeBatch(trx, duty, team);
    if (ids === undefined) return false;
    await erasers[duty](trx, await splitByNeed(trx, duty, ids), hashPhone);
    return true;
  });
}

const dueTogether = 200;

async function eraseDue({ knex, hashPhone, consequences }: RetentionDependencies): Promise<boolean> {
  for (const message of await findQuarantinedDue(knex)) await end(knex, message, consequences);
  return knex.transaction(async (trx) => {
    const due = await lockDue(trx, dueTogether);
    for (const [duty, own] of Map.groupBy(due, ({ duty }) => duty)) {
      const ids = await splitByNeed(
        trx,
        duty,
        own.map(({ messageId }) => messageId),
      );
      if (duty === 'subject') await eraseSubjectMessages(trx, ids);
      else await erasers[duty](trx, ids, hashPhone);
    }
    return due.length === dueTogether;
  });
}

/** Nobody will learn what became of a message in quarantine once its recipient is forgotten: it ends as uncertain. */
async function end(
  knex: Knex,
  message: { messageId: string; product: Product },
  { receipt, follow }: Consequences,
): Promise<void> {
  const change = changeOfSilence(message);
  try {
    // Without first attempts: the receipt waits for its claim.
    await knex.transaction((trx) => recordChanges(trx, [change], { receipt, follow }));
  } catch (error) {
    if (!isItemFault(error)) throw error;
    await endUnrecorded(knex, message.messageId, change.state);
  }
}
