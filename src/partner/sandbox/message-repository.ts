/** Reads the accepted messages, for tests to look at. */
import type { Knex } from 'knex';
import type { components } from '../../../generated/sandbox.d.ts';
import type { Product } from '../../model/plan.ts';
import { products } from '../../model/products.ts';

export type ListedMessage = components['schemas']['Message'];

export interface MessageFilter {
  /** Messages up to this id were cleared from the list. */
  afterId: string;
  phone?: string | undefined;
  requestId?: string | undefined;
}

interface Row {
  requestId: string;
  correlator: string | null;
  product: Product;
  phone: string;
  channel: string;
  sender: string | null;
  content: string;
  state: string;
  units: number;
  acceptedAt: Date;
}

export async function listMessages(
  knex: Knex,
  { afterId, phone, requestId }: MessageFilter,
): Promise<ListedMessage[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(
    `select request_id as "requestId", correlator, product, phone, channel, coalesce(m.sender, r.sender) as sender, content, state, units,
       created_at as "acceptedAt"
     from messages m join requests r on r.id = m.request_id
     where m.id > :afterId::bigint and (:phone::text is null or phone = :phone)
       and (:requestId::uuid is null or request_id = :requestId)
     order by m.id limit 1000`,
    { afterId, phone: phone ?? null, requestId: requestId ?? null },
  );
  return rows.map(({ content, correlator, sender, acceptedAt, ...row }) => ({
    ...row,
    product: products[row.product].name,
    ...contents[row.product](content),
    ...(correlator === null ? {} : { correlator }),
    ...(sender === null ? {} : { sender }),
    acceptedAt: acceptedAt.toISOString(),
  }));
}

const contents: { [P in Product]: (content: string) => Partial<ListedMessage> } = {
  sms: (text) => ({ text }),
  data: (denomination) => ({ denomination }),
  chatapp: (content) => {
    const said = JSON.parse(content);
    return 'name' in said ? { template: said } : said;
  },
};

/** '0' when there is none. */
export async function newestMessageId(knex: Knex): Promise<string> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    'select coalesce(max(id), 0)::text as id from messages',
  );
  return rows[0]?.id ?? '0';
}
