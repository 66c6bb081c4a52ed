/**
 * The ways to messages, newest first: each along one index, in one team or in all. There is none by correlator and time, which
 * requests have: an index of messages costs every accepted message, one of requests a hundredth of that at best.
 */
import { badStates } from '../../model/states.ts';

/** How many messages one page looks at: what the filters leave of them may be few. */
const scannedMessages = 2_000;
/** Where each team has its own part of the index: of each team, and of all together. */
const scannedOfTeams = 500;

/** The ends that have an index of their own. */
export const isNotDelivered = (state: string): boolean => badStates.some((one) => one === state);

const ofRequest =
  'r.correlator, r.fallback, r.resource_id, r.client_id, r.created_at as accepted_at, r.created_at::text as instant';

/** A request has fewer messages than the limit, which keeps the planner from reading the whole table. */
const behind = `
  select * from messages
  where request_id = r.id
    and (r.created_at, r.id, messages.id) < (:instant::timestamptz, :requestId::uuid, :messageId::bigint)
  limit :scanned`;

/*
 * Each scan reads at most `:scanned` rows of the team behind the position, along one index. PostgreSQL ends a scan
 * early at a bound on a single column that follows equalities, not at a comparison of rows: that says where it begins.
 */

/** With an equality for the key the planner might walk along the primary key, past the messages of other teams. */
const numberOf = (team: string, columns: string, phone: string) => {
  const [stored, wanted] = ['message_phone_key(team_id, phone)', `message_phone_key(${team}, ${phone})`];
  return `
  select ${columns} from (
    select * from messages
    where ${stored} >= ${wanted} and (${stored}, id) < (${wanted}, :messageId::bigint)
    order by ${stored} desc, id desc limit :scanned
  ) as with_key
  where team_id = ${team} and phone = ${phone}`;
};

/** Old messages have a hash in the place of the number. */
const phoneOf = (team: string, columns = '*') => `
  select * from (
    (${numberOf(team, columns, ':phone')}) union all (${numberOf(team, columns, ':phoneHash')})
  ) as found order by id desc limit :scanned`;

const inStates =
  (condition: string) =>
  (team: string, columns = '*') =>
    `
  select ${columns} from messages
  where ${condition} and (team_id, id) < (${team}, :messageId::bigint) and team_id >= ${team}
  order by team_id desc, id desc limit :scanned`;
const notDeliveredOf = inStates('not_delivered');
const scheduledOf = inStates('scheduled::integer = 1');

const timeOf = (team: string) => `
  select * from requests
  where team_id = ${team} and created_at >= :from::timestamptz
    and (created_at, id) <= (:instant::timestamptz, :requestId::uuid)
  order by created_at desc, id desc limit :scanned`;

/** As for the phone: the planner might walk past the other requests of the team. */
const correlatorOf = (team: string) => `
  select * from requests
  where team_id = ${team} and correlator >= :correlator
    and (correlator, created_at, id) <= (:correlator, :instant::timestamptz, :requestId::uuid)
  order by correlator desc, created_at desc, id desc limit :scanned`;

const withRequests = (messages: string, order: string) => `
  select m.*, ${ofRequest}
  from (${messages}) as m join requests r on r.id = m.request_id
  order by ${order}`;

// An index of messages by time would cost each of them; requests are fewer, and know the same.
const withMessages = (requests: string, order: string) => `
  select m.*, ${ofRequest}
  from (${requests}) as r cross join lateral (${behind}) as m
  order by ${order} limit :scanned`;

/** The newest rows of all teams, by what `order` names. */
const ofTeams = (of: (team: string) => string, order: string) => `
  select found.* from teams t cross join lateral (${of('t.id')}) as found order by ${order} limit :scanned`;

/** Read from the index alone: only the newest of all teams are read whole. */
const newestIds = (of: (team: string, columns: string) => string) =>
  `select whole.* from (${ofTeams((team) => of(team, 'id'), 'id desc')}) as newest
   cross join lateral (select * from messages where id = newest.id limit 1) as whole`;

/** Where the messages begin that are older than `:to`, or a minute younger: ids are not exactly in their order. */
const idBefore = `
  select coalesce(max(m.id) + 1, 0)
  from teams t cross join lateral (
    select id from requests
    where (team_id, created_at) < (t.id, :to::timestamptz + interval '1 minute') and team_id >= t.id
    order by team_id desc, created_at desc, id desc limit 1
  ) as r join messages m on m.request_id = r.id`;

const timeOfAll = `
  select * from messages where id < least(:messageId::bigint,
    case when :to::timestamptz = 'infinity' then :messageId::bigint else (${idBefore}) end)
  order by id desc limit :scanned`;

const requestOf = (team: string) => `
  select * from messages where request_id = :request::uuid and team_id = ${team} and id < :messageId::bigint
  order by id desc limit :scanned`;

const team = ':team';
const inTeam = {
  request: withRequests(requestOf(team), 'm.id desc'),
  phone: withRequests(phoneOf(team), 'm.id desc'),
  notDelivered: withRequests(notDeliveredOf(team), 'm.team_id desc, m.id desc'),
  scheduled: withRequests(scheduledOf(team), 'm.team_id desc, m.id desc'),
  time: withMessages(timeOf(team), 'r.created_at desc, r.id desc, m.id desc'),
  correlator: withMessages(correlatorOf(team), 'r.correlator desc, r.created_at desc, r.id desc, m.id desc'),
};
export type ScanName = keyof typeof inTeam;

const inAll: Readonly<Record<ScanName, string>> = {
  request: withRequests(requestOf('team_id'), 'm.id desc'),
  phone: withRequests(newestIds(phoneOf), 'm.id desc'),
  notDelivered: withRequests(newestIds(notDeliveredOf), 'm.id desc'),
  scheduled: withRequests(newestIds(scheduledOf), 'm.id desc'),
  time: withRequests(timeOfAll, 'm.id desc'),
  correlator: withMessages(
    ofTeams(correlatorOf, 'created_at desc, id desc'),
    'r.created_at desc, r.id desc, m.id desc',
  ),
};

/** SQL; `team` undefined: in all teams. */
export function scanText(scan: ScanName, team: string | undefined): string {
  return (team === undefined ? inAll : inTeam)[scan];
}

/** At most this many messages. */
export function scannedBy(scan: ScanName, team: string | undefined): number {
  return team === undefined && scan !== 'time' ? scannedOfTeams : scannedMessages;
}
