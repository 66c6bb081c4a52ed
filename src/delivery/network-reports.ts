/** Receives network reports: stores them at once, and matches each with its message then or later. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createBatcher } from '../concurrency/group-commit.ts';
import type { CleanReport } from '../connectors/contract/network-text.ts';
import { type QuarantineEvents, type Round, recordIsolated } from '../isolation/record.ts';
import { type Consequences, recordChanges } from '../receipts/record.ts';
import { isReported, type ReachedState, type StateChange, stepOf } from '../receipts/states.ts';
import { announce, type Listeners } from './announce.ts';
import {
  asReported,
  type ConnectorReport,
  type DueReport,
  deleteReports,
  insertReports,
  lockDueReports,
  lockOwners,
  lockParts,
  type Owner,
  type Part,
  postponeReports,
  type Reporter,
  saveParts,
} from './report-repository.ts';

const reportsPerRound = 500;
/** As long as a message waits for its report. */
const unmatchedSeconds = 72 * 3600;

/** Stores what a connector reports; resolves once it is safe. Concurrent calls share a transaction. */
export type StoreReports = (reporter: Reporter, reports: readonly CleanReport[]) => Promise<void>;

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
  return async (reporter, reports) => {
    if (reports.length === 0) return;
    await batcher.submit(reports.map((report) => ({ ...reporter, report })));
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
  const { settled, more } = await recordIsolated(knex, listeners.events, async (trx, each, most) => {
    const limit = Math.min(reportsPerRound, most);
    const reports = await lockDueReports(trx, limit);
    return {
      settled: await each(dueReports, reports, async (inner, some) => [
        await settleReports(inner, some, consequences),
      ]),
      more: reports.length === limit,
    };
  });
  const ignored = Map.groupBy(
    settled.flatMap((part) => part.ignored),
    (connector) => connector,
  );
  for (const [connector, { length: reports }] of ignored) {
    listeners.events.reportsIgnored(connector, reports);
    logger.warn(
      { connector, reports },
      'reports ignored: their messages were not submitted through this connector',
    );
  }
  announce(
    settled.flatMap(({ reached }) => reached),
    listeners,
  );
  return more;
}

/**
 * Acts on locked reports; those whose message is not known yet stay. `ignored`: the connectors of those that are too
 * old to stay, or about messages of others.
 */
export async function settleReports(
  trx: Knex.Transaction,
  reports: readonly DueReport[],
  consequences: Consequences,
): Promise<{ reached: ReachedState[]; ignored: string[] }> {
  const { changes, unmatched, foreign } = await match(trx, reports);
  const waiting = new Set(unmatched);
  await deleteReports(
    trx,
    reports.map(({ id }) => id).filter((id) => !waiting.has(id)),
  );
  const forgotten = await postponeReports(trx, unmatched, unmatchedSeconds);
  return {
    reached: await recordChanges(trx, changes, consequences),
    ignored: [...foreign.map(({ connector }) => connector), ...forgotten],
  };
}

/** What the reports mean for messages, the ids of those whose message is not known yet, and those of others' messages. */
async function match(
  trx: Knex.Transaction,
  reports: readonly DueReport[],
): Promise<{ changes: StateChange[]; unmatched: string[]; foreign: DueReport[] }> {
  const parts = new Map((await lockParts(trx, reports)).map((part) => [nameOf(part), part]));
  const partOf = (report: DueReport) => (report.messageId === null ? parts.get(nameOf(report)) : undefined);
  const owners = await lockOwners(
    trx,
    reports.flatMap((report) => report.messageId ?? partOf(report)?.messageId ?? []),
  );
  const changes: StateChange[] = [];
  const unmatched: string[] = [];
  const foreign: DueReport[] = [];
  const changed = new Set<Part>();
  for (const report of reports) {
    const part = partOf(report);
    const messageId = report.messageId ?? part?.messageId ?? '';
    const standing = standingOf(report, owners.get(messageId), part);
    if (standing === 'unknown') unmatched.push(report.id);
    else if (standing === 'foreign') foreign.push(report);
    else if (isReported(report.product, report.state)) {
      const whole = part === undefined || part.parts === 1 || endsMessage(part, report, parts, changed);
      if (whole) changes.push(changeOf(report, messageId));
    }
  }
  await saveParts(trx, [...changed]);
  // Networks do not keep the order of their reports, and a step back would be lost.
  changes.sort((one, other) => stepOf(one.product, one.state) - stepOf(other.product, other.state));
  return { changes, unmatched, foreign };
}

/**
 * A network speaks for the messages that it was handed, and no others. What nobody was handed yet cannot be reported
 * on: such a report waits, as one does whose message is not known. A part that its network took tells who has the
 * message before the rest of it has left.
 */
function standingOf(
  { connector, product }: DueReport,
  owner: Owner | undefined,
  part: Part | undefined,
): 'own' | 'foreign' | 'unknown' {
  if (owner === undefined) return 'unknown';
  const has = owner.connector ?? part?.connector;
  if (has === undefined) return 'unknown';
  return has === connector && owner.product === product ? 'own' : 'foreign';
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

function changeOf(report: DueReport, messageId: string): StateChange {
  return {
    messageId,
    product: report.product,
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
