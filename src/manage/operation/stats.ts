/** Counts messages, their outcomes and how long they took, for operators. */

import type { Product } from '../../model/plan.ts';
import { type ProductName, products } from '../../model/products.ts';
import { faults, requireNone } from '../../platform/errors/management.ts';
import { type Minute, readMinutes } from '../../read/statistics/minute-repository.ts';
import { secondsOfStep } from '../../read/statistics/outcome.ts';
import { countReceipts, type ReceiptCounts } from '../../receipts/backlog.ts';
import type { Management } from '../management.ts';
import { listedTeam } from '../resource.ts';
import { periodFaults } from '../rules.ts';
import {
  type CountedInbound,
  type CountedMessages,
  type Dimension,
  dimensionNames,
  type InboundDimension,
  readCounts,
  readInboundCounts,
} from './stats-repository.ts';

export type { Dimension };
export { dimensionNames };

const hourMs = 3600 * 1000;
const longestInboundMs = 31 * 24 * hourMs;

export interface StatsQuery {
  by: Dimension;
  team?: string | undefined;
  /** Only messages to it, that this connector had, from this sender, and of this service or campaign. */
  channel?: string | undefined;
  connector?: string | undefined;
  sender?: string | undefined;
  service?: string | undefined;
  /** The last 24 hours if omitted. */
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface Outcomes {
  /** Such as the channel; null of messages without a template, or which no connector had. */
  key: string | null;
  accepted: number;
  /** Of these, by now. */
  delivered: number;
  failed: number;
  /** Not final yet. */
  open: number;
  /** From acceptance to delivery; null if no message says. Percentiles are known to a fifth. */
  meanSeconds: number | null;
  p50Seconds: number | null;
  p95Seconds: number | null;
}

export interface Stats {
  by: Dimension;
  /** Full hours. */
  from: Date;
  to: Date;
  /** In the order of the keys. */
  items: Outcomes[];
}

/** Of messages that were accepted in the period, which is extended to full hours. */
export async function readStats(
  management: Management,
  {
    by,
    team,
    channel,
    connector,
    sender,
    service,
    to = new Date(management.clock.now()),
    from = new Date(to.getTime() - 24 * hourMs),
  }: StatsQuery,
): Promise<Stats> {
  requireNone(periodFaults(from, to));
  const period = {
    from: new Date(Math.floor(from.getTime() / hourMs) * hourMs),
    to: new Date(Math.ceil(to.getTime() / hourMs) * hourMs),
  };
  const only = await listedTeam(management, team);
  const counts = await readCounts(management.knex, {
    team: only,
    channel,
    connector,
    sender,
    service,
    by,
    ...period,
    now: new Date(management.clock.now()),
  });
  const items = [...Map.groupBy(counts, ({ key }) => key)].map(([key, own]) => ({
    key: by === 'product' ? products[key as Product].name : key || null,
    ...outcomesOf(own),
  }));
  return { by, ...period, items };
}

/** Of messages that phones sent in the period: at most 31 days, the last 24 hours if it is omitted. */
export async function readInboundStats(
  management: Management,
  {
    by,
    team,
    to = new Date(management.clock.now()),
    from = new Date(to.getTime() - 24 * hourMs),
  }: Pick<StatsQuery, 'team' | 'from' | 'to'> & { by: InboundDimension },
): Promise<{ from: Date; to: Date; items: CountedInbound[] }> {
  const isLong = to.getTime() - from.getTime() > longestInboundMs;
  requireNone([
    ...periodFaults(from, to),
    ...(isLong ? [faults.fieldRule('from', 'at most 31 days before to')] : []),
  ]);
  const only = await listedTeam(management, team);
  const counts = await readInboundCounts(management.knex, { team: only, by, from, to });
  const items = counts.map((one) =>
    by === 'product' ? { ...one, key: products[one.key as Product].name } : one,
  );
  return { from, to, items };
}

export type MinuteOutcomes = Omit<Minute, 'product' | 'channel'> & {
  product: ProductName;
  /** Null of chat-app messages. */
  channel: string | null;
};

/** What happened in each of the last `minutes`. */
export async function readMinuteStats(
  management: Management,
  { team: wanted, minutes }: { team?: string | undefined; minutes: number },
): Promise<{ from: Date; to: Date; items: MinuteOutcomes[] }> {
  const team = await listedTeam(management, wanted);
  const { items, ...period } = await readMinutes(management.knex, team, minutes);
  const named = items.map((one) => ({
    ...one,
    product: products[one.product].name,
    channel: one.channel || null,
  }));
  return { ...period, items: named };
}

/** Each up to 10,000. */
export async function readReceiptStats(
  management: Management,
  wanted: string | undefined,
): Promise<ReceiptCounts> {
  return countReceipts(management.knex, await listedTeam(management, wanted));
}

function outcomesOf(counts: readonly CountedMessages[]): Omit<Outcomes, 'key'> {
  const sum = (outcome?: CountedMessages['outcome']) =>
    messagesIn(counts.filter((one) => outcome === undefined || one.outcome === outcome));
  const timed = counts.filter(({ latency }) => latency >= 0);
  const total = messagesIn(timed);
  const latencyMs = timed.reduce((all, one) => all + one.latencyMs, 0);
  return {
    accepted: sum(),
    delivered: sum('delivered'),
    failed: sum('failed'),
    open: sum('open'),
    meanSeconds: total === 0 ? null : rounded(latencyMs / total / 1000),
    p50Seconds: percentile(timed, total * 0.5),
    p95Seconds: percentile(timed, total * 0.95),
  };
}

function messagesIn(counts: readonly CountedMessages[]): number {
  return counts.reduce((all, { messages }) => all + messages, 0);
}

/** Of counts in the order of their latency: that of the message with this rank. */
function percentile(counts: readonly CountedMessages[], rank: number): number | null {
  let passed = 0;
  for (const { latency, messages } of counts) {
    passed += messages;
    if (passed >= rank) return rounded(secondsOfStep(latency));
  }
  return null;
}

function rounded(seconds: number): number {
  return Number(seconds.toPrecision(3));
}
