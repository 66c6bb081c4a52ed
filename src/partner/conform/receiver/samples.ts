/** Receipts to test receivers with, each of a message of its own. */
import { randomUUID } from 'node:crypto';

type Change = Readonly<Record<string, unknown>>;

const common = () => ({
  requestId: randomUUID(),
  position: 0,
  correlator: `conform-${randomUUID()}`,
  phone: '+254711000000',
  sequence: 1,
  timestamp: '2026-11-21T09:30:00.000Z',
  deliveryStatus: 'Delivered',
});

export function smsSample(change: Change = {}): string {
  return JSON.stringify({ type: 'SmsDeliveryReceipt', ...common(), ...change });
}

export function dataSample(change: Change = {}): string {
  return JSON.stringify({ type: 'DataDeliveryReceipt', ...common(), denomination: '1GB', ...change });
}

export function chatAppSample(change: Change = {}): string {
  return JSON.stringify({
    type: 'ChatAppDeliveryReceipt',
    ...common(),
    phoneNumberId: '106540352242922',
    ...change,
  });
}
