/** Keeps when a network last said whether a person wants marketing of a service. */
import type { Knex } from 'knex';

export interface Decision {
  /** E.164. */
  phone: string;
  phoneHash: string;
  teamId: string;
  serviceId: string;
  marketing: boolean;
  /** Undefined: now. */
  occurredAt: Date | undefined;
}

/**
 * Returns those that are news, in the order of their keys, so that two calls wait for each other instead of deadlocking.
 * Times are whole seconds: of two decisions in one second that stands which stops.
 */
export async function takeDecisions(
  trx: Knex.Transaction,
  decisions: readonly Decision[],
): Promise<Decision[]> {
  const news: Decision[] = [];
  for (const one of inOrder(decisions)) {
    const { rows } = await trx.raw<{ rows: unknown[] }>(
      `insert into network_preferences as p (phone_hash, service_id, decided_at)
       select one.phone_hash, one.service_id, one.decided_at
       from (select ? as phone_hash, ? as service_id, least(?::timestamptz, service_now()) as decided_at, ?::boolean as stops) as one
       -- A later decision under another name of the person stands.
       where not exists (
         select from person_names mine join person_names other on other.person = mine.person
           join network_preferences p on p.phone_hash = other.name_hash and p.service_id = one.service_id
         where mine.name_hash = one.phone_hash and other.name_hash <> mine.name_hash
           and p.decided_at <= service_now() and (p.decided_at > one.decided_at or p.decided_at = one.decided_at and not stops)
       )
       on conflict (phone_hash, service_id) do update set decided_at = excluded.decided_at
         where p.decided_at < excluded.decided_at or p.decided_at = excluded.decided_at and ?
           or p.decided_at > service_now()
       returning 1`,
      [one.phoneHash, one.serviceId, one.occurredAt ?? null, !one.marketing, !one.marketing],
    );
    if (rows.length > 0) news.push(one);
  }
  return news;
}

function inOrder(decisions: readonly Decision[]): Decision[] {
  const keyOf = ({ phoneHash, serviceId }: Decision) => `${phoneHash} ${serviceId}`;
  return [...decisions].sort((one, other) => {
    const [first, second] = [keyOf(one), keyOf(other)];
    return first === second ? 0 : first < second ? -1 : 1;
  });
}
