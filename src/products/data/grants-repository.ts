/** Records the last bundle per campaign and phone number; a row is claimed before the submission. */
import type { Knex } from 'knex';
import type { ReachedState } from '../../model/states.ts';
import type { Campaign, Frequency } from './campaign.ts';
import { type Grant, windowOf } from './frequency.ts';

/** A bundle that is about to be handed over. */
export interface ClaimingBundle {
  id: string;
  phone: string;
  /** The campaign. */
  resourceId: Campaign['id'];
}

/** The hash of a number; a hash stays as it is. */
export type HashPhone = (phone: string) => string;

/**
 * Claims the grant of each bundle's phone: of several bundles to one phone the oldest gets it. A bundle that
 * holds it already keeps it. Returns by the bundle's id; bundles of unlimited campaigns are absent.
 */
export async function claimGrants(
  knex: Knex,
  bundles: readonly ClaimingBundle[],
  hashPhone: HashPhone,
): Promise<ReadonlyMap<string, Grant>> {
  const { rows } = await knex.raw<{ rows: { id: string; grant: Grant }[] }>(
    `with bundle as (
       select b.id, b.campaign_id, b.phone_hash, f.ever, f.span
       from json_to_recordset(?::json) as b(id bigint, campaign_id text, phone_hash text)
         join campaigns c on c.id = b.campaign_id
         join json_to_recordset(?::json) as f(frequency text, ever boolean, span interval)
           on f.frequency = c.frequency
     ), claimed as (
       -- Sorted, so that two claims of the same phones wait for each other instead of deadlocking.
       insert into campaign_grants as g (campaign_id, phone_hash, message_id)
       select distinct on (campaign_id, phone_hash) campaign_id, phone_hash, id
       from bundle order by campaign_id, phone_hash, id
       on conflict (campaign_id, phone_hash) do update set message_id = excluded.message_id, given_at = null
       where g.message_id = excluded.message_id or exists (
         select from bundle
         where bundle.id = excluded.message_id and not bundle.ever and g.given_at + bundle.span <= service_now())
       returning message_id
     )
     select bundle.id, case
         when g.message_id = bundle.id or bundle.id in (select message_id from claimed) then 'open'
         when g.given_at is not null and (bundle.ever or g.given_at + bundle.span > service_now()) then 'used'
         else 'claimed'
       end as grant
     from bundle left join campaign_grants g
       on g.campaign_id = bundle.campaign_id and g.phone_hash = bundle.phone_hash`,
    [
      JSON.stringify(
        bundles.map(({ id, resourceId, phone }) => ({
          id,
          campaign_id: resourceId,
          phone_hash: hashPhone(phone),
        })),
      ),
      JSON.stringify(limits),
    ],
  );
  return new Map(rows.map(({ id, grant }) => [id, grant]));
}

/** The grants of phones as they are now, by phone; empty for an unlimited campaign. Claims nothing. */
export async function findGrants(
  knex: Knex,
  campaignId: Campaign['id'],
  phones: readonly string[],
  hashPhone: HashPhone,
): Promise<ReadonlyMap<string, Grant>> {
  const { rows } = await knex.raw<{ rows: { phone: string; grant: Grant }[] }>(
    `select p.phone, case
         when g.given_at is not null and (f.ever or g.given_at + f.span > service_now()) then 'used'
         when g.message_id is not null and g.given_at is null then 'claimed'
         else 'open'
       end as grant
     from json_to_recordset(:phones::json) as p(phone text, phone_hash text)
       join campaigns c on c.id = :campaignId
       join json_to_recordset(:limits::json) as f(frequency text, ever boolean, span interval)
         on f.frequency = c.frequency
       left join campaign_grants g on g.campaign_id = c.id and g.phone_hash = p.phone_hash`,
    {
      campaignId,
      phones: JSON.stringify(phones.map((phone) => ({ phone, phone_hash: hashPhone(phone) }))),
      limits: JSON.stringify(limits),
    },
  );
  return new Map(rows.map(({ phone, grant }) => [phone, grant]));
}

const limits = Object.entries(windowOf)
  .filter(([, window]) => window !== 'none')
  .map(([frequency, window]) => ({
    frequency: frequency as Frequency,
    ever: window === 'ever',
    span: window === 'ever' ? null : window,
  }));

/** A state that counts as given: the bundle arrived, or may have. */
const given: ReadonlySet<string> = new Set(['Delivered', 'Uncertain']);

/**
 * Runs in the transaction that records the bundles' final states: grants of bundles that were not given are free
 * again. Of several states of one bundle the last one counts: it may be reversed in the batch that reports its
 * delivery.
 */
export async function settleGrants(
  trx: Knex.Transaction,
  bundles: readonly ReachedState[],
  hashPhone: HashPhone,
): Promise<void> {
  const last = new Map(bundles.map((bundle) => [bundle.messageId, bundle]));
  await trx.raw(
    `with bundle as (
       select * from json_to_recordset(?::json) as b(id bigint, campaign_id text, phone_hash text, given boolean)
     ), held as (
       select g.campaign_id, g.phone_hash, bundle.given
       from campaign_grants g join bundle on bundle.campaign_id = g.campaign_id
         and bundle.phone_hash = g.phone_hash
         and bundle.id = g.message_id
       order by g.campaign_id, g.phone_hash for update of g
     ), freed as (
       delete from campaign_grants g using held
       where g.campaign_id = held.campaign_id and g.phone_hash = held.phone_hash and not held.given
     )
     update campaign_grants g set given_at = service_now() from held
     where g.campaign_id = held.campaign_id and g.phone_hash = held.phone_hash and held.given`,
    [
      JSON.stringify(
        [...last.values()].map(({ messageId, resourceId, phone, state }) => ({
          id: messageId,
          campaign_id: resourceId,
          phone_hash: hashPhone(phone),
          given: given.has(state),
        })),
      ),
    ],
  );
}
