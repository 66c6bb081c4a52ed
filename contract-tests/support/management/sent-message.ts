/** Stores what only clients make: a request with a message, its receipt and the endpoint that it is posted to. */
import type { Management } from '../../../src/manage/management.ts';

/** Ids of what is stored. */
type Sent = Record<'teamId' | 'clientId' | 'requestId' | 'receiptId' | 'serviceId', string>;

export async function addMessage({ knex }: Pick<Management, 'knex'>, named: Sent): Promise<void> {
  const { teamId, clientId, requestId, receiptId, serviceId } = named;
  const owners = { team_id: teamId, client_id: clientId };
  await knex('requests').insert({
    ...owners,
    id: requestId,
    operation: 'sendSms',
    resource_id: serviceId,
    sender: 'ACME',
    correlator: `${teamId}-correlator`,
    callback_url: `https://${teamId}.example/receipts`,
  });
  const [message] = await knex('messages')
    .insert({
      request_id: requestId,
      team_id: teamId,
      position: 0,
      product: 'sms',
      channel: 'Safaricom',
      phone: '+254711000000',
      content: 'canary',
      units: 1,
      state: 'Delivered',
    })
    .returning('id');
  await knex('messages').insert({
    request_id: requestId,
    team_id: teamId,
    position: 1,
    product: 'sms',
    channel: 'Safaricom',
    phone: '+254711000001',
    content: 'canary',
    units: 1,
    state: 'Scheduled',
    send_at: knex.raw(`service_now() + interval '1 day'`),
  });
  await knex('receipt_origins').insert({
    team_id: teamId,
    origin_key: receiptId,
    origin: `https://${teamId}.example`,
    failures_in_a_row: 31,
    parked_until: knex.raw(`service_now() + interval '50 seconds'`),
  });
  await knex('receipts').insert({
    ...owners,
    id: receiptId,
    request_id: requestId,
    message_id: message.id,
    url: `https://${teamId}.example/receipts`,
    origin_key: receiptId,
    body: JSON.stringify({ timestamp: '2026-11-21T09:30:02.000Z', deliveryStatus: 'Delivered' }),
    state: 'Exhausted',
    attempt_log: JSON.stringify([
      { at: '2026-11-21T09:30:02.010Z', latencyMs: 12, status: 503, response: 'busy' },
    ]),
  });
}
