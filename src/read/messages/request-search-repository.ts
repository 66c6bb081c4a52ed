/** Searches requests, newest first, in steps of bounded length. */
import type { Knex } from 'knex';
import { stateOfFound } from '../../model/states.ts';
import type { Clock } from '../../platform/clock.ts';
import { instantOf } from '../../platform/text/instant.ts';
import type { Position, ReadSlice, Slice } from '../page.ts';
import { requirePeriod } from '../period.ts';
import { type AcceptedRequest, requestColumns, requestOf, type StoredRequest } from './request.ts';

/** Undefined: any. */
export interface RequestFilter {
  correlator: string | undefined;
  /** The service or campaign. */
  resource: string | undefined;
  client: string | undefined;
  /** Only those with messages that wait for their time. */
  scheduled?: boolean | undefined;
  /** RFC 3339: accepted then or later. */
  from: string | undefined;
  /** RFC 3339: accepted before. */
  to: string | undefined;
}

/** How many requests one page looks at: what the filters leave of them may be few. */
const scannedOfTeam = 1_000;
/** Of each team, and of all together. */
const scannedOfTeams = 200;
const scannedIn = (team: string | undefined) => (team === undefined ? scannedOfTeams : scannedOfTeam);

/** Each along one index, for the reasons that message-scans.ts gives. */
const scans = {
  time: (team: string, columns: string) => `
    select ${columns} from requests
    where team_id = ${team} and created_at >= :from::timestamptz
      and (created_at, id) < (:instant::timestamptz, :id::uuid)
    order by created_at desc, id desc limit :scanned`,
  scheduled: (team: string, columns: string) => `
    select ${columns} from requests
    where team_id = ${team} and send_at is not null and created_at >= :from::timestamptz
      and (created_at, id) < (:instant::timestamptz, :id::uuid)
    order by created_at desc, id desc limit :scanned`,
  correlator: (team: string, columns: string) => `
    select ${columns} from requests
    where team_id = ${team} and correlator >= :correlator
      and (correlator, created_at, id) < (:correlator, :instant::timestamptz, :id::uuid)
    order by correlator desc, created_at desc, id desc limit :scanned`,
};

/** The statement of a search; the tests explain it. `team` undefined: in all teams. */
export function requestSearchText(by: keyof typeof scans, team: string | undefined): string {
  const scan = scans[by];
  const requests =
    team !== undefined
      ? scan(':team', '*')
      : // Read from the index alone: only the newest of all teams are read whole.
        `select whole.*
         from (
           select found.id from teams t cross join lateral (${scan('t.id', 'id, created_at')}) as found
           order by found.created_at desc, found.id desc limit :scanned
         ) as newest cross join lateral (select * from requests where id = newest.id limit 1) as whole
         order by whole.created_at desc, whole.id desc`;
  return `
    with scanned as (
      select *, (:resource::text is null or resource_id = :resource)
          and (:client::text is null or client_id = :client)
          and (not :scheduled or exists (
            select from messages where request_id = requests.id and ${stateOfFound('messages')} = 'Scheduled' offset 0))
          and created_at >= :from::timestamptz as matches, row_number() over () as place
      from (${requests}) as requests
    ), shown as (
      select * from scanned where matches or place = :scanned limit :limit::integer + 1
    )
    select ${requestColumns('shown')}, created_at::text as instant, matches, place::integer as place
    from shown order by place`;
}

export function requestSearchValues(
  team: string | undefined,
  { correlator, resource, client, scheduled, from, to }: RequestFilter,
  after: Position | undefined,
  limit: number,
) {
  const [instant, id] = after ?? [to ?? 'infinity', '00000000-0000-0000-0000-000000000000'];
  return {
    ...(team === undefined ? {} : { team }),
    ...(correlator === undefined ? {} : { correlator }),
    resource: resource ?? null,
    client: client ?? null,
    scheduled: scheduled ?? false,
    from: from ?? '-infinity',
    instant,
    id,
    scanned: scannedIn(team),
    limit,
  };
}

/** What clients search their requests by. */
export type RequestQuery = { [Name in 'correlator' | 'from' | 'to']?: string | undefined } & {
  scheduled?: boolean | undefined;
};

/** Of one team. */
export function readRequests(knex: Knex, clock: Clock): ReadSlice<RequestQuery, AcceptedRequest> {
  return async (team, { correlator, scheduled, from, to }, after, limit) => {
    requirePeriod(from, to, clock.now());
    const filter = { correlator, scheduled, from, to, resource: undefined, client: undefined };
    return searchRequests(knex, team, filter, after, limit, requestOf);
  };
}

/** The index that leaves the fewest requests to look at. */
export function scanFor({ correlator, scheduled }: RequestFilter): keyof typeof scans {
  if (correlator !== undefined) return 'correlator';
  return scheduled ? 'scheduled' : 'time';
}

type Row = StoredRequest & { instant: string; matches: boolean; place: number };

/** `team` undefined: of all teams. */
export async function searchRequests<Item>(
  knex: Knex,
  team: string | undefined,
  filter: RequestFilter,
  after: Position | undefined,
  limit: number,
  itemOf: (stored: StoredRequest) => Item,
): Promise<Slice<Item>> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    requestSearchText(scanFor(filter), team),
    requestSearchValues(team, filter, after, limit),
  );
  const matching = rows.filter(({ matches }) => matches);
  const shown = matching.slice(0, limit);
  const last = matching.length > limit ? shown.at(-1) : rows.find(({ place }) => place === scannedIn(team));
  const over =
    filter.from !== undefined &&
    last !== undefined &&
    last.acceptedAt.getTime() < instantOf(filter.from).getTime();
  return { items: shown.map(itemOf), end: over ? undefined : last && [last.instant, last.id] };
}
