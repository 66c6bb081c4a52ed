/** Stores what could not be read of what people sent. */
import type { Knex } from 'knex';
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
  content: string;
  identity: string;
}

/** Returns those that were not stored before. */
export async function insertUnreadable(
  trx: Knex.Transaction,
  items: readonly NewUnreadable[],
): Promise<Pick<NewUnreadable, 'connector' | 'kind' | 'reason'>[]> {
  const { rows } = await trx.raw<{ rows: Pick<NewUnreadable, 'connector' | 'kind' | 'reason'>[] }>(
    `insert into inbound_unreadable (id, team_id, service_id, product, connector, kind, reason, recipient, sender,
       content, identity, received_at)
     select id, "teamId", "serviceId", product, connector, kind, reason, recipient, sender, content, identity,
       service_clock() + place * interval '1 microsecond'
     from json_to_recordset(?::json) as u(place integer, id uuid, "teamId" text, "serviceId" text, product text,
       connector text, kind text, reason text, recipient text, sender text, content text, identity text)
     order by identity
     on conflict (identity) do nothing
     returning connector, kind, reason`,
    [JSON.stringify(items.map((item, place) => ({ place, ...item })))],
  );
  return rows;
}
