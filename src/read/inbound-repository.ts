/** Reads messages of phones, newest first. */
import type { Knex } from 'knex';
import { type InboundMessage, inboundMessage, type StoredInbound } from '../inbound/published.ts';
import type { CheckSearch } from './messages/message-search.ts';
import { type Position, type ReadSlice, type Slice, sliceOf } from './page.ts';

/** Undefined: any. */
export type InboundFilter = Pick<ReturnType<CheckSearch>, 'phone' | 'phoneHash' | 'from' | 'to'>;

/** Along one index. */
const scan = (team: string, phone?: string) => `
  select * from inbound_messages
  where team_id = ${team} ${phone === undefined ? '' : `and phone = ${phone}`} and received_at >= :from::timestamptz
    and (received_at, id) < (:instant::timestamptz, :id::uuid)
  order by received_at desc, id desc limit :limit`;

/** Old messages have a hash in the place of the number. */
const ofTeam = (team: string, { phone }: InboundFilter) =>
  phone === undefined ? scan(team) : `(${scan(team, ':phone')}) union all (${scan(team, ':phoneHash')})`;

/** `team` undefined: of all teams. */
export async function searchInbound<Item>(
  knex: Knex,
  team: string | undefined,
  filter: InboundFilter,
  after: Position | undefined,
  limit: number,
  itemOf: (stored: StoredInbound & { teamId: string }) => Item,
): Promise<Slice<Item>> {
  const { phone, phoneHash, from, to } = filter;
  const [instant, id] = after ?? [to ?? 'infinity', '00000000-0000-0000-0000-000000000000'];
  const messages =
    team === undefined
      ? `select found.* from teams t cross join lateral (${ofTeam('t.id', filter)}) as found`
      : ofTeam(':team', filter);
  const { rows } = await knex.raw<{ rows: (StoredInbound & { teamId: string; instant: string })[] }>(
    `select m.id, m.team_id as "teamId", m.product, m.service_id as "serviceId", m.phone, m.recipient, m.kind, m.text,
       m.media, m.missing_parts as "missingParts", m.keyword, m.request_id as "requestId",
       (select correlator from requests where requests.id = m.request_id) as correlator,
       m.received_at as "receivedAt", m.received_at::text as instant
     from (${messages}) as m order by m.received_at desc, m.id desc limit :limit`,
    {
      ...(team === undefined ? {} : { team }),
      ...(phone === undefined ? {} : { phone, phoneHash: phoneHash ?? phone }),
      from: from ?? '-infinity',
      instant,
      id,
      limit: limit + 1,
    },
  );
  return sliceOf(rows, limit, itemOf, (row) => [row.instant, row.id]);
}

/** Where the file of a message is; `media` is null if it has none. Undefined: the team has no such message. */
export async function findInboundMedia(
  knex: Knex,
  team: string,
  id: string,
): Promise<{ connector: string; media: StoredInbound['media'] } | undefined> {
  const { rows } = await knex.raw<{ rows: { connector: string; media: StoredInbound['media'] }[] }>(
    'select connector, media from inbound_messages where id = ? and team_id = ?',
    [id, team],
  );
  return rows[0];
}

/** Of one team. */
export function readInbound(knex: Knex): ReadSlice<InboundFilter, InboundMessage> {
  return (team, filter, after, limit) => searchInbound(knex, team, filter, after, limit, inboundMessage);
}
