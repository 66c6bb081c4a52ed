/** The receipt for one state of a chat-app message, as the contract publishes it. */
import type { components } from '../../../generated/openapi.d.ts';
import type { ReachedState } from '../../model/states.ts';

export function chatAppReceipt(message: ReachedState): components['schemas']['ChatAppDeliveryReceipt'] {
  return {
    type: 'ChatAppDeliveryReceipt',
    requestId: message.requestId,
    position: message.position,
    // The contract demands a correlator beside every callbackUrl of this operation.
    correlator: message.correlator ?? '',
    phone: message.phone,
    phoneNumberId: message.channel,
    ...(message.networkId === null ? {} : { messageId: message.networkId }),
    sequence: message.sequence,
    timestamp: message.reachedAt.toISOString(),
    deliveryStatus: message.state as components['schemas']['ChatAppDeliveryStatus'],
    ...(message.reason === null ? {} : { reason: message.reason }),
    ...(message.reasonCode === null ? {} : { reasonCode: message.reasonCode }),
    ...(message.fallback === undefined ? {} : { fallbackStatus: message.fallback }),
  };
}
