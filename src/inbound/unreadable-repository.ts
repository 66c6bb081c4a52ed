/** Stores what could not be read of what people sent, and finds what is to take effect once a number is known. */
import type { Knex } from 'knex';
import type { Keyword } from '../products/consent/words.ts';
import type { Identity } from './identity-repository.ts';
import type { InboundProduct } from './message.ts';

export type UnreadableKind = 'Message' | 'Preference' | 'Status' | 'Template' | 'Call';
export type UnreadableReason = 'NoNumber' | 'Malformed' | 'Unknown';

export interface NewUnreadable {
  id: string;
  teamId: string | null;
  serviceId: string | null;
  product: InboundProduct;
  connector: string;
  kind: UnreadableKind;
  reason: UnreadableReason;
  recipient: string;
  sender: string | null;
  userKey: string | null;
  content: string;
  keyword: Exclude<Keyword, 'HELP'> | null;
  /** By the network's clock; null: now. */
  saidAt: string | null;
  identity: string;
}

/** Returns those that were not stored before. */
export async function insertUnreadable(
  trx: Knex.Transaction,
  items: readonly NewUnreadable[],
): Promise<Pick<NewUnreadable, 'connector' | 'kind' | 'reason'>[]> {
  const { rows } = await trx.raw<{ rows: Pick<NewUnreadable, 'connector' | 'kind' | 'reason'>[] }>(
    `insert into inbound_unreadable (id, team_id, service_id, product, connector, kind, reason, recipient, sender,
       user_key, content, keyword, identity, said_at, received_at)
     select id, "teamId", "serviceId", product, connector, kind, reason, recipient, sender, "userKey", content, keyword,
       identity, least("saidAt", service_now()), service_clock() + place * interval '1 microsecond'
     from json_to_recordset(?::json) as u(place integer, id uuid, "teamId" text, "serviceId" text, product text,
       connector text, kind text, reason text, recipient text, sender text, "userKey" text, content text, keyword text,
       "saidAt" timestamptz, identity text)
     order by identity
     on conflict (identity) do nothing
     returning connector, kind, reason`,
    [JSON.stringify(items.map((item, place) => ({ place, ...item })))],
  );
  return rows;
}

/** What a person said before their number was known. */
export interface Waiting {
  phone: string;
  product: InboundProduct;
  teamId: string;
  serviceId: string;
  kind: UnreadableKind;
  keyword: Exclude<Keyword, 'HELP'>;
  saidAt: Date;
}

/**
 * Marks it as done, and returns it in the order in which it was said; without words that the person has taken back meanwhile
 * in a message with their number.
 */
export async function takeWaiting(
  trx: Knex.Transaction,
  identities: readonly Identity[],
): Promise<Waiting[]> {
  const { rows } = await trx.raw<{ rows: Waiting[] }>(
    `with taken as (
       update inbound_unreadable u set applied_at = service_now()
       from json_to_recordset(?::json) as p(connector text, "userKey" text, phone text)
       where u.connector = p.connector and u.user_key = p."userKey" and u.keyword is not null and u.applied_at is null
         and u.service_id is not null
       returning u.*, p.phone
     )
     select phone, product, team_id as "teamId", service_id as "serviceId", kind, keyword, said_at as "saidAt" from taken t
     where kind = 'Preference' or not exists (
       select from inbound_messages m
       where m.team_id = t.team_id and m.phone = t.phone and m.service_id = t.service_id and m.product = t.product
         and m.keyword in ('STOP', 'START') and m.received_at > t.said_at
     )
     order by said_at, received_at, id`,
    [JSON.stringify(identities)],
  );
  return rows;
}
