/** Reads the messages of delivery jobs that are not submitted yet, and marks those that are being submitted. */
import type { Knex } from 'knex';
import type { OutboundMessage } from '../connectors/contract/connector.ts';
import { type Category, priorities, type Registrations } from '../model/plan.ts';
import { productNames, products } from '../model/products.ts';
import { listOf, stateOfFound, statesThat } from '../model/states.ts';
import { runStatement } from '../platform/db/statement.ts';
import { valuesFor } from '../products/sms/registrations.ts';
import { secondsLeft, validFrom } from '../queue/clock-set-back.ts';
import type { JobMessage } from '../queue/fold-jobs.ts';
import { type DeliveryJob, type Group, type Lease, leaseRows, leaseSeconds } from '../queue/job.ts';

/** A message that no network has accepted, as far as we know. */
export interface QueuedMessage extends OutboundMessage, JobMessage {
  /** The service or campaign of the request. */
  resourceId: string;
  /** The service that sends it; of a bundle that of its campaign. */
  serviceId: string;
  category: Category;
  /** Which routes go by, whatever people see. */
  requestSender: string | null;
  /** Whether it waits for quiet hours to end if it is promotional: as its service is set. */
  quietHours: boolean;
  /** Where its recipient is; null: anywhere in the country. */
  timeZone: string | null;
  /** When it was due; null: it did not wait for a time. */
  sendAt: Date | null;
  /** It passes opt-outs. */
  confirmation: boolean;
  /** Sending: an earlier hand-over was interrupted, and the network must not get the message twice. */
  state: 'Queued' | 'Sending';
  /** The connector of an interrupted hand-over. */
  connector: string | null;
  /** Since its request was accepted, its time came or its bundle was delivered. */
  ageSeconds: number;
  /** Until it expires; zero or less: it has expired. */
  leftSeconds: number;
  /** The trace of its request; null: it has none. */
  trace: string | null;
  /** Its time is to come: it was queued because its recipient had opted out. */
  notBefore: Date | null;
}

const queued = listOf(statesThat('queued'));

/** SQL: the id of a service, from a request `r` and its campaign `c`, if it has one. */
const serviceId = {
  'sending service': `case when m.product = 'chatapp' then r.resource_id
    else coalesce(r.sms_service_id, c.service_id, r.resource_id) end`,
  "campaign's service": 'c.service_id',
  settings: 'null',
} as const;

/** Joins, as `s`, the service whose validity applies to a message `m` of a request `r`. */
export const joinedService = `left join campaigns c
         on c.id = r.resource_id and r.operation = '${products.data.operation}'
       left join services s on s.id = case m.product
         ${productNames.map((name) => `when '${name}' then ${serviceId[products[name].validityOf]}`).join('\n         ')}
       end`;

/** SQL: the category of a message `m` of a request `r`: of a chat-app request the one that its template has now, as networks change it. */
const categoryNow = `coalesce(case when m.product = 'chatapp' or r.fallback is not null then (
       select category from chatapp_templates where id = r.template_id
     ) end, r.category)`;

/** As stored: its registrations are those of its request. */
interface StoredMessage extends Omit<QueuedMessage, 'teamId' | 'priority' | 'registrations'> {
  registrations: Registrations | null;
}

/**
 * Request by request, which `offset 0` enforces: a planner that knows little of the tables would read all of them, or,
 * with the state inside, all that is in progress.
 */
