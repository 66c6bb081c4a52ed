/** Finds the service that a message of a phone was sent to, and the message of ours that it replies to. */
import type { Knex } from 'knex';
import type { Addressee, InboundProduct, Whole } from './message.ts';

/** A message later than this is no reply. */
const replyHours = 72;
/** How many services with the same sender, and how many messages to the phone, are looked at. */
const mostServices = 50;
const mostMessages = 50;

type Named = Pick<Whole, 'connector' | 'product' | 'phone' | 'to'> & Partial<Pick<Whole, 'toId'>>;

/** Services by the number that people write to, the oldest first. */
const services: Readonly<Record<InboundProduct, string>> = {
  sms: `
    select id, team_id, sender, null as channel, inbound_callback_url, inbound_client_id, created_at from services
    where ltrim(sender, '+') = a.number`,
  chatapp: `
    select s.id, s.team_id, n.phone, n.id, s.inbound_callback_url, s.inbound_client_id, s.created_at
    from chatapp_numbers n join chatapp_services s on s.id = n.service_id
    where n.connector = a.connector and (n.id = a."toId" or ltrim(n.phone, '+') = a.number)`,
};

/** The newest message to the phone that a network has, of the service. Read along one index, as message-scans.ts explains. */
const lastMessage = `
  select m.id, r.id as request_id, r.correlator
  from (
    select * from messages
    where message_phone_key(team_id, phone) >= message_phone_key(s.team_id, a.phone)
      and (message_phone_key(team_id, phone), id) < (message_phone_key(s.team_id, a.phone), 9223372036854775807)
    order by message_phone_key(team_id, phone) desc, id desc limit ${mostMessages}
  ) as m join requests r on r.id = m.request_id
  where m.team_id = s.team_id and m.phone = a.phone and m.product = a.product and m.submitted_at is not null
    and (r.resource_id = s.id or r.sms_service_id = s.id)
    and m.submitted_at > service_now() - interval '${replyHours} hours'
  order by m.id desc limit 1`;

/**
 * In the order of the messages; undefined: no service has such a sender. Of several with one sender it is the one that wrote to the
 * phone last. If none did, it is of the team that had the sender first: its oldest service with a callback URL, or its
 * oldest.
 */
export async function findAddressees(
  trx: Knex.Transaction,
  messages: readonly Named[],
): Promise<(Addressee | undefined)[]> {
  if (messages.length === 0) return [];
  const named = messages.map(({ connector, product, phone, to, toId }, place) => ({
    ...{ place, connector, product, phone, toId },
    number: to.replace('+', ''),
  }));
  const { rows } = await trx.raw<{ rows: (Addressee & { place: number })[] }>(
    `select distinct on (a.place) a.place, s.id as "serviceId", s.team_id as "teamId", s.sender, s.channel,
       s.inbound_callback_url as "callbackUrl", coalesce(s.inbound_client_id, (
         select id from clients where clients.team_id = s.team_id and enabled order by created_at, id limit 1
       )) as "clientId",
       last.request_id as "requestId", last.correlator
     from json_to_recordset(?::json)
         as a(place integer, connector text, product text, phone text, "toId" text, number text)
       cross join lateral (
         select *, first_value(team_id) over (order by created_at, id) as first_team from (
           (select * from (${services.sms}) as sms where a.product = 'sms')
           union all (select * from (${services.chatapp}) as chatapp where a.product = 'chatapp')
         ) as named order by created_at, id limit ${mostServices}
       ) as s
       left join lateral (${lastMessage}) as last on true
     where last.id is not null or s.team_id = s.first_team
     order by a.place, last.id desc nulls last, s.inbound_callback_url is null, s.created_at, s.id`,
    [JSON.stringify(named)],
  );
  const found = new Map(rows.map(({ place, ...addressee }) => [place, addressee]));
  return messages.map((_message, place) => found.get(place));
}
