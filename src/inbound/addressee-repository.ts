/** Finds the service that a message of a phone was sent to, and the message of ours that it replies to. */
import type { Knex } from 'knex';
import type { Addressee, InboundProduct, Whole } from './message.ts';

/** A message later than this is no reply. */
const replyHours = 72;
/** A sender is sent through the channels that had messages of it in this time. */
const sentDays = 30;
/** How many services with the same sender, and how many messages to the phone, are looked at. */
const mostServices = 50;
const mostMessages = 50;

type Named = Pick<Whole, 'connector' | 'product' | 'phone' | 'to'> & Partial<Pick<Whole, 'toId'>>;

/** Why nobody gets a message: no service has what it was sent to, or its connector may not deliver for that. */
export type Unaddressed = 'sender' | 'network';

/** Services by the number that people write to. */
const services: Readonly<Record<InboundProduct, string>> = {
  sms: `
    select id, team_id, sender, null as channel, inbound_callback_url, inbound_client_id, created_at,
      shared_sender, sender_since, inbound_connectors
    from services where sender_key(sender) = sender_key(a.number)`,
  chatapp: `
    select s.id, s.team_id, n.phone, n.id, s.inbound_callback_url, s.inbound_client_id, s.created_at,
      false, n.created_at, '[]'::jsonb
    from chatapp_numbers n join chatapp_services s on s.id = n.service_id
    where n.connector = a.connector and (n.id = a."toId" or ltrim(n.phone, '+') = a.number)`,
};

/** The newest message to the phone that a network has, of the service. Read along one index, as message-scans.ts explains. */
const lastMessage = `
  select m.id, m.connector, r.id as request_id, r.correlator
  from (
    select a.phone as name union all
    -- Who was written to under one name may reply under another.
    select other.name from person_names mine join person_names other on other.person = mine.person
    where a.product = 'chatapp' and mine.name = a.phone and other.name <> mine.name
  ) as own cross join lateral (
    select * from messages
    where message_phone_key(team_id, phone) >= message_phone_key(s.team_id, own.name)
      and (message_phone_key(team_id, phone), id) < (message_phone_key(s.team_id, own.name), 9223372036854775807)
    order by message_phone_key(team_id, phone) desc, id desc limit ${mostMessages}
  ) as m join requests r on r.id = m.request_id
  where m.team_id = s.team_id and m.phone = own.name and m.product = a.product and m.submitted_at is not null
    and (r.resource_id = s.id or r.sms_service_id = s.id)
    and m.submitted_at > service_now() - interval '${replyHours} hours'
  order by m.id desc limit 1`;

/** The connector of the channel that the phone's prefix belongs to, in use or not. */
const homeConnector = `
  select c.connector from channels c cross join jsonb_array_elements_text(c.prefixes) as p(prefix)
  where a.product = 'sms' and starts_with(a.phone, '+' || prefix)
  order by length(prefix) desc, c.active desc, c.position, c.name limit 1`;

/** Whether the team has sent with the sender through a channel of the connector lately. */
const sendsThrough = `exists (
  with named as (select id from services where team_id = s.team_id and sender_key(sender) = sender_key(s.sender))
  select from message_counts
  where team_id = s.team_id and hour > service_now() - interval '${sentDays} days' and product = 'sms' and outcome <> 'failed'
    and channel in (select name from channels where connector = a.connector)
    and resource_id in (select id from named union all select id from campaigns where service_id in (select id from named))
)`;

/**
 * Whether the connector may deliver the message. Those that the operator names may. Otherwise it is the one that the phone's
 * prefix belongs to, or that our last message to the phone left through; or one that the sender is sent through, for a
 * person may have taken the number to another network.
 */
const mayDeliver = `case
  when a.product = 'chatapp' then true
  when s.inbound_connectors <> '[]' then s.inbound_connectors @> to_jsonb(a.connector)
  else coalesce(home.connector = a.connector, exists (select from channels where connector = a.connector))
    or coalesce(last.connector = a.connector, false) or ${sendsThrough}
end`;

/**
 * In the order of the messages. A message is for the team that has the sender, or for a service that the platform lets share it:
 * of these the one that wrote to the phone last. If none did, it is for the team that has the sender: its oldest service with
 * a callback URL, or its oldest. Of several teams, which only a database has that was changed by hand, that one has it
 * that had it first.
 */
export async function findAddressees(
  trx: Knex.Transaction,
  messages: readonly Named[],
): Promise<(Addressee | Unaddressed)[]> {
  if (messages.length === 0) return [];
  const named = messages.map(({ connector, product, phone, to, toId }, place) => ({
    ...{ place, connector, product, phone, toId },
    number: to.replace('+', ''),
  }));
  const { rows } = await trx.raw<{ rows: (Addressee & { place: number; delivers: boolean })[] }>(
    `select distinct on (a.place) a.place, s.id as "serviceId", s.team_id as "teamId", s.sender, s.channel,
       s.inbound_callback_url as "callbackUrl", coalesce(s.inbound_client_id, (
         select id from clients where clients.team_id = s.team_id and enabled order by created_at, id limit 1
       )) as "clientId",
       last.request_id as "requestId", last.correlator, delivers
     from json_to_recordset(?::json)
         as a(place integer, connector text, product text, phone text, "toId" text, number text)
       cross join lateral (
         select *, first_value(team_id) over (order by shared_sender, sender_since, created_at, id) as owner from (
           (select * from (${services.sms}) as sms where a.product = 'sms')
           union all (select * from (${services.chatapp}) as chatapp where a.product = 'chatapp')
         ) as named order by shared_sender, sender_since, created_at, id limit ${mostServices}
       ) as s
       left join lateral (${homeConnector}) as home on true
       left join lateral (${lastMessage}) as last on true
       cross join lateral (select ${mayDeliver} as delivers) as fit
     where s.team_id = s.owner or s.shared_sender and last.id is not null
     order by a.place, delivers desc, last.id desc nulls last, s.inbound_callback_url is null, s.created_at, s.id`,
    [JSON.stringify(named)],
  );
  const found = new Map(
    rows.map(({ place, delivers, ...addressee }) => [place, delivers ? addressee : ('network' as const)]),
  );
  return messages.map((_message, place) => found.get(place) ?? 'sender');
}
