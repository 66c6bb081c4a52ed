/** Reads the words of services, and keeps who got which confirmation. */
import type { Knex } from 'knex';
import type { ServiceWord, WordAction } from '../products/consent/words.ts';
import type { Received } from './message.ts';

/** A transaction. */
export type Database = Knex.Transaction;

/** By SMS service; those without words of their own are absent. */
export async function wordsOfServices(
  trx: Database,
  messages: readonly Pick<Received, 'product' | 'serviceId'>[],
): Promise<ReadonlyMap<string, readonly ServiceWord[]>> {
  const ids = messages.filter(({ product }) => product === 'sms').map(({ serviceId }) => serviceId);
  const rows = await trx('services')
    .whereIn('id', [...new Set(ids)])
    .whereNot('inbound_keywords', '[]')
    .select<{ id: string; words: ServiceWord[] }[]>('id', { words: 'inbound_keywords' });
  return new Map(rows.map(({ id, words }) => [id, words]));
}

/** False if the number got this confirmation from the service within 24 hours. */
export async function takeReply(
  trx: Database,
  { phoneHash, serviceId, action }: { phoneHash: string; serviceId: string; action: WordAction },
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `insert into keyword_replies as r (phone_hash, service_id, action) values (?, ?, ?)
     on conflict (phone_hash, service_id, action) do update set replied_at = excluded.replied_at
       where r.replied_at <= service_now() - interval '24 hours' or r.replied_at > service_now()
     returning 1`,
    [phoneHash, serviceId, action],
  );
  return rows.length > 0;
}
