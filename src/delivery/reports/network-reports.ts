/** Receives network reports: records them at once if their messages are known, and stores the others until they are. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { CleanReport } from '../../connectors/contract/network-text.ts';
import { createBatcher } from '../../platform/concurrency/group-commit.ts';
import { isItemFault } from '../../platform/isolation/fault.ts';
import { type Round, recordAtOnce, recordIsolated } from '../../platform/isolation/record.ts';
import type { Consequences } from '../../receipts/record.ts';
import { announce, type Listeners } from '../announce.ts';
import { traceReports } from '../traces.ts';
import { type ReportsRecorded, recordReports } from './match-reports.ts';
import {
  asDue,
  asReported,
  type ConnectorReport,
  type DueReport,
  deleteReports,
  insertReports,
  lockDueReports,
  postponeReports,
  type Reporter,
} from './report-repository.ts';

const reportsPerRound = 500;
/** As long as a message waits for its report. */
const unmatchedSeconds = 72 * 3600;

/** Stores or records what a connector reports; resolves once it is safe. Concurrent calls share a transaction. */
export type StoreReports = (reporter: Reporter, reports: readonly CleanReport[]) => Promise<void>;

export interface ReportDependencies extends Listeners {
  knex: Knex;
  logger: Logger;
  consequences: Consequences;
}

export interface StoreDependencies extends ReportDependencies {
  /** Resolves when it is stored which messages networks have accepted until now. */
  submissionsStored: () => Promise<void>;
  /** Called when there is something for `networkReportRound`. */
  onStored: () => void;
}

const incomingReports: Round<ConnectorReport> = {
  describe: (payload) => ({ round: 'network-report', item: randomUUID(), messageId: null, payload }),
};

export function createReportStore({
  submissionsStored,
  onStored,
  ...dependencies
}: StoreDependencies): StoreReports {
  const { knex, events, consequences } = dependencies;
  const batcher = createBatcher<readonly ConnectorReport[], void>(
    async (batch) => {
      const startedMs = performance.now();
      await submissionsStored();
      const reports = batch.flat();
      try {
        const recorded = await recordAtOnce(knex, (trx) => recordIncoming(trx, reports, consequences));
        tell([recorded], dependencies, startedMs);
        if (recorded.unmatched.length > 0) onStored();
      } catch (error) {
        if (!isItemFault(error)) throw error;
        // One of them is at fault: the round finds it, a few at a time, and nobody's response waits for that.
        await recordIsolated(knex, events, (_trx, each) => each(incomingReports, reports, storeIncoming));
        onStored();
      }
      return batch.map(() => undefined);
    },
    (reports) => reports.length,
    { concurrency: 1, maxItems: 512, maxWeight: 2_000, gatherMs: 20 },
  );
  return async (reporter, reports) => {
    if (reports.length > 0) await batcher.submit(reports.map((report) => ({ ...reporter, report })));
  };
}

async function storeIncoming(trx: Knex.Transaction, reports: readonly ConnectorReport[]): Promise<[]> {
  await insertReports(
    trx,
    reports.flatMap((report) => asDue(report) ?? []),
  );
  return [];
}

/** Reports on unknown messages are stored until the message is known. */
export async function recordIncoming(
  trx: Knex.Transaction,
  reports: readonly ConnectorReport[],
  consequences: Consequences,
): Promise<ReportsRecorded> {
  return recordReports(
    trx,
    reports.flatMap((report) => asDue(report) ?? []),
    (unmatched) => insertReports(trx, unmatched),
    consequences,
  );
}

const dueReports: Round<DueReport> = {
  describe: (report) => ({
    round: 'network-report',
    item: report.id,
    messageId: report.messageId,
    payload: asReported(report),
  }),
  leave: (trx, { id }) => deleteReports(trx, [id]),
};

/** One round over stored reports: says whether there may be more due. */
export async function networkReportRound(dependencies: ReportDependencies): Promise<boolean> {
  const { knex, events, consequences } = dependencies;
  const startedMs = performance.now();
  const { recorded, more } = await recordIsolated(knex, events, async (trx, each, most) => {
    const limit = Math.min(reportsPerRound, most);
    const reports = await lockDueReports(trx, limit);
    return {
      recorded: await each(dueReports, reports, async (inner, some) => [
        await recordDue(inner, some, consequences),
      ]),
      more: reports.length === limit,
    };
  });
  tell(recorded, dependencies, startedMs);
  return more;
}

/** Those whose message is not known yet stay; those too old to stay count as ignored. */
async function recordDue(
  trx: Knex.Transaction,
  reports: readonly DueReport[],
  consequences: Consequences,
): Promise<ReportsRecorded> {
  const forgotten: string[] = [];
  const recorded = await recordReports(
    trx,
    reports,
    async (unmatched) => {
      const waiting = new Set(unmatched.map(({ id }) => id));
      await deleteReports(
        trx,
        reports.map(({ id }) => id).filter((id) => !waiting.has(id)),
      );
      forgotten.push(...(await postponeReports(trx, [...waiting], unmatchedSeconds)));
    },
    consequences,
  );
  return { ...recorded, ignored: [...recorded.ignored, ...forgotten] };
}

function tell(
  recorded: readonly ReportsRecorded[],
  { logger, ...listeners }: Listeners & { logger: Logger },
  startedMs: number,
): void {
  const ignored = Map.groupBy(
    recorded.flatMap((part) => part.ignored),
    (connector) => connector,
  );
  for (const [connector, { length: reports }] of ignored) {
    listeners.events.reportsIgnored(connector, reports);
    logger.warn(
      { connector, reports },
      'reports ignored: their messages were not submitted through this connector',
    );
  }
  const reached = recorded.flatMap((part) => part.reached);
  traceReports(reached, startedMs);
  announce(reached, listeners);
}