export const queuedText = `select m.id, m.request_id as "requestId", m.product, m.channel, m.phone, m.content, m.state, m.connector, coalesce(m.sender, r.sender) as sender, coalesce(case when m.product = 'sms' then r.fallback ->> 'sender' end, r.sender) as "requestSender",
     r.registrations, r.message_class as "messageClass", r.resource_id as "resourceId", ${serviceId['sending service']} as "serviceId", ${categoryNow} as category, r.confirmation,
     r.trace, r.time_zone as "timeZone", m.send_at as "sendAt", coalesce(case when m.product <> 'chatapp' then s.quiet_hours
       when ${categoryNow} = 'MARKETING' then (select quiet_hours from chatapp_services where id = r.resource_id) end, true) as "quietHours",
     greatest(extract(epoch from service_now() - ${validFrom}), 0)::float8 as "ageSeconds",
     ${secondsLeft('$2')} as "leftSeconds",
     case when m.send_at is null and m.released_at is null and r.send_at > service_now() then r.send_at end as "notBefore"
   from unnest($1::uuid[]) as asked(id) cross join lateral (
     select * from requests where id = asked.id offset 0
   ) r cross join lateral (
     select * from messages where request_id = r.id offset 0
   ) m ${joinedService}
   where m.state in ${queued}
   order by m.id`;

/**
 * Those of the jobs' messages that still wait: in the order of the jobs, then of their acceptance.
 * `validitySeconds`: how long those of services that do not say may wait.
 */
export async function loadQueuedMessages(
  knex: Knex,
  jobs: readonly DeliveryJob[],
  validitySeconds: number,
): Promise<QueuedMessage[]> {
  const requestIds = [...new Set(jobs.flatMap((job) => job.requestIds))];
  const rows = await runStatement<StoredMessage>(knex, {
    name: 'load queued',
    text: queuedText,
    values: [requestIds, validitySeconds],
  });
  const jobOf = finderOf(jobs);
  const found = rows.flatMap((message) => {
    const place = jobOf(message);
    const job = place === undefined ? undefined : jobs[place];
    if (place === undefined || job === undefined) return [];
    const { teamId, priority, way, placeMs, unknown, unanswered } = job;
    // The outcome of an interrupted submission is queried, however old it is.
    const waits = message.state === 'Queued' && message.notBefore === null;
    const validSeconds = waits ? Math.max(0, message.leftSeconds) : undefined;
    const registrations = message.product === 'sms' ? valuesFor(message.registrations, message) : {};
    return [
      {
        place,
        message: {
          ...message,
          registrations,
          teamId,
          priority,
          way,
          placeMs,
          unknown,
          unanswered,
          validSeconds,
        },
      },
    ];
  });
  return found.sort((one, other) => one.place - other.place).map(({ message }) => message);
}

/** Finds the place of the job that a message belongs to. */
function finderOf(jobs: readonly DeliveryJob[]): (message: StoredMessage) => number | undefined {
  const shares = new Map<string, { place: number; ids: Set<string> | undefined }[]>();
  for (const [place, job] of jobs.entries()) {
    const ids = job.messageIds ? new Set(job.messageIds) : undefined;
    for (const requestId of job.requestIds) {
      const name = shareOf(requestId, job);
      const own = shares.get(name);
      if (own === undefined) shares.set(name, [{ place, ids }]);
      else own.push({ place, ids });
    }
  }
  return (message) =>
    shares
      .get(shareOf(message.requestId, message))
      ?.find(({ ids }) => ids === undefined || ids.has(message.id))?.place;
}

/** All messages of a request in one channel go the same way. */
function shareOf(requestId: string, { product, channel }: Group): string {
  return `${requestId} ${product} ${channel}`;
}

/** A message with the connector whose network has it. */
export interface SubmittedMessage extends OutboundMessage {
  connector: string | null;
}

/** Those of the messages that their network has and has not reported on. */
export async function loadSubmittedMessages(knex: Knex, ids: readonly string[]): Promise<SubmittedMessage[]> {
  const { rows } = await knex.raw<{ rows: SubmittedMessage[] }>(
    `select m.id, m.product, m.channel, m.phone, m.content, m.connector, coalesce(m.sender, r.sender) as sender
     from messages m join requests r on r.id = m.request_id
     where m.id = any(?::bigint[]) and ${stateOfFound('m')} = 'Submitted'
     order by m.id`,
    [[...ids]],
  );
  return rows;
}

