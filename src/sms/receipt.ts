/** The delivery receipt of an SMS, as the contract publishes it. */
import type { components } from '../../generated/openapi.d.ts';
import type { FinishedMessage } from '../receipts/states.ts';

export function smsReceipt(message: FinishedMessage): components['schemas']['SmsDeliveryReceipt'] {
  return {
    type: 'SmsDeliveryReceipt',
    requestId: message.requestId,
    ...(message.correlator === null ? {} : { correlator: message.correlator }),
    phone: message.phone,
    timestamp: message.finalAt.toISOString(),
    deliveryStatus: message.state,
    ...(message.reason === null ? {} : { reason: message.reason }),
    ...(message.reasonCode === null ? {} : { reasonCode: message.reasonCode }),
  };
}
