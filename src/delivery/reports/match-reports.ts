/** Decides what network reports mean for the messages that they name. */
import type { Knex } from 'knex';
import { isReported, type ReachedState, type StateChange, stepOf } from '../../model/states.ts';
import { type Consequences, recordChanges } from '../../receipts/record.ts';
import { lockMatches, type Owner, type Part, saveParts } from './match-repository.ts';
import type { NewReport } from './report-repository.ts';

export interface ReportsRecorded {
  reached: ReachedState[];
  /** Reports whose message is not known yet. */
  unmatched: readonly NewReport[];
  /** The connectors of reports about messages of others, one for each. */
  ignored: string[];
}

/**
 * Records reports. `keep` stores those whose message is not known yet; it runs before accounts are locked, as
 * everything that waits for other rows must.
 */
export async function recordReports<Report extends NewReport>(
  trx: Knex.Transaction,
  reports: readonly Report[],
  keep: (unmatched: readonly Report[]) => Promise<void>,
  consequences: Consequences,
): Promise<ReportsRecorded> {
  if (reports.length === 0) return { reached: [], unmatched: [], ignored: [] };
  const { changes, unmatched, foreign } = await match(trx, reports);
  await keep(unmatched);
  const reached = changes.length === 0 ? [] : await recordChanges(trx, changes, consequences);
  return { reached, unmatched, ignored: foreign.map(({ connector }) => connector) };
}

interface Matched<Report> {
  changes: StateChange[];
  unmatched: Report[];
  foreign: Report[];
}

async function match<Report extends NewReport>(
  trx: Knex.Transaction,
  reports: readonly Report[],
): Promise<Matched<Report>> {
  const { messageIds, owners, parts: locked } = await lockMatches(trx, reports);
  const parts = new Map(locked.map((part) => [nameOf(part), part]));
  const changes: StateChange[] = [];
  const unmatched: Report[] = [];
  const foreign: Report[] = [];
  const changed = new Set<Part>();
  for (const [place, report] of reports.entries()) {
    const messageId = messageIds.get(place) ?? '';
    const named = report.messageId === null ? parts.get(nameOf(report)) : undefined;
    // An id that the network used again belongs to the newest message.
    const part = named?.messageId === messageId ? named : undefined;
    const standing = standingOf(report, owners.get(messageId), part);
    if (standing === 'unknown') unmatched.push(report);
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
 * A network may report only on messages that were submitted to it, and a phone only on its own. A report on a message that was not submitted yet
 * waits, like one on an unknown message. An accepted part tells which network has the message before the rest of it
 * was sent.
 */
function standingOf(
  { connector, product, phone }: NewReport,
  owner: Owner | undefined,
  part: Part | undefined,
): 'own' | 'foreign' | 'unknown' {
  if (owner === undefined) return 'unknown';
  if (phone !== null && phone !== owner.phone) return 'foreign';
  const has = owner.connector ?? part?.connector;
  if (has === undefined) return 'unknown';
  return has === connector && owner.product === product ? 'own' : 'foreign';
}

/** Records the outcome of one part of several. Its message is delivered with the last part, and fails with any. */
function endsMessage(
  part: Part,
  { state }: NewReport,
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

function changeOf(report: NewReport, messageId: string): StateChange {
  return {
    messageId,
    product: report.product,
    state: report.state,
    networkId: report.messageId === null ? undefined : (report.networkId ?? undefined),
    reason: report.reason ?? undefined,
    reasonCode: report.reasonCode ?? undefined,
    reachedAt: report.occurredAt ?? undefined,
    details: report.details ?? undefined,
    refund: report.refund !== null,
    reversal: report.refund === 'reversed',
  };
}

function nameOf({ connector, networkId }: { connector: string; networkId: string | null }): string {
  return JSON.stringify([connector, networkId]);
}
