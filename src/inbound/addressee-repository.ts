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

type Named = Pick<Whole, 'connector' | 'product' | 'phone' | 'to'> & Partial<Pick<Whole, 'toId' | 'content'>>;

/**
 * Why nobody gets a message: no service has what it was sent to, its connector may not deliver for that, or several teams have
 * it, of which none wrote to the phone and none has the first word as its keyword.
 */
export type Unaddressed = 'sender' | 'network' | 'keyword';

/** Services by the number that people write to: those of teams that were given it. */
const services: Readonly<Record<InboundProduct, string>> = {
  sms: `
    select s.id, s.team_id, s.sender, coalesce((
        select used ->> 'as' from jsonb_array_elements(g.approved_uses) as u(used)
        where sender_key(used ->> 'as') = sender_key(a.number) limit 1
      ), s.sender) as seen, null as channel, s.inbound_callback_url, s.inbound_client_id, s.created_at,
      g.keyword, g.created_at as since, s.inbound_connectors
    from senders g join services s on sender_key(s.sender) = sender_key(g.sender) and s.team_id = g.team_id
    where array[sender_key(a.number)] <@ g.approved_keys`,
  chatapp: `
    select s.id, s.team_id, n.phone, n.phone, n.id, s.inbound_callback_url, s.inbound_client_id, s.created_at,
      null, n.created_at, '[]'::jsonb
    from chatapp_numbers n join chatapp_services s on s.id = n.service_id
    where n.connector = a.connector and (n.id = a."toId" or ltrim(n.phone, '+') = a.number)`,
};

/** The newest message to the phone that a network has, of the service. Read along one index, as message-scans.ts explains. */
const lastMessage = `
  select m.id, m.connector, r.id as request_id, r.correlator,
    m.submitted_at > service_now() - interval '${replyHours} hours' as replied
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
  order by m.id desc limit 1`;

/** The connectors of a channel of that name: its own, and those of its routes for SMS. */
const connectorsOf = (channel: string) => `
  select connector from channels where name = ${channel}
  union all
  select one ->> 'connector' from routes, jsonb_array_elements(via) as v(one)
  where channel = ${channel} and product = 'sms'`;

/** The channel that the phone's prefix belongs to, in use or not. */
const homeChannel = `
  select c.name from channels c cross join jsonb_array_elements_text(c.prefixes) as p(prefix)
  where a.product = 'sms' and starts_with(a.phone, '+' || prefix)
  order by length(prefix) desc, c.enabled desc, c.position, c.name limit 1`;

/** Whether the team has sent with the sender through a channel of the connector lately. */
const sendsThrough = `exists (
  with named as (select id from services where team_id = s.team_id and sender_key(sender) = sender_key(s.sender))
  select from message_counts
  where team_id = s.team_id and hours = 1 and hour > service_now() - interval '${sentDays} days' and product = 'sms' and outcome <> 'failed'
    and a.connector in (${connectorsOf('message_counts.channel')})
    and resource_id in (select id from named union all select id from campaigns where service_id in (select id from named))
)`;

/**
 * Whether the connector may deliver the message. Those that the operator names may. Otherwise it is one of the channel that the
 * phone's prefix belongs to, or that our last message to the phone left through; or one that the sender is sent through, for a
 * person may have taken the number to another network.
 */
const mayDeliver = `case
  when a.product = 'chatapp' then true
  when s.inbound_connectors <> '[]' then s.inbound_connectors @> to_jsonb(a.connector)
  else case when home.name is null then exists (select from channels where connector = a.connector)
      else a.connector in (${connectorsOf('home.name')}) end
    or coalesce(last.replied and last.connector = a.connector, false) or ${sendsThrough}
end`;

/**
 * In the order of the messages. A message is for the team that was given what it was sent to: the service that wrote to the
 * phone last, or else the oldest with a callback URL, or the oldest. Of several teams it is for the one whose keyword it begins
 * with, or else for the one that wrote to the phone last, however long ago; for none if none did.
 */
export async function findAddressees(
  trx: Knex.Transaction,
  messages: readonly Named[],
): Promise<(Addressee | Unaddressed)[]> {
  if (messages.length === 0) return [];
  const named = messages.map(({ connector, product, phone, to, toId, content }, place) => ({
    place,
    connector,
    product,
    phone,
    toId,
    number: to.replace('+', ''),
    word: /[A-Za-z0-9]+/.exec(content?.text ?? '')?.[0].toLowerCase(),
  }));
  const { rows } = await trx.raw<{
    rows: (Addressee & { place: number; delivers: boolean; nobodys: boolean })[];
  }>(
    `select distinct on (a.place) a.place, s.id as "serviceId", s.team_id as "teamId", s.seen as sender, s.channel,
       s.inbound_callback_url as "callbackUrl", coalesce(s.inbound_client_id, (
         select id from clients where clients.team_id = s.team_id and enabled order by created_at, id limit 1
       )) as "clientId",
       case when last.replied then last.request_id end as "requestId",
       case when last.replied then last.correlator end as correlator, delivers,
       s.shared and not s.chosen and last.id is null as nobodys
     from json_to_recordset(?::json)
         as a(place integer, connector text, product text, phone text, "toId" text, number text, word text)
       cross join lateral (
         select *, min(team_id) over () <> max(team_id) over () as shared, bool_or(said) over () as chosen from (
           select *, coalesce(lower(keyword) = a.word, false) as said from (
             (select * from (${services.sms}) as sms where a.product = 'sms')
             union all (select * from (${services.chatapp}) as chatapp where a.product = 'chatapp')
           ) as named order by said desc, since, created_at, id limit ${mostServices}
         ) as found
       ) as s
       left join lateral (${homeChannel}) as home on true
       left join lateral (${lastMessage}) as last on true
       cross join lateral (select ${mayDeliver} as delivers) as fit
     where s.said or not s.chosen
     order by a.place, delivers desc, case when s.shared or last.replied then last.id end desc nulls last,
       s.inbound_callback_url is null, s.created_at, s.id`,
    [JSON.stringify(named)],
  );
  const found = new Map(
    rows.map(({ place, delivers, nobodys, ...addressee }): [number, Addressee | Unaddressed] => {
      if (!delivers) return [place, 'network'];
      return [place, nobodys ? 'keyword' : addressee];
    }),
  );
  return messages.map((_message, place) => found.get(place) ?? 'sender');
}
