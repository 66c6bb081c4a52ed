/** The delivery receipt of an SMS, as the contract publishes it. */
import type { components } from '../../../generated/openapi.d.ts';
import type { ReachedState } from '../../model/states.ts';

type Announced = Pick<
  ReachedState,
  | 'requestId'
  | 'position'
  | 'correlator'
  | 'phone'
  | 'sequence'
  | 'reachedAt'
  | 'state'
  | 'reason'
  | 'reasonCode'
  | 'hasFallback'
>;

export function smsReceipt(message: Announced): components['schemas']['SmsDeliveryReceipt'] {
  return {
    type: 'SmsDeliveryReceipt',
    requestId: message.requestId,
    position: message.position,
    ...(message.correlator === null ? {} : { correlator: message.correlator }),
    phone: message.phone,
    sequence: message.sequence,
    timestamp: message.reachedAt.toISOString(),
    deliveryStatus: message.state as components['schemas']['SmsDeliveryStatus'],
    ...(message.reason === null ? {} : { reason: message.reason }),
    ...(message.reasonCode === null ? {} : { reasonCode: message.reasonCode }),
    ...(message.hasFallback ? { isFallback: true } : {}),
  };
}
