/** The statement that adds jobs, alone or as a part of another one. */
import { type DeliveryJob, type JobOf, laneOf, type QueueName } from './job.ts';

/** A statement with one parameter. */
export interface Insertion {
  text: string;
  value: string;
}

/** `placeholder`: how the surrounding statement names the parameter. */
export function insertion<Name extends QueueName>(
  name: Name,
  jobs: readonly JobOf[Name][],
  placeholder: string,
  delaySeconds = 0,
): Insertion {
  const rows = jobs.map((job) => ({ ...rowOf(name, job), queue: name, delay: delaySeconds }));
  return { text: textWith(placeholder), value: JSON.stringify(rows) };
}

function rowOf<Name extends QueueName>(name: Name, job: JobOf[Name]) {
  if (name !== 'deliver') return { lane: '', priority: 0, team: '', messages: 1, data: job };
  const { teamId, priority, messages, validSeconds, placeMs, ...data } = job as DeliveryJob;
  const place = placeMs === undefined ? undefined : placeMs / 1_000;
  return { lane: laneOf(data), priority, team: teamId, messages, valid: validSeconds, place, data };
}

const textWith = (placeholder: string) => `
  insert into jobs (queue, lane, priority, team_id, messages, data, due_at, expires_at)
  select queue, lane, priority, team, messages, data,
    -- A place in the future is from before the clock was set back.
    case when to_timestamp(place) <= service_now() then to_timestamp(place)
      else service_now() + delay * interval '1 second' end,
    service_now() + valid * interval '1 second'
  from json_to_recordset(${placeholder}::json) as j(queue text, lane text, priority smallint, team text,
    messages integer, data json, delay float8, valid float8, place float8)`;
