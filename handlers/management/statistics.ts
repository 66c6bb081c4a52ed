/** Counts of messages and their outcomes. */
import {
  readInboundStats,
  readMinuteStats,
  readReceiptStats,
  readStats,
} from '../../src/manage/operation/stats.ts';
import { instantOf, type ManagementHandler, wire } from './operation.ts';

/** Counts messages, their outcomes and how long they took. */
export const getStatistics: ManagementHandler<'getStatistics'> = async ({ query, reply }, management) => {
  const { by, teamId: team, channel, connector, sender, serviceId: service } = query;
  const stats = await readStats(management, {
    by,
    team,
    channel,
    connector,
    sender,
    service,
    from: instantOf(query.from),
    to: instantOf(query.to),
  });
  const { from, to, items } = stats;
  return reply(200, wire({ by, timeZone: 'UTC', from, to, items }));
};

/** Counts what happened minute by minute. */
export const getMinuteStatistics: ManagementHandler<'getMinuteStatistics'> = async (
  { query, reply },
  management,
) => {
  const { teamId: team, minutes = 60 } = query;
  return reply(200, wire(await readMinuteStats(management, { team, minutes })));
};

/** Counts receipts that wait or were given up. */
export const getReceiptStatistics: ManagementHandler<'getReceiptStatistics'> = async (
  { query, reply },
  management,
) => reply(200, await readReceiptStats(management, query.teamId));

/** Counts what phones sent. */
export const getInboundStatistics: ManagementHandler<'getInboundStatistics'> = async (
  { query, reply },
  management,
) => {
  const { by, teamId: team } = query;
  const period = { from: instantOf(query.from), to: instantOf(query.to) };
  const { from, to, items } = await readInboundStats(management, { by, team, ...period });
  return reply(200, wire({ by, timeZone: 'UTC', from, to, items }));
};
