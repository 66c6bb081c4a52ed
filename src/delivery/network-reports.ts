/** Takes in what networks say: stored at once, matched with its message then or as soon as that is known. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createBatcher } from '../batch.ts';
import type { NetworkReport } from '../connectors/connector.ts';
import type { CleanReport } from '../connectors/network-text.ts';
import { type QuarantineEvents, type Round, recordIsolated } from '../isolation/record.ts';
import { type Consequences, recordChanges } from '../receipts/record.ts';
import { isReported, type ReachedState, type StateChange } from '../receipts/states.ts';
import { announce, type Listeners } from './announce.ts';
import {
  asReported,
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
export type StoreReports = (connector: string, reports: readonly CleanReport[]) => Promise<void>;

/** A report with the connector that it came from. */
export interface ConnectorReport {
  connector: string;
  report: NetworkReport;
}

const incomingReports: Round<ConnectorReport> = {
  describe: (payload) => ({ round: 'network-report', item: randomUUID(), messageId: null, payload }),
};

/** `onStored` is called when there is something for `networkReportRound`. */
export function createReportStore(knex: Knex, events: QuarantineEvents, onStored: () => void): StoreReports {
  const batcher = createBatcher<readonly ConnectorReport[], void>(
    async (batch) => {
      await recordIsolated(knex, events, (_trx, each) => each(incomingReports, batch.flat(), insertReports));
      return batch.map(() => undefined);
    },
    (reports) => reports.length,
    { lanes: 1, maxItems: 512, maxWeight: 2_000 },
  );
  return async (connector, reports) => {
    if (reports.length === 0) return;
    await batcher.submit(reports.map((report) => ({ connector, report })));
    onStored();
  };
}

export interface ReportDependencies extends Listeners {
  knex: Knex;
  logger: Logger;
  consequences: Consequences;
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

/** One round: answers whether there may be more reports due. */
export async function networkReportRound({
  knex,
  logger,
  consequences,
  ...listeners
}: ReportDependencies): Promise<boolean> {
  const { settled, seen } = await recordIsolated(knex, listeners.events, async (trx, each) => {
    const reports = await lockDueReports(trx, reportsPerRound);
    return {
      settled: await each(dueReports, reports, async (inner, some) => [
        await settleReports(inner, some, consequences),
      ]),
      seen: reports.length,
    };
  });
  const forgotten = settled.reduce((sum, part) => sum + part.forgotten, 0);
  if (forgotten > 0)
    logger.warn({ reports: forgotten }, 'reports were forgotten: nobody knows their message');
  announce(
    settled.flatMap(({ reached }) => reached),
    listeners,
  );
  return seen === reportsPerRound;
}

/** Acts on locked reports; those whose message is not known yet stay. `forgotten`: reports that are too old to stay. */
export async function settleReports(
  trx: Knex.Transaction,
  reports: readonly DueReport[],
  consequences: Consequences,
): Promise<{ reached: ReachedState[]; forgotten: number }> {
  const { changes, unmatched } = await match(trx, reports);
  const reached = await recordChanges(trx, changes, consequences);
  const waiting = new Set(unmatched);
  await deleteReports(
    trx,
    reports.map(({ id }) => id).filter((id) => !waiting.has(id)),
  );
  return { reached, forgotten: await postponeReports(trx, unmatched, unmatchedSeconds) };
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