/**
 * Marks these messages as on their way to this connector before they are submitted: its report may come before its
 * response. Renews the leases of their jobs in the same statement, so that nobody else can submit them meanwhile;
 * marks nothing if one of the leases was lost, and returns undefined then, else those that are marked.
 */
export async function markSending(
  knex: Knex,
  ids: readonly string[],
  connector: string,
  jobs: readonly Lease[],
): Promise<Set<string> | undefined> {
  const [row] = await runStatement<{ renewed: number; marked: string[] }>(knex, {
    text: `with renewed as (
       update jobs set due_at = service_now() + ${leaseSeconds} * interval '1 second',
         -- Once it is sent, its network may be busy with it again.
         data = case when data -> 'unknown' is null then data else (data::jsonb - 'unknown')::json end
       from json_to_recordset($1::json) as lease(id bigint, claims integer)
       where jobs.id = lease.id and jobs.claims = lease.claims and claimed returning 1
     ), waiting as (
       select id from messages
       where id = any($2::bigint[]) and ${stateOfFound('messages')} in ${queued} and (select count(*) from renewed) = $3
       order by id for update
     ), marked as (
       update messages m set state = 'Sending', connector = $4, submitted_at = service_now()
       from waiting where m.id = waiting.id returning m.id
     )
     select (select count(*) from renewed)::integer as renewed, array(select id::text from marked) as marked`,
    values: [JSON.stringify(leaseRows(jobs)), ids, jobs.length, connector],
  });
  return row?.renewed === jobs.length ? new Set(row.marked) : undefined;
}

/** Marks messages that the network did not accept as queued again. */
export async function markQueued(trx: Knex.Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.raw(
    `update messages set state = 'Queued', connector = null, submitted_at = null
     where id = any(?::bigint[]) and ${stateOfFound('messages')} = 'Sending'`,
    [[...ids]],
  );
}

/** Messages that wait for a time; one that expires before is looked at then. */
export async function markScheduled(
  trx: Knex.Transaction,
  messages: readonly { id: string; until: Date; validSeconds?: number | undefined }[],
): Promise<void> {
  await trx.raw(
    `update messages m set state = 'Scheduled',
       send_at = least(q.until, service_now() + q."validSeconds" * interval '1 second')
     from json_to_recordset(?::json) as q(id bigint, until timestamptz, "validSeconds" float8)
     where m.id = q.id and ${stateOfFound('m')} = 'Queued'`,
    [JSON.stringify(messages)],
  );
}

/** For transactions that change messages in several statements: all of them first, by id. */
export async function lockMessages(trx: Knex.Transaction, ids: readonly string[]): Promise<void> {
  await trx.raw('select from messages where id = any(?::bigint[]) order by id for update', [[...ids]]);
}

/** Records that a network has a message of which nothing else could be recorded: it must not be sent again. */
export async function markSubmitted(trx: Knex.Transaction, id: string, connector?: string): Promise<void> {
  await trx.raw(
    `update messages set state = 'Submitted', connector = coalesce(:connector, connector),
       submitted_at = coalesce(submitted_at, service_now())
     where id = :id::bigint and ${stateOfFound('messages')} in ${queued}`,
    { id, connector: connector ?? null },
  );
}

/** A message in any state, with what is needed to record its hand-over. */
export async function loadMessage(
  knex: Knex,
  id: string,
): Promise<(JobMessage & Pick<OutboundMessage, 'content'>) | undefined> {
  const { rows } = await knex.raw(
    `select m.id, m.request_id as "requestId", m.product, m.channel, m.content, r.team_id as "teamId"
     from messages m join requests r on r.id = m.request_id where m.id = ?::bigint`,
    [id],
  );
  // Messages that an operator retries go before those that are not known to be urgent.
  return rows[0] && { ...rows[0], priority: priorities.UTILITY };
}
