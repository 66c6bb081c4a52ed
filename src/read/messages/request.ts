/** A request as clients and operators read it: what was accepted, and the states of its messages. */

import type { ProductName } from '../../model/products.ts';
import type { MessageState } from '../../model/states.ts';

export interface AcceptedRequest {
  requestId: string;
  product: ProductName;
  serviceId?: string;
  campaignId?: string;
  sender?: string;
  correlator?: string;
  callbackUrl?: string;
  acceptedAt: string;
  scheduledFor?: string;
  messages: number;
  states: Record<string, number>;
}

/** A request with the states of its messages, as it is stored. */
export interface StoredRequest {
  id: string;
  teamId: string;
  clientId: string;
  operation: 'sendSms' | 'disburseMobileData' | 'sendChatAppTemplate';
  resourceId: string;
  sender: string | null;
  correlator: string | null;
  callbackUrl: string | null;
  acceptedAt: Date;
  sendAt: Date | null;
  states: Record<MessageState, number> | null;
}

/** Total over the operations that accept requests. */
const resourceOf: {
  [O in StoredRequest['operation']]: (
    id: string,
  ) => Pick<AcceptedRequest, 'product' | 'serviceId' | 'campaignId'>;
} = {
  sendSms: (serviceId) => ({ product: 'Sms', serviceId }),
  disburseMobileData: (campaignId) => ({ product: 'MobileData', campaignId }),
  sendChatAppTemplate: (serviceId) => ({ product: 'ChatApp', serviceId }),
};

/** SQL: a `StoredRequest` of a row of `requests`. */
export const requestColumns = (row: string) => `
  ${row}.id, team_id as "teamId", client_id as "clientId", operation, resource_id as "resourceId", sender, correlator,
  callback_url as "callbackUrl", created_at as "acceptedAt",
  (select case when ${row}.send_at is not null or bool_and(m.send_at is not null)
     then coalesce(min(m.send_at), ${row}.send_at) end
   from messages m where m.request_id = ${row}.id) as "sendAt",
  (select json_object_agg(state, messages) from (
     select state, count(*) as messages from messages where request_id = ${row}.id group by state order by state
   ) as counted) as states`;

export function requestOf(stored: StoredRequest): AcceptedRequest {
  const { id, operation, resourceId, sender, correlator, callbackUrl, acceptedAt, sendAt, states } = stored;
  return {
    requestId: id,
    ...resourceOf[operation](resourceId),
    ...(sender === null ? {} : { sender }),
    ...(correlator === null ? {} : { correlator }),
    ...(callbackUrl === null ? {} : { callbackUrl }),
    acceptedAt: acceptedAt.toISOString(),
    ...(sendAt === null ? {} : { scheduledFor: sendAt.toISOString() }),
    messages: Object.values(states ?? {}).reduce((sum, count) => sum + count, 0),
    states: states ?? {},
  };
}
