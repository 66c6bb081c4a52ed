/** Searches the messages of a team, newest first, in steps of bounded length. */
import type { Knex } from 'knex';
import { type Message, messageColumns, messageOf, type StoredMessage } from './message.ts';
import type { Position, ReadSlice, Slice } from './page.ts';
import { instantOf } from './period.ts';

/** Undefined: any. */
export interface MessageFilter {
  /** E.164. */
  phone: string | undefined;
  correlator: string | undefined;
  state: string | undefined;
  /** RFC 3339: accepted then or later. */
  from: string | undefined;
  /** RFC 3339: accepted before. */
  to: string | undefined;
}

/** How many messages one page looks at: what the filters leave of them may be few. */
const scannedMessages = 2_000;

/** The ends that have an index of their own: the predicate of `messages_not_delivered`. */
const notDelivered = `('Cancelled', 'DeliveryUncertain', 'DeliveryImpossible', 'SenderBlacklisted',
  'SubscriberOptedOut', 'AbsentSubscriber', 'InvalidMsisdn', 'InvalidDenomination', 'Duplicated', 'Uncertain',
  'Failed')`;

const ofRequest = 'r.correlator, r.created_at as accepted_at, r.created_at::text as instant';

const behind = `
  select * from messages
  where request_id = r.id
    and (r.created_at, r.id, messages.id) < (:instant::timestamptz, :requestId::uuid, :messageId::bigint)`;

/**
 * Each reads at most `:scanned` of the team's messages behind the position, along one index: comparisons of whole
 * rows, and an order by all columns of the index, fit no other one. With equalities the planner might walk along the
 * primary key instead, past the messages of other teams.
 */
const scans = {
  phone: `
    select m.*, ${ofRequest}
    from (
      select * from messages
      where (team_id, phone, id) < (:teamId, :phone, :messageId::bigint) and (team_id, phone) >= (:teamId, :phone)
      order by team_id desc, phone desc, id desc limit :scanned
    ) as m join requests r on r.id = m.request_id
    order by m.team_id desc, m.phone desc, m.id desc`,
  notDelivered: `
    select m.*, ${ofRequest}
    from (
      select * from messages
      where state in ${notDelivered} and (team_id, id) < (:teamId, :messageId::bigint) and team_id >= :teamId
      order by team_id desc, id desc limit :scanned
    ) as m join requests r on r.id = m.request_id
    order by m.team_id desc, m.id desc`,
  // An index of messages by time would cost each of them; requests are fewer, and know the same.
  time: `
    select m.*, ${ofRequest}
    from (
      select * from requests
      where (team_id, created_at, id) <= (:teamId, :instant::timestamptz, :requestId::uuid)
        and (team_id, created_at) >= (:teamId, :from::timestamptz)
      order by team_id desc, created_at desc, id desc limit :scanned
    ) as r cross join lateral (${behind}) as m
    order by r.team_id desc, r.created_at desc, r.id desc, m.id desc limit :scanned`,
  correlator: `
    select m.*, ${ofRequest}
    from (
      select * from requests
      where correlator is not null
        and (team_id, correlator, created_at, id) <= (:teamId, :correlator, :instant::timestamptz, :requestId::uuid)
        and (team_id, correlator, created_at) >= (:teamId, :correlator, :from::timestamptz)
      order by team_id desc, correlator desc, created_at desc, id desc limit :scanned
    ) as r cross join lateral (${behind}) as m
    order by r.team_id desc, r.correlator desc, r.created_at desc, r.id desc, m.id desc limit :scanned`,
};

export type ScanName = keyof typeof scans;

/** The index that leaves the fewest messages to look at. */
export function scanFor({ phone, correlator, state }: MessageFilter): ScanName {
  if (phone !== undefined) return 'phone';
  if (correlator !== undefined) return 'correlator';
  return state !== undefined && notDelivered.includes(`'${state}'`) ? 'notDelivered' : 'time';
}

type Row = StoredMessage & { instant: string; matches: boolean; place: number };

/** The statement of a search; the tests explain it. */
export function searchText(scan: ScanName): string {
  return `
    with scanned as (
      select *, (:phone::text is null or phone = :phone)
          and (:correlator::text is null or correlator = :correlator)
          and (:state::text is null or state = :state)
          and accepted_at >= :from::timestamptz and accepted_at < :to::timestamptz as matches,
        row_number() over () as place
      from (${scans[scan]}) as messages
    ), shown as (
      -- They come in their order; to sort them, the database would read all.
      select * from scanned where matches or place = :scanned limit :limit::integer + 1
    )
    select ${messageColumns('shown')}, instant, matches, place::integer as place from shown order by place`;
}

export function searchValues(
  teamId: string,
  { phone, correlator, state, from, to }: MessageFilter,
  after: Position | undefined,
  limit: number,
) {
  const [instant, requestId, messageId] = after ?? [
    to ?? 'infinity',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    String(2n ** 63n - 1n),
  ];
  return {
    teamId,
    phone: phone ?? null,
    correlator: correlator ?? null,
    state: state ?? null,
    from: from ?? '-infinity',
    to: to ?? 'infinity',
    instant,
    requestId,
    messageId,
    scanned: scannedMessages,
    limit,
  };
}

export function readMessages(knex: Knex): ReadSlice<MessageFilter, Message> {
  return async (teamId, filter, after, limit) => {
    const { rows } = await knex.raw<{ rows: Row[] }>(
      searchText(scanFor(filter)),
      searchValues(teamId, filter, after, limit),
    );
    return sliceOfScan(rows, filter, limit);
  };
}

/** The last row may be there only to say how far the scan came. */
function sliceOfScan(rows: readonly Row[], { from }: MessageFilter, limit: number): Slice<Message> {
  const matching = rows.filter(({ matches }) => matches);
  const shown = matching.slice(0, limit);
  const last = matching.length > limit ? shown.at(-1) : rows.find(({ place }) => place === scannedMessages);
  // Ids are in the order of acceptance but for the length of a transaction: what follows is older.
  const over =
    last !== undefined &&
    from !== undefined &&
    last.acceptedAt.getTime() < instantOf(from).getTime() - 60_000;
  return {
    items: shown.map(messageOf),
    end: last === undefined || over ? undefined : [last.instant, last.requestId, last.id],
  };
}
