/** What people sent to senders of teams. */
import * as inbound from '../../src/manage/operation/inbound.ts';
import { instantOf, type ManagementHandler, pageOfSlices, wire } from './operation.ts';

/** Lists it, newest first. */
export const listInboundMessages: ManagementHandler<'listInboundMessages'> = async (
  { query, reply },
  management,
) => {
  const { teamId: team, phone } = query;
  const filter = { team, phone, from: instantOf(query.from), to: instantOf(query.to) };
  const page = await pageOfSlices('listInboundMessages', query, management, (part) =>
    inbound.listInboundMessages(management, filter, part),
  );
  return reply(200, page);
};

/** Lists what could not be read, newest first. */
export const listUnreadableInbound: ManagementHandler<'listUnreadableInbound'> = async (
  { query, reply },
  management,
) => {
  const filter = { team: query.teamId, from: instantOf(query.from), to: instantOf(query.to) };
  const page = await pageOfSlices('listUnreadableInbound', query, management, async (part) => {
    const { items, end } = await inbound.listUnreadableInbound(management, filter, part);
    return { items: items.map(wire), end };
  });
  return reply(200, page);
};
