/** Reads the words of services, and keeps who got which confirmation. */
import type { Knex } from 'knex';
import type { ServiceWord, WordAction } from '../products/consent/words.ts';
import type { Grant } from '../products/sms/sender.ts';
import { grantOfService } from '../products/sms/service.ts';
import type { InboundProduct, Received } from './message.ts';

/** A transaction. */
export type Database = Knex.Transaction;

const tables = { sms: 'services', chatapp: 'chatapp_services' } as const;

/** Finds the words of a service; undefined: it has none of its own. */
export async function wordsOfServices(
  trx: Database,
  messages: readonly Pick<Received, 'product' | 'serviceId'>[],
): Promise<(product: InboundProduct, serviceId: string) => readonly ServiceWord[] | undefined> {
  const found = { sms: new Map<string, ServiceWord[]>(), chatapp: new Map<string, ServiceWord[]>() };
  for (const product of ['sms', 'chatapp'] as const) {
    const ids = messages.filter((one) => one.product === product).map(({ serviceId }) => serviceId);
    if (ids.length === 0) continue;
    const rows = await trx(tables[product])
      .whereIn('id', [...new Set(ids)])
      .whereNot('inbound_keywords', '[]')
      .select<{ id: string; words: ServiceWord[] }[]>('id', { words: 'inbound_keywords' });
    for (const { id, words } of rows) found[product].set(id, words);
  }
  return (product, serviceId) => found[product].get(serviceId);
}

/** What the teams of SMS services were given of their senders, by service. */
export async function grantsOfServices(
  trx: Database,
  serviceIds: readonly string[],
): Promise<Map<string, Grant>> {
  const { rows } = await trx.raw<{ rows: { id: string; grant: Grant | null }[] }>(
    `select s.id, ${grantOfService} as "grant" from services s where s.id = any(?)`,
    [[...new Set(serviceIds)]],
  );
  return new Map(rows.flatMap(({ id, grant }) => (grant === null ? [] : [[id, grant]])));
}

export interface Reply {
  phoneHash: string;
  product: InboundProduct;
  serviceId: string;
  action: WordAction;
}

/** False if the number got this confirmation from the service within 24 hours. */
export async function takeReply(
  trx: Database,
  { phoneHash, product, serviceId, action }: Reply,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `insert into keyword_replies as r (phone_hash, product, service_id, action) values (?, ?, ?, ?)
     on conflict (phone_hash, product, service_id, action) do update set replied_at = excluded.replied_at
       where r.replied_at <= service_now() - interval '24 hours' or r.replied_at > service_now()
     returning 1`,
    [phoneHash, product, serviceId, action],
  );
  return rows.length > 0;
}
