/** The delivery receipt of a bundle, as the contract publishes it. */
import type { components } from '../../../generated/openapi.d.ts';
import type { ReachedState } from '../../model/states.ts';

type Receipt = components['schemas']['DataDeliveryReceipt'];

export function dataReceipt(bundle: ReachedState): Receipt {
  return {
    type: 'DataDeliveryReceipt',
    requestId: bundle.requestId,
    position: bundle.position,
    correlator: bundle.correlator ?? '',
    phone: bundle.phone,
    denomination: bundle.content as Receipt['denomination'],
    sequence: bundle.sequence,
    timestamp: bundle.reachedAt.toISOString(),
    deliveryStatus: bundle.state as Receipt['deliveryStatus'],
    ...(bundle.reason === null ? {} : { reason: bundle.reason }),
    ...(bundle.reasonCode === null ? {} : { reasonCode: bundle.reasonCode }),
  };
}
