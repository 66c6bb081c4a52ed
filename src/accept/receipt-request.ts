/** The rule on a request's receiptRequest. Where the name of its host leads is judged when a receipt is posted. */

import type { ReceiptRequest } from '../model/plan.ts';
import { errors } from '../platform/errors.ts';
import { originOf } from '../receipts/callback/callback-url.ts';
import type { Destinations } from '../receipts/callback/destination.ts';

const longestCorrelator = 100;

/** Throws errors.invalidCorrelator, callbackUrl or callbackAddress; an absent object requests nothing. */
export type CheckReceiptRequest = (request: ReceiptRequest | undefined) => ReceiptRequest;

export function createReceiptRequestCheck({
  urlRefusal,
}: Pick<Destinations, 'urlRefusal'>): CheckReceiptRequest {
  return (request) => {
    const { correlator, callbackUrl } = request ?? {};
    if (correlator !== undefined && (correlator === '' || [...correlator].length > longestCorrelator))
      throw errors.invalidCorrelator();
    if (callbackUrl !== undefined) {
      if (originOf(callbackUrl) === undefined) throw errors.invalidCallbackUrl();
      if (urlRefusal(callbackUrl) !== undefined) throw errors.forbiddenCallbackAddress();
    }
    return {
      ...(correlator === undefined ? {} : { correlator }),
      ...(callbackUrl === undefined ? {} : { callbackUrl }),
    };
  };
}
