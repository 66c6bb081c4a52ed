/** Queries networks about accepted bundles without a report, at growing intervals. */
import type { Knex } from 'knex';
import type { OutboundMessage, QueryResult } from '../connectors/contract/connector.ts';
import type { ReachedState, StateChange } from '../model/states.ts';
import { type Round, recordLot } from '../platform/isolation/record.ts';
import type { Lease, PollJob } from '../queue/job.ts';
import type { Queue } from '../queue/queue.ts';
import { recordChanges } from '../receipts/record.ts';
import { announce } from './announce.ts';
import { claimJobs } from './claim.ts';
import type { HandOverDependencies } from './hand-over.ts';
import type { ReportDependencies } from './reports/network-reports.ts';
import { loadSubmittedMessages, type SubmittedMessage } from './repository.ts';
import { traceReports } from './traces.ts';

export interface PollDependencies extends ReportDependencies, Pick<HandOverDependencies, 'connectorNamed'> {
  queue: Queue;
}

const minute = 60;
const hour = 60 * minute;
/** After 1, 5, 15 and 60 minutes, 3, 6, 12 and 24 hours; then daily, until silence ends the message. */
const delaysSeconds = [minute, 4 * minute, 10 * minute, 45 * minute, 2 * hour, 3 * hour, 6 * hour, 12 * hour];
const rareDelaySeconds = 24 * hour;
/** If the network could not be queried. */
const againSeconds = minute;

const messagesPerJob = 100;
const jobsPerRound = 4;

/** Plans the first query about messages that a network has just accepted. */
export async function insertPolls(
  trx: Knex.Transaction,
  queue: Pick<Queue, 'insert'>,
  messageIds: readonly string[],
  polls = 0,
  delaySeconds = delaysSeconds[polls] ?? rareDelaySeconds,
): Promise<void> {
  const jobs: PollJob[] = [];
  for (let start = 0; start < messageIds.length; start += messagesPerJob)
    jobs.push({ messageIds: messageIds.slice(start, start + messagesPerJob), polls });
  await queue.insert(trx, 'poll', jobs, delaySeconds);
}

/** The result of a query. */
export interface Answer {
  message: Pick<OutboundMessage, 'id' | 'product'>;
  /** Undefined: the network could not be queried. */
  asked: QueryResult | undefined;
  /** How many queries there were before. */
  polls: number;
}

const answersOfNetworks: Round<Answer> = {
  describe: ({ message: { id, product }, asked, polls }) => ({
    round: 'poll',
    item: id,
    messageId: id,
    payload: { message: { id, product }, asked, polls },
  }),
};

/** One round: returns whether there may be more to query at once. */
export async function pollRound(dependencies: PollDependencies): Promise<boolean> {
  const { knex, queue, events } = dependencies;
  const jobs = await claimJobs(dependencies, 'poll', jobsPerRound);
  if (jobs.length === 0) return false;
  const startedMs = performance.now();
  try {
    const polls = new Map(jobs.flatMap(({ data }) => data.messageIds.map((id) => [id, data.polls] as const)));
    const messages = await loadSubmittedMessages(knex, [...polls.keys()]);
    const answers = await askAll(dependencies, messages, polls);
    await recordLot<Answer, ReachedState, readonly Lease[]>(knex, events, {
      round: answersOfNetworks,
      items: answers,
      leases: jobs,
      complete: queue.complete,
      record: (trx, some) => recordAnswers(trx, dependencies, some),
      divide: (leases, parts) => queue.divide('poll', leases, parts.map(jobsOfAnswers)),
      release: queue.release,
      onRecorded: (reached) => {
        traceReports(reached, startedMs);
        announce(reached, dependencies);
      },
    });
  } catch (error) {
    await queue.release(jobs);
    throw error;
  }
  return jobs.length === jobsPerRound;
}

/** The query that led to each of them, to be repeated. */
function jobsOfAnswers(answers: readonly Answer[]): PollJob[] {
  return [...Map.groupBy(answers, ({ polls }) => polls)].map(([polls, some]) => ({
    messageIds: some.map(({ message }) => message.id),
    polls,
  }));
}

/** Records the results, and plans the next query about messages that are still open. */
export async function recordAnswers(
  trx: Knex.Transaction,
  { queue, consequences }: Pick<PollDependencies, 'queue' | 'consequences'>,
  answers: readonly Answer[],
): Promise<ReachedState[]> {
  await askAgain(trx, queue, answers);
  return recordChanges(trx, answers.flatMap(changesOf), consequences);
}

/**
 * Queries each network about the messages that it has, wherever their channel is routed now; networks that cannot
 * be queried are left out.
 */
async function askAll(
  { connectorNamed, logger }: PollDependencies,
  messages: readonly SubmittedMessage[],
  polls: ReadonlyMap<string, number>,
): Promise<Answer[]> {
  const answers = await Promise.all(
    [...Map.groupBy(messages, ({ connector }) => connector)].map(async ([name, batch]) => {
      const connector = name === null ? undefined : connectorNamed(name);
      const toAnswer = (asked: readonly QueryResult[]) =>
        batch.map((message, index) => ({ message, asked: asked[index], polls: polls.get(message.id) ?? 0 }));
      if (connector === undefined) return toAnswer([]);
      if (connector.ask === undefined) return [];
      try {
        return toAnswer(await connector.ask(batch));
      } catch (error) {
        logger.warn({ err: error, connector: name }, 'connector failed; its network is queried again later');
        return toAnswer([]);
      }
    }),
  );
  return answers.flat();
}

function changesOf({ message: { id: messageId, product }, asked }: Answer): StateChange[] {
  if (asked?.kind === 'rejected') {
    const { state, reason, reasonCode } = asked;
    return [{ messageId, product, state, reason, reasonCode, refund: true }];
  }
  if (asked?.kind !== 'accepted') return [];
  const { networkId, reports = [] } = asked;
  return reports.map((state) => ({ messageId, product, state, networkId, refund: false }));
}

/** Messages that are still open: queried later, and more rarely if the network did respond. */
async function askAgain(
  trx: Knex.Transaction,
  queue: Pick<Queue, 'insert'>,
  answers: readonly Answer[],
): Promise<void> {
  const open = new Map<string, { polls: number; delaySeconds: number | undefined; ids: string[] }>();
  for (const { message, asked, polls } of answers) {
    if (asked?.kind === 'rejected' || (asked?.kind === 'accepted' && asked.reports !== undefined)) continue;
    const answered = asked?.kind === 'accepted' || asked?.kind === 'unknown';
    const next = answered
      ? { polls: polls + 1, delaySeconds: undefined }
      : { polls, delaySeconds: againSeconds };
    const name = `${next.polls} ${next.delaySeconds}`;
    const group = open.get(name) ?? { ...next, ids: [] };
    group.ids.push(message.id);
    open.set(name, group);
  }
  for (const next of open.values()) await insertPolls(trx, queue, next.ids, next.polls, next.delaySeconds);
}
