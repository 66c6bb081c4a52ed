/** Records the reports that connectors announced for a later time. */
import type { RenderReceipt } from '../receipts/record.ts';
import { recordChanges } from '../receipts/record.ts';
import type { DeliveryDependencies } from './deliver.ts';

const reportsPerRound = 500;

/** One round: answers whether there may be more reports due. */
export async function reportRound({
  knex,
  queue,
  renderReceipt,
  events,
  onReceipts,
}: Pick<DeliveryDependencies, 'knex' | 'queue' | 'events' | 'onReceipts'> & {
  renderReceipt: RenderReceipt;
}): Promise<boolean> {
  const jobs = await queue.take('report', reportsPerRound);
  if (jobs.length === 0) return false;
  const finished = await knex.transaction(async (trx) => {
    const changes = jobs.map(({ data }) => ({ ...data, refund: false }));
    const ended = await recordChanges(trx, changes, renderReceipt);
    await queue.complete(
      trx,
      'report',
      jobs.map((job) => job.id),
    );
    return ended;
  });
  for (const message of finished) events.messageFinished(message);
  if (finished.some((message) => message.callbackUrl !== null)) onReceipts();
  return jobs.length === reportsPerRound;
}
