/** Records the reports that connectors announced for a later time, those of one message one after the other. */
import type { Knex } from 'knex';
import type { AnnouncedReport } from '../connectors/contract/connector.ts';
import { type Round, recordIsolated } from '../isolation/record.ts';
import type { ReportJob } from '../queue/job.ts';
import type { Queue } from '../queue/queue.ts';
import { recordChanges } from '../receipts/record.ts';
import type { ReachedState } from '../receipts/states.ts';
import { announce } from './announce.ts';
import { claimJobs } from './claim.ts';
import { append } from './hand-over.ts';
import type { ReportDependencies } from './reports/network-reports.ts';

const reportsPerRound = 500;

const announcedReports: Round<ReportJob> = {
  describe: (payload) => ({
    round: 'announced-report',
    item: `${payload.messageId} ${payload.report.state}`,
    messageId: payload.messageId,
    payload,
  }),
};

/** What is still to come of the reports on one message. */
export interface Announcement extends Pick<ReportJob, 'messageId' | 'product'> {
  /** In the order in which they are due. */
  reports: readonly AnnouncedReport[];
  /** Since the hand-over. */
  secondsPassed: number;
}

/** Plans the first report of each announcement. */
export async function insertAnnounced(
  trx: Knex.Transaction,
  queue: Pick<Queue, 'insert'>,
  announcements: readonly Announcement[],
): Promise<void> {
  const byDelay = new Map<number, ReportJob[]>();
  for (const { reports, secondsPassed, ...message } of announcements) {
    const [report, ...later] = reports;
    if (report !== undefined)
      append(byDelay, report.afterSeconds - secondsPassed, { ...message, report, later });
  }
  for (const [delaySeconds, jobs] of byDelay) await queue.insert(trx, 'report', jobs, delaySeconds);
}

type AnnouncedDependencies = Pick<ReportDependencies, 'consequences'> & { queue: Queue };

/** One round: answers whether there may be more reports due. */
export async function reportRound(
  dependencies: Omit<ReportDependencies, 'logger'> & { queue: Queue },
): Promise<boolean> {
  const { knex, queue, events } = dependencies;
  const jobs = await claimJobs(dependencies, 'report', reportsPerRound);
  if (jobs.length === 0) return false;
  let open = jobs;
  try {
    while (open.length > 0) {
      const { reached, done } = await recordIsolated(knex, events, async (trx, each, most) => {
        const some = open.slice(0, most);
        await queue.complete(trx, some);
        const reports = some.map(({ data }) => data);
        return {
          reached: await each(announcedReports, reports, (inner, own) =>
            recordAnnounced(inner, dependencies, own),
          ),
          done: some.length,
        };
      });
      announce(reached, dependencies);
      open = open.slice(done);
    }
  } catch (error) {
    await queue.release(open);
    throw error;
  }
  return jobs.length === reportsPerRound;
}

/** Records the reports of jobs, and plans the ones after them. */
export async function recordAnnounced(
  trx: Knex.Transaction,
  { queue, consequences }: AnnouncedDependencies,
  jobs: readonly ReportJob[],
): Promise<ReachedState[]> {
  const announcements = jobs.map(({ messageId, product, report, later }) => ({
    messageId,
    product,
    reports: later,
    secondsPassed: report.afterSeconds,
  }));
  const changes = jobs.map(({ messageId, product, report: { state } }) => ({
    messageId,
    product,
    state,
    refund: false,
  }));
  await insertAnnounced(trx, queue, announcements);
  return recordChanges(trx, changes, consequences);
}
