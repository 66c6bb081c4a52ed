/** Searches messages, newest first, in steps of bounded length. */
import type { Knex } from 'knex';
import type { Product } from '../../model/plan.ts';
import { instantOf } from '../../platform/text/instant.ts';
import type { Position, ReadSlice, Slice } from '../page.ts';
import { type Message, messageColumns, messageOf, type StoredMessage } from './message.ts';
import { isNotDelivered, type ScanName, scannedBy, scanText } from './message-scans.ts';

/** Undefined: any. */
export interface MessageFilter {
  /** A UUID. */
  requestId?: string | undefined;
  product?: Product | undefined;
  /** E.164. */
  phone: string | undefined;
  /** The hash of the number, in messages that are too old to have it. */
  phoneHash?: string | undefined;
  /** The last digits of the number. */
  phoneEnd?: string | undefined;
  correlator: string | undefined;
  state: string | undefined;
  /** RFC 3339: accepted then or later. */
  from: string | undefined;
  /** RFC 3339: accepted before. */
  to: string | undefined;
  /** Of the service or campaign of the request. */
  resource?: string | undefined;
  /** The channel of an SMS or bundle, or the sender number of a chat-app message. */
  channel?: string | undefined;
  client?: string | undefined;
}

type Row = StoredMessage & { instant: string; matches: boolean; place: number };

/** The index that leaves the fewest messages to look at. */
export function scanFor({ requestId, phone, correlator, state }: MessageFilter): ScanName {
  if (requestId !== undefined) return 'request';
  if (phone !== undefined) return 'phone';
  if (correlator !== undefined) return 'correlator';
  if (state === 'Scheduled') return 'scheduled';
  return state !== undefined && isNotDelivered(state) ? 'notDelivered' : 'time';
}

/** The statement of a search; the tests explain it. `team` undefined: in all teams. */
export function searchText(scan: ScanName, team: string | undefined): string {
  return `
    with scanned as (
      select *, (:phone::text is null or phone in (:phone, :phoneHash))
          and (:phoneEnd::text is null or right(phone, length(:phoneEnd)) = :phoneEnd)
          and (:correlator::text is null or correlator = :correlator)
          and (:state::text is null or state = :state)
          and (:product::text is null or product = :product)
          and (:resource::text is null or resource_id = :resource)
          and (:channel::text is null or channel = :channel)
          and (:client::text is null or client_id = :client)
          and accepted_at >= :from::timestamptz and accepted_at < :to::timestamptz as matches,
        row_number() over () as place
      from (${scanText(scan, team)}) as messages
    ), shown as (
      -- They come in their order; to sort them, the database would read all.
      select * from scanned where matches or place = :scanned limit :limit::integer + 1
    )
    select ${messageColumns('shown')}, instant, matches, place::integer as place from shown order by place`;
}

export function searchValues(
  team: string | undefined,
  filter: MessageFilter,
  after: Position | undefined,
  limit: number,
) {
  const { requestId, product, phone, phoneHash, phoneEnd, correlator, state, from, to } = filter;
  const { resource, channel, client } = filter;
  const [instant, beforeId, messageId] = after ?? [
    to ?? 'infinity',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    String(2n ** 63n - 1n),
  ];
  return {
    ...(team === undefined ? {} : { team }),
    request: requestId ?? null,
    product: product ?? null,
    phone: phone ?? null,
    phoneHash: phoneHash ?? null,
    phoneEnd: phoneEnd ?? null,
    correlator: correlator ?? null,
    state: state ?? null,
    from: from ?? '-infinity',
    to: to ?? 'infinity',
    resource: resource ?? null,
    channel: channel ?? null,
    client: client ?? null,
    instant,
    requestId: beforeId,
    messageId,
    scanned: scannedBy(scanFor(filter), team),
    limit,
  };
}

/** Of one team. */
export function readMessages(knex: Knex): ReadSlice<MessageFilter, Message> {
  return async (team, filter, after, limit) => searchMessages(knex, team, filter, after, limit, messageOf);
}

/** `team` undefined: of all teams. */
export async function searchMessages<Item>(
  knex: Knex,
  team: string | undefined,
  filter: MessageFilter,
  after: Position | undefined,
  limit: number,
  itemOf: (stored: StoredMessage) => Item,
): Promise<Slice<Item>> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    searchText(scanFor(filter), team),
    searchValues(team, filter, after, limit),
  );
  const matching = rows.filter(({ matches }) => matches);
  const shown = matching.slice(0, limit);
  return { items: shown.map(itemOf), end: endOf(rows, shown, matching.length > limit, filter, team) };
}

/** The last row may be there only to say how far the scan came. */
function endOf(
  rows: readonly Row[],
  shown: readonly Row[],
  more: boolean,
  filter: MessageFilter,
  team: string | undefined,
): Position | undefined {
  const scanned = scannedBy(scanFor(filter), team);
  const last = more ? shown.at(-1) : rows.find(({ place }) => place === scanned);
  const { from } = filter;
  // Ids are in the order of acceptance but for the length of a transaction: what follows is older.
  const over =
    last !== undefined &&
    from !== undefined &&
    last.acceptedAt.getTime() < instantOf(from).getTime() - 60_000;
  return last === undefined || over ? undefined : [last.instant, last.requestId, last.id];
}
