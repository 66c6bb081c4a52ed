/** Takes in what networks say: stored at once, matched with its message then or as soon as that is known. */
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createBatcher } from '../batch.ts';
import type { NetworkReport } from '../connectors/connector.ts';
import { type Consequences, recordChanges } from '../receipts/record.ts';
import { isReported, type StateChange } from '../receipts/states.ts';
import { announce, type Listeners } from './announce.ts';
import {
  type DueReport,
  deleteReports,
  insertReports,
  lockDueReports,
  lockParts,
  type Part,
  postponeReports,
  productsOf,
  saveParts,
} from './report-repository.ts';

const reportsPerRound = 500;
/** As long as a message waits for its report. */
const unmatchedSeconds = 72 * 3600;

/** Stores reports of a connector; resolves once they are safe. Concurrent calls share a transaction. */
export type StoreReports = (connector: string, reports: readonly NetworkReport[]) => Promise<void>;

/** `onStored` is called when there is something for `networkReportRound`. */
export function createReportStore(knex: Knex, onStored: () => void): StoreReports {
  const batcher = createBatcher<{ connector: string; reports: readonly NetworkReport[] }, void>(
    async (batch) => {
      const reports = batch.flatMap(({ connector, reports }) =>
        reports.map((report) => ({ connector, report })),
      );
      await insertReports(knex, reports);
      return batch.map(() => undefined);
    },
    ({ reports }) => reports.length,
    { lanes: 1, maxItems: 512, maxWeight: 2_000 },
  );
  return async (connector, reports) => {
    if (reports.length === 0) return;
    await batcher.submit({ connector, reports });
    onStored();
  };
}

export interface ReportDependencies extends Listeners {
  knex: Knex;
  logger: Logger;
  consequences: Consequences;
}

/** One round: answers whether there may be more reports due. */
export async function networkReportRound({
  knex,
  logger,
  consequences,
  ...listeners
}: ReportDependencies): Promise<boolean> {
  const { reached, forgotten, seen } = await knex.transaction(async (trx) => {
    const reports = await lockDueReports(trx, reportsPerRound);
    if (reports.length === 0) return { reached: [], forgotten: 0, seen: 0 };
    const { changes, unmatched } = await match(trx, reports);
    const states = await recordChanges(trx, changes, consequences);
    const waiting = new Set(unmatched);
    await deleteReports(
      trx,
      reports.map(({ id }) => id).filter((id) => !waiting.has(id)),
    );
    return {
      reached: states,
      forgotten: await postponeReports(trx, unmatched, unmatchedSeconds),
      seen: reports.length,
    };
  });
  if (forgotten > 0)
    logger.warn({ reports: forgotten }, 'reports were forgotten: nobody knows their message');
  announce(reached, listeners);
  return seen === reportsPerRound;
}

/** What the reports mean for messages, and the ids of reports whose message is not known yet. */
async function match(
  trx: Knex.Transaction,
  reports: readonly DueReport[],
): Promise<{ changes: StateChange[]; unmatched: string[] }> {
  const parts = new Map((await lockParts(trx, reports)).map((part) => [nameOf(part), part]));
  const partOf = (report: DueReport) => (report.messageId === null ? parts.get(nameOf(report)) : undefined);
  const products = await productsOf(
    trx,
    reports.flatMap((report) => report.messageId ?? partOf(report)?.messageId ?? []),
  );
  const changes: StateChange[] = [];
  const unmatched: string[] = [];
  const changed = new Set<Part>();
  for (const report of reports) {
    const part = partOf(report);
    const messageId = report.messageId ?? part?.messageId ?? '';
    const product = products.get(messageId);
    if (product === undefined) unmatched.push(report.id);
    else if (isReported(product, report.state)) {
      const whole = part === undefined || part.parts === 1 || endsMessage(part, report, parts, changed);
      if (whole) changes.push(changeOf(report, messageId, product));
    }
  }
  await saveParts(trx, [...changed]);
  return { changes, unmatched };
}

/** Notes what became of one part of several. Its message is delivered with the last part, and fails with any. */
function endsMessage(
  part: Part,
  { state }: DueReport,
  parts: ReadonlyMap<string, Part>,
  changed: Set<Part>,
): boolean {
  if (part.state !== null) return false;
  part.state = state;
  changed.add(part);
  if (state !== 'Delivered') return true;
  const siblings = [...parts.values()].filter(({ messageId }) => messageId === part.messageId);
  return siblings.length >= part.parts && siblings.every((sibling) => sibling.state === 'Delivered');
}

function changeOf(report: DueReport, messageId: string, product: StateChange['product']): StateChange {
  return {
    messageId,
    product,
    state: report.state,
    networkId: report.messageId === null ? undefined : (report.networkId ?? undefined),
    reason: report.reason ?? undefined,
    reasonCode: report.reasonCode ?? undefined,
    reachedAt: report.occurredAt ?? undefined,
    refund: report.refund !== null,
    reversal: report.refund === 'reversed',
  };
}

function nameOf({ connector, networkId }: { connector: string; networkId: string | null }): string {
  return JSON.stringify([connector, networkId]);
}
