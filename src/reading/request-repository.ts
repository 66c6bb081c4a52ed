/** Reads one request of a team, and its messages. */
import type { Knex } from 'knex';
import { errors } from '../errors.ts';
import type { MessageState } from '../receipts/states.ts';
import { type Message, messageColumns, messageOf, type StoredMessage } from './message.ts';
import { type ReadSlice, sliceOf } from './page.ts';
import type { ProductName } from './product.ts';
import { isUuid } from './uuid.ts';

export interface AcceptedRequest {
  requestId: string;
  product: ProductName;
  serviceId?: string;
  campaignId?: string;
  sender?: string;
  correlator?: string;
  callbackUrl?: string;
  acceptedAt: string;
  messages: number;
  states: Record<string, number>;
}

interface Row {
  operation: 'sendSms' | 'disburseMobileData' | 'sendChatAppTemplate';
  resourceId: string;
  sender: string | null;
  correlator: string | null;
  callbackUrl: string | null;
  acceptedAt: Date;
  states: Record<MessageState, number> | null;
}

/** Total over the operations that accept requests. */
const resourceOf: {
  [O in Row['operation']]: (id: string) => Pick<AcceptedRequest, 'product' | 'serviceId' | 'campaignId'>;
} = {
  sendSms: (serviceId) => ({ product: 'Sms', serviceId }),
  disburseMobileData: (campaignId) => ({ product: 'MobileData', campaignId }),
  sendChatAppTemplate: (serviceId) => ({ product: 'ChatApp', serviceId }),
};

/** Rejects with 404 for a request that the team does not have. */
export type GetRequest = (teamId: string, requestId: string) => Promise<AcceptedRequest>;

export function getRequest(knex: Knex): GetRequest {
  return async (teamId, requestId) => {
    if (!isUuid(requestId)) throw errors.requestUnknown(requestId);
    const { rows } = await knex.raw<{ rows: Row[] }>(
      `select operation, resource_id as "resourceId", sender, correlator, callback_url as "callbackUrl",
         created_at as "acceptedAt",
         (select json_object_agg(state, messages) from (
            select state, count(*) as messages from messages where request_id = requests.id group by state order by state
          ) as counted) as states
       from requests where id = :requestId::uuid and team_id = :teamId`,
      { requestId, teamId },
    );
    const [row] = rows;
    if (row === undefined) throw errors.requestUnknown(requestId);
    const { operation, resourceId, sender, correlator, callbackUrl, acceptedAt, states } = row;
    return {
      requestId: requestId.toLowerCase(),
      ...resourceOf[operation](resourceId),
      ...(sender === null ? {} : { sender }),
      ...(correlator === null ? {} : { correlator }),
      ...(callbackUrl === null ? {} : { callbackUrl }),
      acceptedAt: acceptedAt.toISOString(),
      messages: Object.values(states ?? {}).reduce((sum, count) => sum + count, 0),
      states: states ?? {},
    };
  };
}

/** In the order of the request. Rejects with 404 for a request that the team does not have. */
export function readRequestMessages(knex: Knex): ReadSlice<{ requestId: string }, Message> {
  return async (teamId, { requestId }, [after = '0'] = [], limit) => {
    if (!isUuid(requestId)) throw errors.requestUnknown(requestId);
    const { rows } = await knex.raw<{ rows: StoredMessage[] }>(
      `with shown as (
         select messages.*, requests.correlator, requests.created_at as accepted_at
         from requests join messages on messages.request_id = requests.id
         where requests.id = :requestId::uuid and requests.team_id = :teamId and messages.id > :after
         order by messages.id limit :limit::integer + 1
       )
       select ${messageColumns('shown')} from shown order by shown.id`,
      { requestId, teamId, after, limit },
    );
    // Every request has messages, and no cursor leads behind the last of them.
    if (rows.length === 0) throw errors.requestUnknown(requestId);
    return sliceOf(rows, limit, messageOf, ({ id }) => [id]);
  };
}
