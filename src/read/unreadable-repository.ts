/** Reads what could not be read of what people sent. */
import type { Knex } from 'knex';
import type { Position, Slice } from './page.ts';
import { sliceOf } from './page.ts';

/** Without its content. */
export interface UnreadableView {
  id: string;
  receivedAt: Date;
  connector: string;
  kind: string;
  reason: string;
  /** Null: no service has what it was sent to. */
  teamId: string | null;
  serviceId: string | null;
  from: string | null;
  to: string | null;
}

/** Undefined: of any team, and of none. */
export async function listUnreadable(
  knex: Knex,
  team: string | undefined,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
  { after, limit }: { after?: Position | undefined; limit: number },
): Promise<Slice<UnreadableView>> {
  const [instant, id] = after ?? [to?.toISOString() ?? 'infinity', '00000000-0000-0000-0000-000000000000'];
  const { rows } = await knex.raw<{ rows: (UnreadableView & { instant: string })[] }>(
    `select id, received_at as "receivedAt", connector, kind, reason, team_id as "teamId", service_id as "serviceId",
       sender as "from", nullif(recipient, '') as "to", received_at::text as instant
     from inbound_unreadable
     where ${team === undefined ? 'true' : 'team_id = :team'} and received_at >= :from::timestamptz
       and (received_at, id) < (:instant::timestamptz, :id::uuid)
     order by received_at desc, id desc limit :limit`,
    {
      ...(team === undefined ? {} : { team }),
      from: from?.toISOString() ?? '-infinity',
      instant,
      id,
      limit: limit + 1,
    },
  );
  const itemOf = ({ instant: _instant, ...view }: UnreadableView & { instant: string }): UnreadableView =>
    view;
  return sliceOf(rows, limit, itemOf, (row) => [row.instant, row.id]);
}

/** By connector, of so many days. */
export async function countUnreadable(
  knex: Knex,
  days: number,
): Promise<{ connector: string; items: number; first: Date }[]> {
  const { rows } = await knex.raw<{ rows: { connector: string; items: number; first: Date }[] }>(
    `select connector, count(*)::integer as items, min(received_at) as first from inbound_unreadable
     where received_at > service_now() - ? * interval '1 day' group by connector order by connector`,
    [days],
  );
  return rows;
}
