/** What receivers are tested with: receipts, and messages of people. */
import { randomUUID } from 'node:crypto';

export interface Sample {
  /** The webhook-id. */
  id: string;
  body: string;
}

export type Change = Readonly<Record<string, unknown>>;

/** Each of a message of its own. */
const receipt = (type: string, change: Change): Sample => ({
  id: randomUUID(),
  body: JSON.stringify({
    type,
    requestId: randomUUID(),
    position: 0,
    correlator: `conform-${randomUUID()}`,
    phone: '+254711000000',
    sequence: 1,
    timestamp: '2026-11-21T09:30:00.000Z',
    deliveryStatus: 'Delivered',
    ...change,
  }),
});

export function smsSample(change: Change = {}): Sample {
  return receipt('SmsDeliveryReceipt', change);
}

export function dataSample(change: Change = {}): Sample {
  return receipt('DataDeliveryReceipt', { denomination: '1GB', ...change });
}

export function chatAppSample(change: Change = {}): Sample {
  return receipt('ChatAppDeliveryReceipt', { phoneNumberId: '106540352242922', ...change });
}

export function inboundSample(change: Change = {}): Sample {
  const messageId = randomUUID();
  const body = JSON.stringify({
    type: 'InboundMessage',
    messageId,
    product: 'Sms',
    serviceId: 'demo-sms',
    from: '+254711000000',
    to: '22141',
    kind: 'Text',
    text: 'Asante',
    receivedAt: '2026-11-21T09:30:00.000Z',
    ...change,
  });
  return { id: messageId, body };
}
