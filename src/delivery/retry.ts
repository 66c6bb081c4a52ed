/** Retries quarantined items when an operator requests it. */
import type { Knex } from 'knex';
import type { ReachedState, StateChange } from '../model/states.ts';
import { ItemFault, isItemFault, orItemFault, reasonOf } from '../platform/isolation/fault.ts';
import {
  type DueRetry,
  deleteQuarantined,
  dueRetries,
  lockDueRetry,
  noteFailedRetry,
  type RoundName,
} from '../platform/isolation/quarantine-repository.ts';
import { jobsOf } from '../queue/fold-jobs.ts';
import type { PollJob, QueueName } from '../queue/job.ts';
import { jobReaders } from '../queue/job-documents.ts';
import { changeOfSilence, recordChanges } from '../receipts/record.ts';
import { repostReceipt } from '../receipts/resend-repository.ts';
import { noteDue } from '../retention/erase-repository.ts';
import { announce } from './announce.ts';
import { unreadable } from './claim.ts';
import { type DeliveryDependencies, type StoredSettled, settle } from './deliver.ts';
import { type Answer, recordAnswers } from './poll.ts';
import { recordIncoming } from './reports/network-reports.ts';
import type { ConnectorReport } from './reports/report-repository.ts';
import { loadMessage } from './repository.ts';

export interface RetryDependencies extends DeliveryDependencies {
  /** Records news of a template as they were put into quarantine. */
  recordNews: (trx: Knex.Transaction, news: never) => Promise<void>;
}

type Retry<Payload> = (
  trx: Knex.Transaction,
  dependencies: RetryDependencies,
  payload: Payload,
) => Promise<ReachedState[]>;

/** One round: retries everything that operators have asked for. */
export async function retryRound(dependencies: RetryDependencies): Promise<boolean> {
  for (const id of await dueRetries(dependencies.knex)) await retryOne(dependencies, id);
  return false;
}

/** An item that fails again stays in quarantine. */
async function retryOne(dependencies: RetryDependencies, id: string): Promise<void> {
  const { knex, logger } = dependencies;
  try {
    const reached = await knex.transaction(async (trx) => {
      const due = await lockDueRetry(trx, id);
      if (due === undefined) return [];
      const states = await retries[due.round](trx, dependencies, payloadOf(due));
      await deleteQuarantined(trx, id);
      return states;
    });
    announce(reached, dependencies);
  } catch (error) {
    if (!isItemFault(error)) throw error;
    await noteFailedRetry(knex, id, error);
    logger.warn({ id, reason: reasonOf(error) }, 'a retry from quarantine failed');
  }
}

const retries: { [R in RoundName]: Retry<never> } = {
  'hand-over': async (trx, dependencies, { messageId, outcome, connector }: StoredSettled) => {
    const message = await loadMessage(trx, messageId);
    if (message === undefined) throw new ItemFault('the message does not exist');
    // The message could not be submitted at all: it is retried from the beginning.
    if (outcome.kind === 'faulty') {
      await dependencies.queue.insert(trx, 'deliver', jobsOf([message]));
      return [];
    }
    return settle(trx, dependencies, [
      { message, outcome, ...(connector === undefined ? {} : { connector }) },
    ]);
  },
  'network-report': async (trx, { consequences }, payload: ConnectorReport) => {
    return (await recordIncoming(trx, [payload], consequences)).reached;
  },
  poll: (trx, dependencies, answer: Answer) => recordAnswers(trx, dependencies, [answer]),
  'template-news': async (trx, { recordNews }, news: never) => {
    await recordNews(trx, news);
    return [];
  },
  silence: (trx, { consequences }, message: Pick<StateChange, 'messageId' | 'product'>) =>
    recordChanges(trx, [changeOfSilence(message)], consequences),
  receipt: async (trx, _dependencies, { receiptId }: { receiptId: string }) => {
    await repostReceipt(trx, receiptId);
    return [];
  },
  job: async (trx, { queue }, { queue: name, data }: { queue: QueueName; data: unknown }) => {
    const job = jobReaders[name](data);
    if (job === undefined) throw unreadable;
    // The messages of a delivery have a new job by now: the search for orphans found them.
    if (name === 'poll') await queue.insert(trx, name, [job as PollJob]);
    return [];
  },
  retention: async (trx, _dependencies, { messageId, duty }: { messageId: string; duty: string }) => {
    await noteDue(trx, messageId, duty);
    return [];
  },
};

function payloadOf({ payload }: DueRetry): never {
  const document = orItemFault('what is kept of the item cannot be read', () => JSON.parse(payload));
  if ('tooLarge' in document) throw new ItemFault('the item was too large to be kept');
  return document as never;
}
